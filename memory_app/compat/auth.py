"""The key of a request of another server's client: as a bearer, as a `Token`, or in a header of its own."""

from django.http import HttpRequest

from memory_app.api.auth import KeyAuth
from memory_app.api.requests import KEY_HEADER
from memory_app.models import ApiKey, Scope

SCHEMES = frozenset({"bearer", "token"})


class ClientKeyAuth(KeyAuth):
    """`Authorization: Token KEY` or `Bearer KEY`, or `X-API-Key: KEY`."""

    def __call__(self, request: HttpRequest) -> ApiKey | None:
        token = key_in(request)
        return self.authenticate(request, token) if token else None


def key_in(request: HttpRequest) -> str:
    """The key that a request shows; "" where it shows none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() in SCHEMES:
        return token.strip()
    return request.headers.get(KEY_HEADER, "").strip()


read_key, write_key, any_key = ClientKeyAuth(Scope.READ), ClientKeyAuth(Scope.WRITE), ClientKeyAuth(None)
