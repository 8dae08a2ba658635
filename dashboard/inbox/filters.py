"""What the inbox is narrowed to, read from the URL and written back to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode, urlsplit

from django.db.models import Func, Q, TextField
from django.http import QueryDict

from dashboard.answer import uuids
from dashboard.filters import LONGEST_QUERY
from dashboard.inbox.wording import STATUSES
from memory_app.models.proposal import ProposalQuerySet

LOOKUPS = {
    "relation": "relation__in",
    "type": "type__in",
    "conversation": "conversation_id__in",
    "person": "person__name__in",
}
"""Facets by their name in the URL. Several values of one facet widen, several facets narrow."""


class Said(Func):
    """The texts of the quotes, as one text."""

    template = "jsonb_path_query_array(%(expressions)s, '$[*].text')::text"
    output_field = TextField()


@dataclass(frozen=True)
class InboxFilters:
    """One view of the inbox."""

    path: str
    query: str = ""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    status: str = "waiting"
    page: int = 1

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        chosen = {name: tuple(dict.fromkeys(_clean(v) for v in url.getlist(name) if v)) for name in LOOKUPS}
        chosen["conversation"] = tuple(map(str, uuids(list(chosen["conversation"]))))
        status, page = url.get("status", ""), url.get("page", "1")
        return cls(
            path=path,
            query=_clean(url.get("q", ""))[:LONGEST_QUERY].strip(),
            chosen={name: values for name, values in chosen.items() if values},
            status=status if status in STATUSES else "waiting",
            page=min(int(page), 1_000_000) if page.isascii() and page.isdigit() else 1,
        )

    @classmethod
    def of_address(cls, path: str, address: str) -> Self:
        """Those of an address of the inbox, such as a form names in `next`; of any other address, none."""
        parts = urlsplit(address)
        return cls.read(path, QueryDict(parts.query if parts.path == path else ""))

    @property
    def narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.status != "waiting")

    def searched(self, rows: ProposalQuerySet) -> ProposalQuerySet:
        if not self.query:
            return rows
        occurs = Q(content__icontains=self.query) | Q(summary__icontains=self.query) | Q(said__icontains=self.query)
        return rows.alias(said=Said("quotes")).filter(occurs)

    def apply(self, rows: ProposalQuerySet, now: datetime, *, but: str = "") -> ProposalQuerySet:
        """Rows that pass every filter but one, so that a facet's own counts show what choosing another would give."""
        for name, values in self.chosen.items():
            if name != but:
                rows = rows.filter(**{LOOKUPS[name]: list(values)})
        return rows if but == "status" else standing(rows, self.status, now)

    @property
    def url(self) -> str:
        pairs: list[tuple[str, str]] = [("q", self.query)] if self.query else []
        pairs += [(name, value) for name, values in self.chosen.items() for value in values]
        if self.status != "waiting":
            pairs.append(("status", self.status))
        if self.page > 1:
            pairs.append(("page", str(self.page)))
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path

    def toggled(self, name: str, value: str) -> Self:
        """With one value of a facet chosen, or no longer; back on the first page."""
        values = self.chosen.get(name, ())
        values = tuple(v for v in values if v != value) if value in values else (*values, value)
        chosen = {**self.chosen, name: values}
        return replace(self, chosen={name: values for name, values in chosen.items() if values}, page=1)

    def with_(self, *, status: str | None = None, page: int = 1) -> Self:
        return replace(self, status=status or self.status, page=page)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What a search form must carry along, beside its query, to keep the filters."""
        pairs = [(name, value) for name, values in self.chosen.items() for value in values]
        return [*pairs, ("status", self.status)] if self.status != "waiting" else pairs


def standing(rows: ProposalQuerySet, status: str, now: datetime) -> ProposalQuerySet:
    """Rows of one of STATUSES."""
    match status:
        case "waiting":
            return rows.waiting(now)
        case "snoozed":
            return rows.snoozed(now)
        case "all":
            return rows
        case _:
            return rows.filter(status=status)


def _clean(text: str) -> str:
    """Without NUL, which PostgreSQL takes in no text."""
    return text.replace("\x00", "")
