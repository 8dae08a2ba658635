"""An API for the clients of another server: parser, limits, errors and log of the API under /api/v1, without its pages.

Errors are the same documents, as plain JSON: these clients read `detail` from that alone.
"""

from ninja import NinjaAPI

from memory_app.api import PydanticRenderer
from memory_app.api.auth import key_throttle
from memory_app.api.problems import install_error_handlers
from memory_app.api.requests import StrictParser


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
