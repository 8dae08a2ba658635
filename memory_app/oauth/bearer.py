"""Who calls /mcp: a key, or the key behind an access token that is for this very address; and the challenge to others
(RFC 6750, RFC 9728)."""

from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from memory_app.api.auth import KeyAuth
from memory_app.api.problems import no_key
from memory_app.engine.oauth_authorizations import OFFERED_SCOPES
from memory_app.models import ApiKey, OAuthAuthorization
from memory_app.models.api_key import KEY_MARK
from memory_app.oauth.resources import metadata_address, resource_of


class KeyOrTokenAuth(KeyAuth):
    """`Authorization: Bearer`, with a key or an access token."""

    def find_key(self, request: HttpRequest, token: str, now: datetime) -> ApiKey | None:
        if not settings.KEEPSAKE_OAUTH or token.startswith(f"{KEY_MARK}_"):
            return super().find_key(request, token, now)
        match = request.resolver_match
        resource = resource_of(request, match.kwargs.get("person") if match else None)
        return OAuthAuthorization.objects.key_by_access_token(token, resource, now)


key_or_token = KeyOrTokenAuth(None)


def challenge(request: HttpRequest, person: str | None) -> HttpResponse:
    """401, with where to sign in; an error is named only to whoever showed something."""
    if not settings.KEEPSAKE_OAUTH:
        return no_key()
    parameters = {
        "resource_metadata": metadata_address(request, person),
        "scope": " ".join(scope.value for scope in OFFERED_SCOPES),
    }
    if request.headers.get("Authorization"):
        parameters["error"] = "invalid_token"
        parameters["error_description"] = "The key or token is unknown, has ended, or is for another address."
    return no_key(*(f'{name}="{value}"' for name, value in parameters.items()))
