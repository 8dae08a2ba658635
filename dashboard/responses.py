"""What views share: messages for the next page, the way back, whether JSON is wanted, and reading of values."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

UNDO_TAG = "undo:"
"""Prefix of a message's extra tags: what follows is the request whose operations the message offers to undo."""


REOPEN_TAG = "reopen:"
"""The same for decisions: the proposals follow, separated by commas."""


def show_message(request: HttpRequest, text: str, *, undo: str = "", reopen: Iterable[UUID] = ()) -> None:
    """A message for the next page; with the id of a request, one that offers to undo what that request did; with
    proposals, one that offers to undo what was decided on them."""
    proposals = ",".join(map(str, reopen))
    tags = f"{UNDO_TAG}{undo}" if undo else f"{REOPEN_TAG}{proposals}" if proposals else ""
    messages.success(request, text, extra_tags=tags)


def show_warning(request: HttpRequest, text: str) -> None:
    messages.warning(request, text)


def redirect_back(request: HttpRequest, default: str) -> HttpResponseRedirect:
    """To the page that the form names in `next`, where that is an address of this site."""
    return HttpResponseRedirect(safe_address(request, request.POST.get("next", ""), default))


def safe_address(request: HttpRequest, address: str, default: str) -> str:
    """An address that came with a request, where it is of this site: no link or form leads elsewhere."""
    safe = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if safe else default


def wants_json(request: HttpRequest) -> bool:
    """Whether a page is asked for as JSON. Browsers ask for HTML first."""
    if "format" in request.GET:
        return request.GET["format"] == "json"
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def page_or_json(
    request: HttpRequest, template: str, context: dict[str, Any], as_json: Callable[[], Any]
) -> HttpResponse:
    """A page of `templates/dashboard/`; or, where JSON is wanted, what it shows as that."""
    if wants_json(request):
        return JsonResponse(as_json())
    return render(request, f"dashboard/{template}", context)


def fields_json(row: object, *names: str) -> dict[str, Any]:
    """These attributes of a row, by their names."""
    return {name: getattr(row, name) for name in names}


def clean_text(text: str, most: int | None = None) -> str:
    """Without NUL, which PostgreSQL takes in no text, and not longer than `most` characters."""
    return text.replace("\x00", "")[:most]


def parse_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def parse_uuids(values: Iterable[str]) -> list[UUID]:
    """Those of the values that are UUIDs, in order, each once."""
    return list(dict.fromkeys(found for value in values if (found := parse_uuid(value))))
