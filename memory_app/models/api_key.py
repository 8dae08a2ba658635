"""API keys: a public prefix and 32 random bytes, of which only the SHA-256 is stored."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.postgres.fast.prepared_query import PreparedQuery

KEY_MARK = "ks"
SECRET_BYTES = 32
PREFIX_CHARACTERS = 8
USE_RECORD_INTERVAL = timedelta(minutes=1)


class Scope(models.TextChoices):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def usable(self, now: datetime) -> Self:
        return self.filter(revoked_at=None).filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))

    def made_by_people(self) -> Self:
        """Without those that assistants act through that signed in: nobody holds these."""
        return self.filter(oauth_authorization=None)

    def by_token(self, token: str, now: datetime) -> "ApiKey | None":
        """The usable key that this token is, or None. One indexed read; a slow hash would tax every call."""
        return key_by_hash().first(hash=hash_token(token), now=now)

    def record_use(self, key: "ApiKey", now: datetime) -> None:
        """Records that the key was used, at most once a minute."""
        stale = models.Q(last_used_at=None) | models.Q(last_used_at__lt=now - USE_RECORD_INTERVAL)
        if key.is_use_record_due(now):
            self.filter(stale, pk=key.pk).update(last_used_at=now)


class ApiKey(models.Model):
    """What an assistant may do: scopes, and the spaces and people it may touch (by name; none listed means all)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    prefix = models.CharField(max_length=20, help_text="the public beginning of the key, to tell keys apart")
    hash = models.BinaryField(max_length=32)
    scopes = ArrayField(models.CharField(max_length=5, choices=Scope))
    spaces = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    people = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        db_table = "api_key"
        constraints = [
            # Serves: finding the key a request presents.
            models.UniqueConstraint(fields=["hash"], name="api_key_hash"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @classmethod
    def issue(
        cls,
        name: str,
        *,
        scopes: list[str],
        spaces: list[str] | None = None,
        people: list[str] | None = None,
        expires_at: datetime | None = None,
    ) -> tuple[Self, str]:
        """Makes a key; returns it with its token, which is shown this once and cannot be told again."""
        public = secrets.token_hex(PREFIX_CHARACTERS // 2)
        token = f"{KEY_MARK}_{public}_{secrets.token_urlsafe(SECRET_BYTES)}"
        key = cls.objects.create(
            name=name,
            prefix=f"{KEY_MARK}_{public}",
            hash=hash_token(token),
            scopes=scopes,
            spaces=spaces or [],
            people=people or [],
            expires_at=expires_at,
        )
        return key, token

    def is_use_record_due(self, now: datetime) -> bool:
        """Whether it was not noted within the last minute."""
        return self.last_used_at is None or self.last_used_at < now - USE_RECORD_INTERVAL

    def has(self, scope: Scope) -> bool:
        """Whether the key carries a scope. Admin keys may read and write too."""
        return scope in self.scopes or Scope.ADMIN in self.scopes


@cache
def key_by_hash() -> PreparedQuery[ApiKey]:
    """Its parameters are the hash of a token, and the time now."""
    any_hash, any_time = b"hash", datetime(1, 1, 1, tzinfo=UTC)
    return PreparedQuery(ApiKey.objects.usable(any_time).filter(hash=any_hash), {"hash": any_hash, "now": any_time})


def hash_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
