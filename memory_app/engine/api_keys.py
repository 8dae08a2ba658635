"""Keys: make the keys that assistants call with, put a new one in the place of an old one, and take one away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.erasure.tombstone_file import append_key_ends
from memory_app.errors import Invalid, NotFound
from memory_app.models import COMMONS, ApiKey, OAuthAuthorization, Scope
from memory_app.models.row_security import allowed_spaces

LONGEST_KEY_NAME = 200
LONGEST_OVERLAP = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key with its token, which can be shown this once: only a hash of it is stored."""

    key: ApiKey
    token: str


def create_key(
    *,
    name: str,
    scopes: Sequence[str],
    author: Author,
    now: datetime,
    spaces: Sequence[str] = (),
    people: Sequence[str] = (),
    expires_at: datetime | None = None,
) -> IssuedKey:
    """A new key. No space and no person listed means all of them. Raises Invalid."""
    _check_new_key(name, scopes, expires_at, now)
    with allowed_spaces([COMMONS]):
        key, token = ApiKey.issue(
            name.strip(), scopes=list(scopes), spaces=list(spaces), people=list(people), expires_at=expires_at
        )
        _log_key_event("create_key", key, author, now)
    return IssuedKey(key, token)


def rotate_key(*, key: UUID, overlap: timedelta, author: Author, now: datetime) -> IssuedKey:
    """A new key that may do the same; the old one holds for the overlap, so that nobody stands before a shut door.

    A key that expires is followed by one that lasts as long as it was to last. Raises NotFound, and Invalid for a key
    that opens nothing any more.
    """
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise Invalid("overlap", "The old key can hold for 30 days more at most.")
    with allowed_spaces([COMMONS]):
        old = _lock_usable_key(key, now)
        lifetime = old.expires_at - old.created_at if old.expires_at else None
        new, token = ApiKey.issue(
            old.name,
            scopes=old.scopes,
            spaces=old.spaces,
            people=old.people,
            expires_at=now + lifetime if lifetime else None,
        )
        old.expires_at = min(now + overlap, old.expires_at or now + overlap)
        old.save(update_fields=["expires_at"])
        transaction.on_commit(lambda: append_key_ends([old]), robust=True)
        _log_key_event("rotate_key", old, author, now, replaced_by=str(new.id), new_prefix=new.prefix)
    return IssuedKey(new, token)


def revoke_key(*, key: UUID, author: Author, now: datetime) -> ApiKey:
    """Takes a key away at once: its next call is refused. Raises NotFound, and Invalid for one taken away already."""
    with allowed_spaces([COMMONS]):
        row = _lock_key(key)
        if row.revoked_at:
            raise Invalid("key", "This key was revoked already.")
        row.revoked_at = now
        row.save(update_fields=["revoked_at"])
        transaction.on_commit(lambda: append_key_ends([row]), robust=True)
        _log_key_event("revoke_key", row, author, now)
    return row


def find_key(name_or_prefix: str, now: datetime) -> ApiKey:
    """The one usable key of this name or public prefix. Raises NotFound, and Invalid where several have the name."""
    by_name = Q(name=name_or_prefix) | Q(prefix=name_or_prefix)
    found = list(ApiKey.objects.usable(now).filter(by_name).order_by("created_at", "id"))
    if not found:
        raise NotFound(f"There is no key in use that is called {name_or_prefix!r}.")
    if len(found) > 1:
        prefixes = ", ".join(key.prefix for key in found)
        raise Invalid("key", f"Several keys are called {name_or_prefix!r}. Say which by its prefix: {prefixes}.")
    return found[0]


def _check_new_key(name: str, scopes: Sequence[str], expires_at: datetime | None, now: datetime) -> None:
    if not 0 < len(name.strip()) <= LONGEST_KEY_NAME:
        raise Invalid("name", "Name what the key is for, in at most 200 characters.")
    if not scopes or set(scopes) - set(Scope.values):
        raise Invalid("scopes", f"Choose what it may do: some of {', '.join(Scope.values)}.")
    if expires_at and expires_at <= now:
        raise Invalid("expires_at", "A key expires in the future, or not at all.")


def _lock_key(key: UUID) -> ApiKey:
    row = ApiKey.objects.select_for_update().filter(id=key).first()
    if row is None:
        raise NotFound
    return row


def _lock_usable_key(key: UUID, now: datetime) -> ApiKey:
    """Raises NotFound, also for the key of an assistant that signed in: that nobody may hold."""
    row = _lock_key(key)
    if OAuthAuthorization.objects.filter(pk=key).exists():
        raise NotFound
    if row.revoked_at or (row.expires_at and row.expires_at <= now):
        raise Invalid("key", "This key opens nothing any more. Make a new one instead.")
    return row


def _log_key_event(operation: str, key: ApiKey, author: Author, now: datetime, **fields: str) -> None:
    """The log says which key by its public prefix, never by anything that opens a door."""
    log_event(operation, {"key": str(key.id), "prefix": key.prefix, "name": key.name, **fields}, author=author, now=now)
