"""Who calls: the key of a request, what it may do, and how its acts are signed."""

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer
from structlog.contextvars import get_contextvars

from ..engine.author import Author
from ..errors import NotGranted
from ..models import ApiKey, Scope
from ..rules.grant import Grant


class KeyAuth(HttpBearer):
    """`Authorization: Bearer KEY`, the key carrying a scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        now = timezone.now()
        key = ApiKey.objects.presented(token, now)
        if key is None:
            return None
        ApiKey.objects.note_use(key, now)
        if not key.has(self.scope):
            raise NotGranted(f"This needs a key with the scope {self.scope.value!r}.")
        return key


reads, writes, administers = KeyAuth(Scope.READ), KeyAuth(Scope.WRITE), KeyAuth(Scope.ADMIN)


def key_of(request: HttpRequest) -> ApiKey:
    """The key that authenticated this request."""
    key: ApiKey = request.auth  # type: ignore[attr-defined]
    return key


def grant_of(request: HttpRequest) -> Grant:
    key = key_of(request)
    return Grant(people=frozenset(key.people), spaces=frozenset(key.spaces))


def author_of(request: HttpRequest) -> Author:
    return Author("key", f"{key_of(request).prefix} {key_of(request).name}", get_contextvars().get("request_id", ""))
