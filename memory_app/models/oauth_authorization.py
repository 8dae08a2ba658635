"""OAuth authorizations: what a person allowed an assistant that signed in. It acts through a key that nobody holds."""

from datetime import UTC, datetime
from functools import cache
from typing import Self

from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Token
from django.conf import settings
from django.db import models
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils import timezone

from memory_app.models.api_key import ApiKey
from memory_app.postgres.fast.prepared_query import PreparedQuery

KEY_OF_TOKEN = "key"
"""Where the data of a token says which authorization it belongs to: the id of its key."""


class OAuthAuthorizationQuerySet(models.QuerySet["OAuthAuthorization"]):
    def usable(self, now: datetime) -> Self:
        """Those that open something: neither ended nor unused for long, of a login that is not switched off."""
        not_expired = models.Q(key__expires_at=None) | models.Q(key__expires_at__gt=now)
        return self.filter(not_expired, key__revoked_at=None, user__is_active=True)

    def signed_in(self) -> Self:
        """Those whose assistant came for its first token."""
        return self.exclude(signed_in_at=None)

    def of_person(self, name: str) -> Self:
        """Those that reach a person's memory, or did."""
        return self.filter(key__people__contains=[name])

    def key_by_access_token(self, value: str, resource: str, now: datetime) -> ApiKey | None:
        """The key that an access token stands for, where it may be used for this resource; else None. One read."""
        return _key_by_token_hash().first(hash=get_adapter().hash_token(value), resource=resource, now=now)


@cache
def _key_by_token_hash() -> PreparedQuery[ApiKey]:
    any_hash, any_resource, any_time = "hash", "resource", datetime(1, 1, 1, tzinfo=UTC)
    tokens = Token.objects.filter(type=Token.Type.ACCESS_TOKEN, hash=any_hash, expires_at__gt=any_time)
    key = tokens.values(key=Cast(KeyTextTransform(KEY_OF_TOKEN, "data"), models.UUIDField()))
    allowed = {"oauth_authorization__resource": any_resource, "oauth_authorization__user__is_active": True}
    rows = ApiKey.objects.usable(any_time).filter(pk=models.Subquery(key[:1]), **allowed)
    return PreparedQuery(rows, {"hash": any_hash, "resource": any_resource, "now": any_time})


class OAuthAuthorization(models.Model):
    """What an assistant was allowed: scopes and person stand in its key, whose limits and log are its own.

    The key's own secret was never shown. Tokens of django-allauth name the key in their data.
    """

    key = models.OneToOneField(
        ApiKey, on_delete=models.CASCADE, primary_key=True, related_name="oauth_authorization", editable=False
    )
    client = models.ForeignKey(
        "allauth_idp_oidc.Client", on_delete=models.SET_NULL, null=True, related_name="authorizations"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="oauth_authorizations")
    resource = models.TextField(help_text="the address its tokens are for, and no other")
    redirect_host = models.TextField(help_text="where the browser went with the code")
    signed_in_at = models.DateTimeField(null=True, blank=True, help_text="when it came for its first token")
    created_at = models.DateTimeField(default=timezone.now)

    objects = OAuthAuthorizationQuerySet.as_manager()

    class Meta:
        db_table = "oauth_authorization"

    def __str__(self) -> str:
        return f"{self.key.name} at {self.redirect_host}"
