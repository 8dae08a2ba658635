"""What django-allauth asks of us about clients that register: what they may be, and how many may wait unused."""

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client
from django.core.exceptions import ValidationError
from django.http import JsonResponse
from django.utils import timezone

from memory_app.api.requests import storable
from memory_app.engine.erasure.purge_oauth import has_room_for_client
from memory_app.engine.oauth_authorizations import OFFERED_SCOPES
from memory_app.oauth.redirects import MAX_REDIRECTS, redirect_error

GRANT_TYPES = [Client.GrantType.AUTHORIZATION_CODE.value, Client.GrantType.REFRESH_TOKEN.value]


class OAuthAdapter(DefaultOIDCAdapter):  # type: ignore[misc]
    """A client is public, uses codes and refresh tokens, and may ask for every scope that a person can give: a secret
    would protect nothing where anyone may register, and what is given the person says."""

    def validate_client_registration(self, *, client: Client, **kwargs: Any) -> None:
        _check_name(client.name)
        _check_redirects(client.get_redirect_uris())
        if not has_room_for_client(timezone.now()):
            raise ImmediateHttpResponse(
                _refusal("temporarily_unavailable", "Too many assistants have registered.", 429)
            )
        client.type = Client.Type.PUBLIC
        client.set_grant_types(GRANT_TYPES)
        client.set_response_types([Client.ResponseType.CODE.value])
        client.set_scopes([scope.value for scope in OFFERED_SCOPES])
        client.data = {"dcr": True}  # what else was sent is not kept


def _check_name(name: str) -> None:
    try:
        storable(name)
    except ValueError as error:
        raise ValidationError(f"client_name {error}") from None


def _check_redirects(addresses: list[str]) -> None:
    if not 0 < len(addresses) <= MAX_REDIRECTS:
        error = f"Register between one and {MAX_REDIRECTS} redirect addresses."
    else:
        error = next(filter(None, map(redirect_error, addresses)), "")
    if error:
        raise ImmediateHttpResponse(_refusal("invalid_redirect_uri", error, 400))


def _refusal(error: str, description: str, status: int) -> JsonResponse:
    return JsonResponse({"error": error, "error_description": description}, status=status)
