"""Pages of a list: where one stands among the others, and the addresses of those beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page

MAX_PAGE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pagination:
    """total: how many rows there are on all pages, which count from 1. newer, older: addresses of the pages beside this
    one, "" where there is none."""

    total: int
    number: int
    pages: int
    newer: str
    older: str

    def pagination_json(self) -> dict[str, Any]:
        return {"total": self.total, "page": self.number, "pages": self.pages, "next": self.older or None}


def pagination_fields(
    page: "Page[Any]", pairs: Sequence[tuple[str, str]] = (), *, path: str = "", **parameters: str
) -> dict[str, Any]:
    """The fields of `Pagination`. pairs, parameters: what else the address says; empty parameters are left out. path:
    of the list; none is that of the present page."""
    query = [*pairs, *((name, value) for name, value in parameters.items() if value)]
    return {
        "total": page.paginator.count,
        "number": page.number,
        "pages": page.paginator.num_pages,
        "newer": _url(path, query, page.number - 1) if page.has_previous() else "",
        "older": _url(path, query, page.number + 1) if page.has_next() else "",
    }


def page_number(text: str | None, default: int = 1) -> int:
    """A number of a URL; the default for anything else."""
    if not text or not text.isascii() or not text.isdigit():
        return default
    return int(text) if len(text) < len(str(MAX_PAGE)) else MAX_PAGE


def _url(path: str, query: Sequence[tuple[str, str]], page: int) -> str:
    return f"{path}?{urlencode([*query, ('page', str(page))])}"
