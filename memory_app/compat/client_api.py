"""An API for the clients of another server: parser, limits, errors and log of the API under /api/v1, without its pages.

Errors are the same documents, as plain JSON: these clients read `detail` from that alone.
"""

from django.http import HttpRequest
from ninja import NinjaAPI

from memory_app.api import PydanticRenderer
from memory_app.api.auth import KeyAuth, key_throttle
from memory_app.api.problems import install_error_handlers
from memory_app.api.requests import KEY_HEADER, StrictParser
from memory_app.models import ApiKey, Scope


def client_api(name: str) -> NinjaAPI:
    """name: of the other server, and of the namespace of its addresses."""
    api = NinjaAPI(
        title=f"Keepsake for clients of {name}",
        version="1",
        urls_namespace=f"compat-{name}",
        docs_url=None,
        openapi_url=None,
        parser=StrictParser(),
        renderer=PydanticRenderer(),
        throttle=[key_throttle],
    )
    install_error_handlers(api)
    return api


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
