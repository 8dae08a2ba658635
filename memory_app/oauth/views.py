"""What assistants call to sign in: metadata, registration, tokens and their revocation. The page where a person allows
it is the dashboard's."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from allauth.core.internal.ratelimit import RateLimitUsage
from allauth.idp.oidc.internal.oauthlib.utils import convert_response, extract_params
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.views import ClientRegistrationView
from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from ninja.throttling import SimpleRateThrottle

from memory_app.engine.oauth_authorizations import OFFERED_SCOPES
from memory_app.oauth.clients import GRANT_TYPES
from memory_app.oauth.resources import resource_of, server_address
from memory_app.oauth.server import OAuthServer

P = ParamSpec("P")
R = TypeVar("R")
SCOPES = [scope.value for scope in OFFERED_SCOPES]
METADATA_SECONDS = 3600


class RefusedTokenThrottle(SimpleRateThrottle):
    """So many refused codes and tokens from one address: guessing is hopeless, and this keeps it cheap to refuse."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        return f"refused-tokens-{self.get_ident(request)}"


_refused_tokens = RefusedTokenThrottle("120/m")


def where_enabled(view: Callable[P, R]) -> Callable[P, R]:
    """404 where assistants may not sign in."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if not settings.KEEPSAKE_OAUTH:
            raise Http404
        return view(*args, **kwargs)

    return checked


@require_safe
@where_enabled
def server_metadata(request: HttpRequest) -> HttpResponse:
    """RFC 8414."""
    issuer = server_address(request)
    return _public(
        {
            "issuer": issuer,
            "authorization_endpoint": issuer + reverse("authorize"),
            "token_endpoint": issuer + reverse("oauth_token"),
            "registration_endpoint": issuer + reverse("oauth_register"),
            "revocation_endpoint": issuer + reverse("oauth_revoke"),
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": GRANT_TYPES,
            "token_endpoint_auth_methods_supported": settings.IDP_OIDC_AUTH_METHODS,
            "revocation_endpoint_auth_methods_supported": settings.IDP_OIDC_AUTH_METHODS,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
    )


@require_safe
@where_enabled
def resource_metadata(request: HttpRequest, person: str | None = None) -> HttpResponse:
    """RFC 9728: the same for every name, whether or not there is such a person."""
    return _public(
        {
            "resource": resource_of(request, person),
            "resource_name": "Keepsake",
            "authorization_servers": [server_address(request)],
            "scopes_supported": SCOPES,
            "bearer_methods_supported": ["header"],
        }
    )


def _public(document: dict[str, Any]) -> HttpResponse:
    response = JsonResponse(document)
    response["Cache-Control"] = f"public, max-age={METADATA_SECONDS}"
    return response


@csrf_exempt
@require_POST
@where_enabled
def token(request: HttpRequest) -> HttpResponse:
    """Takes a code or a refresh token; gives an access token and the next refresh token, all or nothing."""
    with transaction.atomic():
        return _answer(request, *OAuthServer(request).create_token_response(*extract_params(request)))


@csrf_exempt
@require_POST
@where_enabled
def revoke(request: HttpRequest) -> HttpResponse:
    """RFC 7009. Ends what the assistant was allowed; a token that opens nothing is answered alike."""
    with transaction.atomic():
        return _answer(request, *OAuthServer(request).create_revocation_response(*extract_params(request)))


def _answer(request: HttpRequest, headers: dict[str, str], body: str, status: int) -> HttpResponse:
    if status != 200 and not _refused_tokens.allow_request(request):
        return _too_many_requests(math.ceil(_refused_tokens.wait() or 1))
    response: HttpResponse = convert_response(headers, body, status)
    return response


def _too_many_requests(seconds: int) -> HttpResponse:
    error = {"error": "temporarily_unavailable", "error_description": "Too many requests."}
    return JsonResponse(error, status=429, headers={"Retry-After": str(seconds)})


class RegistrationView(ClientRegistrationView):  # type: ignore[misc]
    """RFC 7591, by allauth. Every try counts, and before anything is computed for it."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self._usage, refusal = super()._ratelimit()
        response: HttpResponse = refusal or super().post(request, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    def _ratelimit(self) -> tuple[RateLimitUsage | None, JsonResponse | None]:
        return self._usage, None

    def _get_client_metadata(self) -> dict[str, Any] | None:
        try:
            metadata: dict[str, Any] | None = super()._get_client_metadata()
        except RecursionError:
            return None
        return metadata

    def _serialize_client(self, client: Client, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As it was registered, which may be otherwise than it asked for."""
        return {**super()._serialize_client(client, *args, **kwargs), "token_endpoint_auth_method": "none"}


register = where_enabled(RegistrationView.as_view())
register.csrf_exempt = True  # type: ignore[attr-defined]
