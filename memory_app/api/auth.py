"""Who calls: the key of a request, what it may do, and how its acts are signed."""

import json
import math
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja.errors import Throttled
from ninja.security import HttpBearer
from ninja.throttling import SimpleRateThrottle
from structlog.contextvars import get_contextvars

from memory_app.api.requests import KIB, storable
from memory_app.engine.audit.log import Author
from memory_app.engine.named_person import NamedPerson, find_key_and_person
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import NotAllowed, Unavailable
from memory_app.models import ApiKey, Memory, Scope
from memory_app.postgres import disk_state
from memory_app.postgres.availability import optional_write
from memory_app.rules.grant import Grant
from memory_app.rules.visibility import VenueClass


class KeyThrottle(SimpleRateThrottle):
    """So many requests of one key: far above what an assistant needs, below what would starve the others."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        key = getattr(request, "auth", None)
        return f"requests-{key.id}" if isinstance(key, ApiKey) else None


class WrongKeyThrottle(SimpleRateThrottle):
    """So many wrong keys from one address: guessing one is hopeless, and this keeps it cheap to refuse."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        return f"wrong-keys-{self.get_ident(request)}"


MAX_BODY_LOOKED_INTO = 16 * KIB
"""Bytes of a body that may be read before it is known whose it is."""

_wrong_keys = WrongKeyThrottle("120/m")
key_throttle = KeyThrottle("1000/s")


class KeyAuth(HttpBearer):
    """`Authorization: Bearer KEY`, the key carrying a scope; None: whichever, and what is asked for says."""

    def __init__(self, scope: Scope | None) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        now = timezone.now()
        key = self.find_key(request, token, now)
        if key is None:
            if not _wrong_keys.allow_request(request):
                raise Throttled(wait=math.ceil(_wrong_keys.wait() or 1))
            return None
        if key.is_use_record_due(now):
            with optional_write(), transaction.atomic():
                ApiKey.objects.record_use(key, now)
        if self.scope:
            _check_scope(key, self.scope, needs_disk=request.method != "DELETE")
        return key

    def find_key(self, request: HttpRequest, token: str, now: datetime) -> ApiKey | None:
        """The usable key that a token stands for. Whom the request names is read with it, to save a round trip."""
        name = _named_in(request)
        if not name:
            return ApiKey.objects.by_token(token, now)
        key, request.named_person = find_key_and_person(token, name, now)  # type: ignore[attr-defined]
        return key


def _named_in(request: HttpRequest) -> str:
    """Whom a request names that is not yet checked: a name that can be looked for, or ""."""
    try:
        parameters = json.loads(request.body) if 0 < len(request.body) <= MAX_BODY_LOOKED_INTO else request.GET
        return str(storable(parameters["person"]))
    except (ValueError, LookupError, TypeError, RecursionError):  # the route says what is wrong
        return ""


def named_person(request: HttpRequest) -> NamedPerson | None:
    """Who has the name that the request names, where they were read with its key."""
    return getattr(request, "named_person", None)


def require_scope(request: HttpRequest, scope: Scope, *, needs_disk: bool = True) -> None:
    """For a call of which only some uses need more than its key was asked for. Raises NotAllowed."""
    _check_scope(key_of(request), scope, needs_disk=needs_disk)


def _check_scope(key: ApiKey, scope: Scope, *, needs_disk: bool) -> None:
    if not key.has(scope):
        raise NotAllowed(f"This needs a key with the scope {scope.value!r}.")
    if scope == Scope.WRITE and needs_disk:
        _check_disk()


def _check_disk() -> None:
    """Refuses what would add to a disk that is nearly full: a database that cannot write may not start again."""
    state = disk_state(settings.KEEPSAKE_DATA)
    if not state.accepts_writes:
        raise Unavailable(state.message)


read_key, write_key, admin_key = KeyAuth(Scope.READ), KeyAuth(Scope.WRITE), KeyAuth(Scope.ADMIN)
any_key = KeyAuth(None)


def key_of(request: HttpRequest) -> ApiKey:
    """The key that authenticated this request."""
    key: ApiKey = request.auth  # type: ignore[attr-defined]
    return key


def grant_of(request: HttpRequest) -> Grant:
    key = key_of(request)
    return Grant(frozenset(key.people), frozenset(key.spaces), reads=key.has(Scope.READ))


def set_reader(request: HttpRequest, venue_context: VenueContext) -> VenueContext:
    """Notes who reads the answer: whose assistant asks, in private or where others listen."""
    request.reader = venue_context  # type: ignore[attr-defined]
    return venue_context


def set_several_readers(request: HttpRequest) -> None:
    """Notes that the answer tells of several people at once: to what each of them has, the others listen."""
    request.has_several_readers = True  # type: ignore[attr-defined]


def may_read_sensitive(request: HttpRequest, memory: Memory) -> bool:
    """Whether the answer may hold the words of a sensitive memory: its owner's assistant asks for them in private, or
    with a key that speaks for nobody else. Never where the answer tells of several people."""
    if getattr(request, "has_several_readers", False):
        return False
    reader: VenueContext | None = getattr(request, "reader", None)
    if reader is None:
        return grant_of(request).people == {memory.person.name}
    return reader.person.id == memory.person_id and reader.venue.kind is VenueClass.PRIVATE


def author_of(request: HttpRequest) -> Author:
    return Author("key", f"{key_of(request).prefix} {key_of(request).name}", get_contextvars().get("request_id", ""))


def require_unlimited_key(request: HttpRequest) -> None:
    if not grant_of(request).unlimited:
        raise NotAllowed("This needs an admin key that is not limited to some people or spaces.")
