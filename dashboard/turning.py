"""Turn pages: where one page of a list stands among the others, and the addresses of those beside it."""

from collections.abc import Sequence
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


def turning(here: "Page[Any]", pairs: Sequence[tuple[str, str]] = (), *, path: str = "", **kept: str) -> Turning:
    """pairs, kept: what else the address asks for, that which is given several times as pairs; what is empty is left
    out. path: of the list; none is that of the page one is on."""
    asked = [*pairs, *((name, value) for name, value in kept.items() if value)]
    return Turning(
        total=here.paginator.count,
        number=here.number,
        pages=here.paginator.num_pages,
        newer=_url(path, asked, here.number - 1) if here.has_previous() else "",
        older=_url(path, asked, here.number + 1) if here.has_next() else "",
    )


def _url(path: str, asked: Sequence[tuple[str, str]], page: int) -> str:
    return f"{path}?{urlencode([*asked, ('page', str(page))])}"
