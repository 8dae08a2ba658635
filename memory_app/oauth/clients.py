"""Clients that register: what they may be, how many may wait unused, and to which addresses they are answered."""

from typing import Any
from urllib.parse import SplitResult, urlsplit

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client
from django.core.exceptions import ValidationError
from django.http import JsonResponse
from django.utils import timezone

from memory_app.api.requests import storable
from memory_app.engine.erasure.purge_oauth import has_room_for_client
from memory_app.engine.oauth_authorizations import OFFERED_SCOPES

MAX_REDIRECTS = 10
MAX_REDIRECT_LENGTH = 500
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})


def redirect_error(address: str) -> str:
    """Why an address may not be registered; "" where it may: https, or http on the caller's own machine."""
    if len(address) > MAX_REDIRECT_LENGTH:
        return f"A redirect address has at most {MAX_REDIRECT_LENGTH} characters."
    if not address.isascii() or not address.isprintable() or any(mark in address for mark in ' \\"<>*'):
        return "A redirect address is plain ASCII, percent-encoded, without wildcards."
    parts = _split(address)
    if parts is None or not parts.hostname or parts.username is not None or parts.password is not None:
        return "A redirect address is an absolute address without a user name."
    if "#" in address:
        return "A redirect address has no fragment."
    if parts.scheme != "https" and not is_loopback(parts):
        return "A redirect address is https, or http on 127.0.0.1, [::1] or localhost."
    return ""


def is_registered(address: str, registered: list[str]) -> bool:
    """Whether an address is exactly one of those registered. On the caller's own machine any port will do (RFC 8252):
    programs there take the one that is free."""
    return address in registered or any(_differs_in_port(address, one) for one in registered)


def is_loopback(parts: SplitResult) -> bool:
    return parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS


def redirect_host(address: str) -> str:
    """The host to show to people: with its port only where it is another machine's, whose port is fixed."""
    parts = urlsplit(address)
    return (parts.hostname or "") if is_loopback(parts) else parts.netloc


def _differs_in_port(address: str, registered: str) -> bool:
    given, known = _split(address), _split(registered)
    if given is None or known is None or redirect_error(address) or not is_loopback(known):
        return False
    return _without_port(given) == _without_port(known)


def _without_port(parts: SplitResult) -> tuple[str | None, ...]:
    return parts.scheme, parts.hostname, parts.path, parts.query, parts.fragment


def _split(address: str) -> SplitResult | None:
    """None for what is no address, such as one with a port that is no number."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts


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
