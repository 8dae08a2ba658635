"""oauthlib's server, with the grants that OAuth 2.1 leaves: codes, and refresh tokens."""

import re
from collections.abc import Sequence
from typing import Any

from allauth.idp.oidc.internal.oauthlib.server import generate_opaque_token
from allauth.idp.oidc.internal.resources import InvalidTargetError
from django.http import HttpRequest
from oauthlib.common import Request
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749.errors import InvalidRequestError, UnsupportedCodeChallengeMethodError

from memory_app.oauth import ACCESS_TOKEN_LIFETIME
from memory_app.oauth.resources import read_resource, resource_of
from memory_app.oauth.validator import OAuthValidator

CODE_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
"""A SHA-256 as S256 writes it."""

RESOURCE = "resource"


class OAuthServer(WebApplicationServer):  # type: ignore[misc]
    """Answers one request. What it checks beyond oauthlib is raised where oauthlib catches it."""

    def __init__(self, request: HttpRequest) -> None:
        self.validator = OAuthValidator()
        super().__init__(
            self.validator,
            token_generator=generate_opaque_token,
            token_expires_in=int(ACCESS_TOKEN_LIFETIME.total_seconds()),
            refresh_token_generator=generate_opaque_token,
        )
        self._request = request
        self.auth_grant.custom_validators.pre_auth += [_check_challenge, self._requested_resource]
        self.auth_grant.custom_validators.post_token.append(self._check_same_resource)
        self.refresh_grant.custom_validators.post_token.append(self._check_same_resource)

    def _requested_resource(self, request: Request) -> dict[str, str]:
        """The resource of an authorization request: /mcp where it names none. Raises InvalidTargetError."""
        asked = self._resources(self._request.GET.getlist(RESOURCE), request)
        return {RESOURCE: asked or resource_of(self._request, None)}

    def _check_same_resource(self, request: Request) -> None:
        """Tokens are for the resource that was allowed, whether or not it is named again. Raises InvalidTargetError."""
        allowed = self.validator.allowed
        asked = self._resources(self._request.POST.getlist(RESOURCE), request)
        if allowed and asked not in (None, allowed.resource):
            raise InvalidTargetError(request=request)

    def _resources(self, asked: Sequence[str], request: Request) -> str | None:
        if not asked:
            return None
        try:
            (one,) = asked
            return read_resource(one, self._request)
        except ValueError:  # several, or none of ours
            raise InvalidTargetError(request=request) from None


def _check_challenge(request: Request) -> dict[str, Any]:
    """S256 alone; and the answer stands in the query, where `iss` is put too."""
    request.response_mode = "query"
    if request.code_challenge is not None:
        if request.code_challenge_method != "S256":
            raise UnsupportedCodeChallengeMethodError(request=request)
        if not CODE_CHALLENGE.fullmatch(request.code_challenge):
            raise InvalidRequestError("code_challenge is no SHA-256 in base64url.", request=request)
    return {}
