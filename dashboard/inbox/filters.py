"""Filters of the inbox."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db.models import Count, Func, Q, TextField
from django.http import QueryDict

from dashboard.dialogue import conversation_name
from dashboard.filters import Facet, ListFilters, Pairs
from dashboard.inbox.proposal_wording import PROPOSAL_STATUS_LABELS, RELATION_LABELS
from dashboard.responses import parse_uuids
from dashboard.wording import TYPE_LABELS
from memory_app.models import Conversation
from memory_app.models.proposal import ProposalQuerySet


class QuoteTexts(Func):
    """The texts of the quotes, as one text."""

    template = "jsonb_path_query_array(%(expressions)s, '$[*].text')::text"
    output_field = TextField()


@dataclass(frozen=True)
class InboxFilters(ListFilters):
    status: str = "waiting"

    columns: ClassVar[Mapping[str, str]] = {
        "relation": "relation",
        "type": "type",
        "conversation": "conversation_id",
        "person": "person__name",
    }
    facet_labels: ClassVar[Mapping[str, str]] = {
        "relation": "What it would do",
        "type": "Kind",
        "conversation": "Conversation",
        "person": "Person",
    }
    value_labels: ClassVar[Mapping[str, Mapping[str, str]]] = {"type": TYPE_LABELS, "relation": RELATION_LABELS}

    @classmethod
    def read_settings(cls, url: QueryDict, query: str) -> dict[str, Any]:
        status = url.get("status", "")
        return {"status": status if status in PROPOSAL_STATUS_LABELS else "waiting"}

    @classmethod
    def known_values(cls, name: str, values: Sequence[str]) -> tuple[str, ...]:
        if name == "conversation":
            return tuple(map(str, parse_uuids(values)))
        return super().known_values(name, values)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.status != "waiting")

    @property
    def setting_pairs(self) -> Pairs:
        return [("status", self.status)] if self.status != "waiting" else []

    def with_query(self, rows: ProposalQuerySet) -> ProposalQuerySet:
        if not self.query:
            return rows
        occurs = Q(content__icontains=self.query) | Q(summary__icontains=self.query) | Q(quoted__icontains=self.query)
        return rows.alias(quoted=QuoteTexts("quotes")).filter(occurs)

    def matching(self, rows: ProposalQuerySet, now: datetime) -> ProposalQuerySet:
        """Rows that pass all filters."""
        return with_status(self.apply(self.with_query(rows)), self.status, now)

    def status_facet(self, rows: ProposalQuerySet, now: datetime) -> Facet:
        counts = _counts_by_status(self.apply(rows), now)
        return Facet("status", "Standing", self.options("status", PROPOSAL_STATUS_LABELS, counts))

    def labels_of(self, name: str, values: Sequence[str]) -> Mapping[str, str]:
        if name == "conversation":
            rows = Conversation.objects.filter(id__in=values).order_by()
            return {str(row.id): conversation_name(row) for row in rows}
        return super().labels_of(name, values)


def with_status(rows: ProposalQuerySet, status: str, now: datetime) -> ProposalQuerySet:
    """Rows of one of PROPOSAL_STATUS_LABELS."""
    match status:
        case "waiting":
            return rows.waiting(now)
        case "snoozed":
            return rows.snoozed(now)
        case "all":
            return rows
        case _:
            return rows.filter(status=status)


def _counts_by_status(rows: ProposalQuerySet, now: datetime) -> dict[str, int]:
    stored = {row["status"]: row["number"] for row in rows.order_by().values("status").annotate(number=Count("id"))}
    snoozed = rows.snoozed(now).count()
    known = {"waiting": stored.get("pending", 0) - snoozed, "snoozed": snoozed, "all": sum(stored.values())}
    return {status: known.get(status, stored.get(status, 0)) for status in PROPOSAL_STATUS_LABELS}
