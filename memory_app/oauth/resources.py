"""Resources: the addresses that tokens are for, /mcp and /mcp/{person}, and how assistants find where to sign in."""

from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

MAX_NAME_LENGTH = 200
WELL_KNOWN_RESOURCE = "/.well-known/oauth-protected-resource"


def server_address(request: HttpRequest) -> str:
    """The issuer: one name for the server, the same however it was reached where it has a public address."""
    return settings.KEEPSAKE_PUBLIC_URL or f"{request.scheme}://{request.get_host()}"


def resource_of(request: HttpRequest, person: str | None) -> str:
    """The resource at /mcp, or at /mcp/{person}."""
    return server_address(request) + resource_path(person)


def resource_path(person: str | None) -> str:
    return reverse("mcp") if person is None else reverse("mcp", kwargs={"person": person})


def metadata_address(request: HttpRequest, person: str | None) -> str:
    """Where the metadata of a resource lies (RFC 9728)."""
    return server_address(request) + WELL_KNOWN_RESOURCE + resource_path(person)


def read_resource(value: str, request: HttpRequest) -> str:
    """The resource that a client asks for, as it is called here. Raises ValueError for what is no resource of ours.

    What follows a question mark chooses tools, and is no other resource.
    """
    parts = urlsplit(value)
    own = urlsplit(server_address(request))
    if (parts.scheme, parts.netloc.lower(), parts.fragment) != (own.scheme, own.netloc.lower(), ""):
        raise ValueError("another server")
    return resource_of(request, _person_in(parts.path))


def person_of_resource(resource: str) -> str | None:
    """Whose a resource is; None for /mcp, which is anyone's."""
    return _person_in(urlsplit(resource).path)


def _person_in(path: str) -> str | None:
    decoded, base = unquote(path, errors="strict"), resource_path(None)
    if decoded == base:
        return None
    person = decoded.removeprefix(f"{base}/")
    if not 0 < len(person) <= MAX_NAME_LENGTH or person == decoded or "\x00" in person:
        raise ValueError("no resource")
    return person
