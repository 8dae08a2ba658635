"""What oauthlib asks of the database: django-allauth's answers, and where they differ for /mcp.

allauth keeps codes in a cache of each process: here they are rows, so that any process takes one, once. It deletes a
refresh token that was used: here it stays as spent, so that using it again is noticed and ends all that came of it.
"""

from typing import Any, cast
from uuid import UUID

from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.internal.oauthlib.utils import ValidatorContext
from allauth.idp.oidc.models import Client, Token
from django.utils import timezone
from oauthlib.common import Request

from memory_app.engine.audit.log import Author
from memory_app.engine.oauth_authorizations import (
    OFFERED_SCOPES,
    end_authorization,
    lock_authorization,
    renew_authorization,
)
from memory_app.models import OAuthAuthorization
from memory_app.models.oauth_authorization import KEY_OF_TOKEN
from memory_app.oauth import CODE_LIFETIME, REFRESH_TOKEN_LIFETIME
from memory_app.oauth.clients import is_registered

SPENT_CODE, SPENT_REFRESH_TOKEN = "xc", "xr"
"""Types of tokens beside allauth's own."""

OFFERED = [scope.value for scope in OFFERED_SCOPES]


class OAuthValidator(OAuthLibRequestValidator):  # type: ignore[misc]
    """One for each request. allowed: the authorization that a token request is about, once its code or refresh token
    was found good; it stays locked until the request's transaction ends."""

    def __init__(self) -> None:
        super().__init__()
        self.allowed: OAuthAuthorization | None = None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return is_registered(redirect_uri, request.client.get_redirect_uris())

    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        return True

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Client, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Scopes that are not offered are passed over, as RFC 6749 allows: the answer says which are given."""
        request.scopes = [scope for scope in OFFERED if scope in scopes] or OFFERED
        return True

    def get_default_scopes(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> list[str]:
        return OFFERED

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        allowed: OAuthAuthorization = request.allowed
        token = Token(
            type=Token.Type.AUTHORIZATION_CODE,
            client=request.client,
            user=request.user,
            expires_at=timezone.now() + CODE_LIFETIME,
            data={
                KEY_OF_TOKEN: str(allowed.pk),
                "redirect_uri": request.redirect_uri,
                "pkce": {
                    "code_challenge": request.code_challenge,
                    "code_challenge_method": request.code_challenge_method,
                },
            },
        )
        token.set_value(code["code"])
        token.set_scopes(request.scopes)
        token.save()

    def validate_code(
        self, client_id: str, code: str, client: Client, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        token = self._find(client, code, Token.Type.AUTHORIZATION_CODE, SPENT_CODE)
        if token is None or not self._lock_unspent(token, request):
            return False
        request.scopes = token.get_scopes()
        return True

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        codes = Token.objects.by_value(code).filter(client=request.client, type=Token.Type.AUTHORIZATION_CODE)
        codes.update(type=SPENT_CODE, expires_at=timezone.now() + REFRESH_TOKEN_LIFETIME)

    def validate_refresh_token(
        self, refresh_token: str, client: Client, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        token = self._find(client, refresh_token, Token.Type.REFRESH_TOKEN, SPENT_REFRESH_TOKEN)
        if token is None or not self._lock_unspent(token, request):
            return False
        return cast(bool, super().validate_refresh_token(refresh_token, client, request, *args, **kwargs))

    def save_bearer_token(self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any) -> None:
        super().save_bearer_token(token, request, *args, **kwargs)
        now = timezone.now()
        renew_authorization(self._authorization, expires_at=now + REFRESH_TOKEN_LIFETIME, now=now)

    def revoke_token(
        self, token: str, token_type_hint: str | None, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """Whichever token is given back, the assistant is signed out: nobody means to keep the other one."""
        found = self._find(request.client, token, Token.Type.ACCESS_TOKEN, Token.Type.REFRESH_TOKEN)
        if found and (allowed := lock_authorization(UUID(found.data[KEY_OF_TOKEN]))):
            _end(allowed)

    def _lookup_client(self, request: Request, client_id: str | None) -> Client | None:
        """None also for what no database holds."""
        return super()._lookup_client(request, client_id) if client_id and "\x00" not in client_id else None

    def _lookup_authorization_code(self, request: Request, client_id: str, code: str) -> dict[str, Any] | None:
        """As allauth's own answers about a code read it."""
        token = self._find(request.client, code, Token.Type.AUTHORIZATION_CODE)
        return {**token.data, "scopes": token.get_scopes()} if token else None

    def _prep_access_token(self, ctx: ValidatorContext, token: dict[str, Any], request: Request) -> Token:
        return self._link_to_key(super()._prep_access_token(ctx, token, request))

    def _prep_refresh_token(self, ctx: ValidatorContext, refresh_token: str, request: Request) -> Token:
        spent = ctx.refresh_token
        prepared = super()._prep_refresh_token(ctx, refresh_token, request)
        if spent:
            Token(
                type=SPENT_REFRESH_TOKEN,
                hash=spent.hash,
                client=request.client,
                user=request.user,
                data=spent.data,
                expires_at=spent.expires_at,
            ).save()
        return self._link_to_key(prepared)

    def _link_to_key(self, token: Token) -> Token:
        token.data = {**(token.data or {}), KEY_OF_TOKEN: str(self._authorization.pk)}
        return token

    def _find(self, client: Client, value: str, *types: str) -> Token | None:
        """A token of this client that has not expired."""
        return Token.objects.valid().by_value(value).filter(client=client, type__in=types).first()

    def _lock_unspent(self, token: Token, request: Request) -> bool:
        """Locks the authorization of a code or refresh token, and reads the token again: of two callers with the same
        token, the second finds it spent. Then the authorization ends, because one of them has stolen the token."""
        allowed = lock_authorization(UUID(token.data[KEY_OF_TOKEN]))
        if allowed is None:
            return False
        type_by_now = Token.objects.filter(pk=token.pk).values_list("type", flat=True).first()
        if token.type in (SPENT_CODE, SPENT_REFRESH_TOKEN) or type_by_now != token.type:
            _end(allowed)
            return False
        self.allowed, request.user = allowed, allowed.user
        return True

    @property
    def _authorization(self) -> OAuthAuthorization:
        assert self.allowed is not None
        return self.allowed


def _end(allowed: OAuthAuthorization) -> None:
    author = Author("key", f"{allowed.key.prefix} {allowed.key.name}")
    end_authorization(key=allowed.pk, author=author, now=timezone.now())
