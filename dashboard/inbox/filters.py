"""What the inbox is narrowed to, read from the URL and written back to it.

Facets of the inbox: each value with how many proposals it would leave, and the URL that chooses it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode, urlsplit

from django.db.models import Count, Func, Q, TextField
from django.http import QueryDict
from django.utils import formats, timezone

from dashboard.filters import MAX_FACET_VALUES, MAX_QUERY_LENGTH, Facet, FacetOption
from dashboard.inbox.proposal_wording import PROPOSAL_STATUS_LABELS, RELATION_LABELS
from dashboard.responses import parse_uuids
from dashboard.wording import TYPE_LABELS
from memory_app.models import Conversation, Person
from memory_app.models.proposal import ProposalQuerySet

LOOKUPS = {
    "relation": "relation__in",
    "type": "type__in",
    "conversation": "conversation_id__in",
    "person": "person__name__in",
}
"""Facets by their name in the URL. Several values of one facet widen, several facets narrow."""


class QuoteTexts(Func):
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
        chosen["conversation"] = tuple(map(str, parse_uuids(list(chosen["conversation"]))))
        status, page = url.get("status", ""), url.get("page", "1")
        return cls(
            path=path,
            query=_clean(url.get("q", ""))[:MAX_QUERY_LENGTH].strip(),
            chosen={name: values for name, values in chosen.items() if values},
            status=status if status in PROPOSAL_STATUS_LABELS else "waiting",
            page=min(int(page), 1_000_000) if page.isascii() and page.isdigit() else 1,
        )

    @classmethod
    def from_address(cls, path: str, address: str) -> Self:
        """Those of an address of the inbox, such as a form names in `next`; of any other address, none."""
        parts = urlsplit(address)
        return cls.read(path, QueryDict(parts.query if parts.path == path else ""))

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.status != "waiting")

    def with_query(self, rows: ProposalQuerySet) -> ProposalQuerySet:
        if not self.query:
            return rows
        occurs = Q(content__icontains=self.query) | Q(summary__icontains=self.query) | Q(said__icontains=self.query)
        return rows.alias(said=QuoteTexts("quotes")).filter(occurs)

    def apply(self, rows: ProposalQuerySet, now: datetime, *, except_for: str = "") -> ProposalQuerySet:
        """Rows that pass every filter but one, so that a facet's own counts show what choosing another would give."""
        for name, values in self.chosen.items():
            if name != except_for:
                rows = rows.filter(**{LOOKUPS[name]: list(values)})
        return rows if except_for == "status" else with_status(rows, self.status, now)

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

    def replaced(self, *, status: str | None = None, page: int = 1) -> Self:
        return replace(self, status=status or self.status, page=page)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What a search form must carry along, beside its query, to keep the filters."""
        pairs = [(name, value) for name, values in self.chosen.items() for value in values]
        return [*pairs, ("status", self.status)] if self.status != "waiting" else pairs


def with_status(rows: ProposalQuerySet, status: str, now: datetime) -> ProposalQuerySet:
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


FACET_LABELS = {"relation": "What it would do", "type": "Kind", "conversation": "Conversation", "person": "Person"}
FACET_COLUMNS = {"relation": "relation", "type": "type", "conversation": "conversation_id", "person": "person__name"}
VALUE_LABELS: Mapping[str, Mapping[str, str]] = {"type": TYPE_LABELS, "relation": RELATION_LABELS}


def proposal_facets(rows: ProposalQuerySet, filters: InboxFilters, now: datetime, *, people: bool) -> list[Facet]:
    """The facets of these rows, which no facet has narrowed yet; those with nothing to choose are left out."""
    found = [_facet(rows, filters, name, now) for name in LOOKUPS if people or name != "person"]
    return [facet for facet in found if len(facet.options) > 1 or any(option.chosen for option in facet.options)]


def proposal_status_facet(rows: ProposalQuerySet, filters: InboxFilters, now: datetime) -> Facet:
    """The one facet of which exactly one value is always chosen."""
    rows = filters.apply(rows, now, except_for="status")
    counts = _counts_by_status(rows, now)
    options = [
        FacetOption(value, label, counts[value], filters.status == value, filters.replaced(status=value).url)
        for value, label in PROPOSAL_STATUS_LABELS.items()
    ]
    return Facet("status", "Standing", tuple(options))


def _counts_by_status(rows: ProposalQuerySet, now: datetime) -> dict[str, int]:
    stored = {row["status"]: row["number"] for row in rows.order_by().values("status").annotate(number=Count("id"))}
    snoozed = rows.snoozed(now).count()
    known = {"waiting": stored.get("pending", 0) - snoozed, "snoozed": snoozed, "all": sum(stored.values())}
    return {status: known.get(status, stored.get(status, 0)) for status in PROPOSAL_STATUS_LABELS}


def _facet(rows: ProposalQuerySet, filters: InboxFilters, name: str, now: datetime) -> Facet:
    chosen = filters.chosen.get(name, ())
    counted = filters.apply(rows, now, except_for=name).order_by().exclude(**{FACET_COLUMNS[name]: None})
    numbers = (
        counted.values_list(FACET_COLUMNS[name]).annotate(number=Count("id")).order_by("-number", FACET_COLUMNS[name])
    )
    counts = {str(value): int(number) for value, number in numbers[:MAX_FACET_VALUES]}
    counts |= {v: counted.filter(**{LOOKUPS[name]: [v]}).count() for v in chosen if v not in counts}
    labels = _labels(name, list(counts))
    options = [
        FacetOption(value, labels.get(value, value), number, value in chosen, filters.toggled(name, value).url)
        for value, number in counts.items()
    ]
    return Facet(name, FACET_LABELS[name], tuple(options))


def _labels(name: str, values: Sequence[str]) -> Mapping[str, str]:
    if name == "conversation":
        rows = Conversation.objects.filter(id__in=values).order_by()
        return {str(row.id): conversation_name(row) for row in rows}
    if name == "person":
        display_names = Person.objects.filter(name__in=values).exclude(display_name="")
        return dict(display_names.values_list("name", "display_name"))
    return VALUE_LABELS.get(name, {})


def conversation_name(conversation: Conversation) -> str:
    """The name it was opened under, else the day and time it began, such as 3 March, 14:05."""
    started_at = timezone.localtime(conversation.started_at)
    return conversation.external_id or formats.date_format(started_at, "j F, H:i")
