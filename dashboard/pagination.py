"""Turn pages: where one page of a list stands among the others, and the addresses of those beside it."""

from collections.abc import Sequence
from typing import Any, TypedDict
from urllib.parse import urlencode

from django.core.paginator import Page


class Pagination(TypedDict):
    """total: how many rows there are on all pages, which count from 1. newer, older: "" where there is none."""

    total: int
    number: int
    pages: int
    newer: str
    older: str


def pagination_fields(
    page: "Page[Any]", pairs: Sequence[tuple[str, str]] = (), *, path: str = "", **parameters: str
) -> Pagination:
    """pairs, kept: what else the address asks for, that which is given several times as pairs; what is empty is left
    out. path: of the list; none is that of the page one is on."""
    query = [*pairs, *((name, value) for name, value in parameters.items() if value)]
    return Pagination(
        total=page.paginator.count,
        number=page.number,
        pages=page.paginator.num_pages,
        newer=_url(path, query, page.number - 1) if page.has_previous() else "",
        older=_url(path, query, page.number + 1) if page.has_next() else "",
    )


def _url(path: str, query: Sequence[tuple[str, str]], page: int) -> str:
    return f"{path}?{urlencode([*query, ('page', str(page))])}"
