"""Assistants that sign in: allow one, renew what it holds, and end it. `erasure/purge_oauth` drops what is left."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from allauth.idp.oidc.models import Client, Token
from django.db.models import QuerySet
from django.utils import timezone

from memory_app.engine.api_keys import revoke_key
from memory_app.engine.audit.log import Author, log_event
from memory_app.errors import NotFound
from memory_app.models import COMMONS, ApiKey, OAuthAuthorization, Scope, User
from memory_app.models.oauth_authorization import KEY_OF_TOKEN, OAuthAuthorizationQuerySet
from memory_app.models.row_security import allowed_spaces

OFFERED_SCOPES = (Scope.READ, Scope.WRITE)
"""What a person can give. Who administers makes a key."""


def allow_assistant(
    *,
    client: Client,
    user: User,
    person: str,
    scopes: Sequence[str],
    resource: str,
    redirect_host: str,
    expires_at: datetime,
    author: Author,
    now: datetime,
) -> OAuthAuthorization:
    """What a user allows an assistant. It lapses at `expires_at` unless the assistant comes for its first token."""
    with allowed_spaces([COMMONS]):
        key, _ = ApiKey.issue(client.name or redirect_host, scopes=list(scopes), people=[person], expires_at=expires_at)
        allowed = OAuthAuthorization.objects.create(
            key=key, client=client, user=user, resource=resource, redirect_host=redirect_host
        )
        detail = {"key": str(key.id), "prefix": key.prefix, "name": key.name, "host": redirect_host}
        log_event("allow_assistant", {**detail, "scopes": list(scopes)}, author=author, now=now)
    return allowed


def lock_authorization(key: UUID) -> OAuthAuthorization | None:
    """The authorization, for one token request at a time; None for one that opens nothing any more."""
    rows = OAuthAuthorization.objects.select_for_update(of=("self", "key")).usable(timezone.now())
    return rows.select_related("key", "user", "client").filter(pk=key).first()


def renew_authorization(allowed: OAuthAuthorization, *, expires_at: datetime, now: datetime) -> None:
    """Notes that the assistant came for tokens: it lasts until these go unused."""
    allowed.key.expires_at = expires_at
    allowed.key.save(update_fields=["expires_at"])
    if allowed.signed_in_at is None:
        allowed.signed_in_at = now
        allowed.save(update_fields=["signed_in_at"])


def end_authorization(*, key: UUID, author: Author, now: datetime) -> ApiKey:
    """Ends what an assistant was allowed, at once and everywhere: its next call and its next refresh are refused.
    Raises NotFound, and Invalid for what has ended already."""
    allowed = OAuthAuthorization.objects.filter(pk=key).first()
    if allowed is None:
        raise NotFound
    ended = revoke_key(key=key, author=author, now=now)
    tokens_of([key]).delete()
    return ended


def end_authorizations_of(user: User, *, author: Author, now: datetime) -> int:
    """Ends all that a login allowed. Returns how many."""
    return _end_all(OAuthAuthorization.objects.filter(user=user), author, now)


def end_authorizations_beyond(user: User, *, author: Author, now: datetime) -> int:
    """Ends what a login allowed and may allow no more: everything where it is switched off, else what is of another
    person than its own, unless it is a super user's. Returns how many."""
    rows = OAuthAuthorization.objects.filter(user=user)
    if user.is_active and user.is_superuser:
        return 0
    if user.is_active and user.person:
        rows = rows.exclude(key__people=[user.person.name])
    return _end_all(rows, author, now)


def end_all_authorizations(*, author: Author, now: datetime) -> int:
    """After a restore: tokens that were used or ended since the backup would be good again. Returns how many ended."""
    ended = _end_all(OAuthAuthorization.objects.all(), author, now)
    Token.objects.all().delete()
    return ended


def _end_all(rows: OAuthAuthorizationQuerySet, author: Author, now: datetime) -> int:
    keys = list(rows.filter(key__revoked_at=None).values_list("pk", flat=True))
    for key in keys:
        end_authorization(key=key, author=author, now=now)
    return len(keys)


def tokens_of(keys: Iterable[UUID]) -> QuerySet[Token]:
    """Tokens and codes of these authorizations, spent ones too."""
    rows: QuerySet[Token] = Token.objects.filter(**{f"data__{KEY_OF_TOKEN}__in": [str(key) for key in keys]})
    return rows
