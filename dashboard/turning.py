"""Turn pages: where one page of a list stands among the others, and the addresses of those beside it."""

from typing import Any, TypedDict
from urllib.parse import urlencode

from django.core.paginator import Page


class Turning(TypedDict):
    """total: how many rows there are on all pages, which count from 1. newer, older: "" where there is none."""

    total: int
    number: int
    pages: int
    newer: str
    older: str


def turning(here: "Page[Any]", **kept: str) -> Turning:
    """kept: what else the address asks for; what is empty is left out."""
    return Turning(
        total=here.paginator.count,
        number=here.number,
        pages=here.paginator.num_pages,
        newer=_url(kept, here.number - 1) if here.has_previous() else "",
        older=_url(kept, here.number + 1) if here.has_next() else "",
    )


def _url(kept: dict[str, str], page: int) -> str:
    return f"?{urlencode({**{name: value for name, value in kept.items() if value}, 'page': page})}"
