"""Small things that answers share: where to go next, what to say there, and whether JSON is wanted."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

UNDO_TAG = "undo:"
"""Prefix of a message's extra tags: what follows is the request whose acts the message offers to undo."""


REOPEN_TAG = "reopen:"
"""The same for decisions: what follows are the proposals, parted by commas, on which the message offers to undo it."""


def show_message(request: HttpRequest, text: str, *, undo: str = "", reopen: Iterable[UUID] = ()) -> None:
    """A message for the next page; with the id of a request, one that offers to undo what that request did; with
    proposals, one that offers to undo what was decided on them."""
    proposals = ",".join(map(str, reopen))
    tags = f"{UNDO_TAG}{undo}" if undo else f"{REOPEN_TAG}{proposals}" if proposals else ""
    messages.success(request, text, extra_tags=tags)


def show_warning(request: HttpRequest, text: str) -> None:
    messages.warning(request, text)


def redirect_back(request: HttpRequest, default: str) -> HttpResponseRedirect:
    """To the page that the form names in `next`, where that is one of ours."""
    return HttpResponseRedirect(safe_address(request, request.POST.get("next", ""), default))


def safe_address(request: HttpRequest, address: str, default: str) -> str:
    """An address that came with a request, where it is one of ours: no link or form leads elsewhere."""
    safe = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if safe else default


def wants_json(request: HttpRequest) -> bool:
    """Whether the JSON twin of a page is asked for. Browsers ask for HTML first."""
    if "format" in request.GET:
        return request.GET["format"] == "json"
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def parse_uuids(values: list[str]) -> list[UUID]:
    """Those of the values that are UUIDs, in order, each once."""
    found: dict[UUID, None] = {}
    for value in values:
        try:
            found[UUID(value)] = None
        except ValueError:
            continue
    return list(found)
