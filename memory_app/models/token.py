"""Tokens: a question put to a person about what to forget, to be answered once and soon."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models
from django.utils import timezone

from memory_app.models.api_key import hash_token
from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space

TOKEN_LIFETIME = timedelta(minutes=10)
"""How long a question waits for its answer."""

SECRET_BYTES = 24


class TokenQuerySet(models.QuerySet["Token"]):
    def by_token(self, token: str, person: UUID, now: datetime) -> "Token | None":
        """The token, if it was issued for this person and still waits; locked, so that it is used once."""
        rows = self.select_for_update(of=("self",)).filter(person_id=person, expires_at__gt=now)
        return rows.filter(hash=hash_token(token)).first()


class Token(models.Model):
    """What was asked: whether to forget these memories, or everything. Lives in the person's own space.

    Of everything, `memories` is not a list of as many as there are, but the digest of what there was, and nothing else.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    hash = models.BinaryField(max_length=32, help_text="SHA-256; the token itself is told once")
    conversation = models.UUIDField(null=True, blank=True)
    place = models.JSONField(default=dict, help_text="names of the space and channel where it was asked")
    memories = models.JSONField(default=list, help_text="[[space, memory]], as they were numbered")
    everything = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    objects = TokenQuerySet.as_manager()

    class Meta:
        db_table = "token"
        indexes = [
            # Serves: finding the token that an answer presents.
            models.Index(fields=["space", "hash"], name="token_by_hash"),
            # Serves: dropping those that nobody answered.
            models.Index(fields=["expires_at"], name="token_age"),
        ]

    def __str__(self) -> str:
        return f"question to {self.person_id} until {self.expires_at:%H:%M}"

    def issue(self, now: datetime) -> str:
        """Stores it; returns what is to be presented, which cannot be told again."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        self.hash, self.created_at, self.expires_at = hash_token(secret), now, now + TOKEN_LIFETIME
        self.save(force_insert=True)
        return secret
