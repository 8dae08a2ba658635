"""Facets of the inbox: each value with how many proposals it would leave, and the URL that chooses it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Count
from django.utils import formats, timezone

from dashboard.facets import MOST_VALUES, Facet, Option
from dashboard.inbox.filters import LOOKUPS, InboxFilters
from dashboard.inbox.wording import RELATIONS, STATUSES
from dashboard.words import TYPES
from memory_app.models import Conversation, Person
from memory_app.models.proposal import ProposalQuerySet

LABELS = {"relation": "What it would do", "type": "Kind", "conversation": "Conversation", "person": "Person"}
COLUMNS = {"relation": "relation", "type": "type", "conversation": "conversation_id", "person": "person__name"}
NAMES: Mapping[str, Mapping[str, str]] = {"type": TYPES, "relation": RELATIONS}


def facets(rows: ProposalQuerySet, filters: InboxFilters, now: datetime, *, people: bool) -> list[Facet]:
    """The facets of these rows, which no facet has narrowed yet; those with nothing to choose are left out."""
    found = [_facet(rows, filters, name, now) for name in LOOKUPS if people or name != "person"]
    return [facet for facet in found if len(facet.options) > 1 or any(option.chosen for option in facet.options)]


def statuses(rows: ProposalQuerySet, filters: InboxFilters, now: datetime) -> Facet:
    """The one facet of which exactly one value is always chosen."""
    rows = filters.apply(rows, now, but="status")
    counts = _by_status(rows, now)
    options = [
        Option(value, label, counts[value], filters.status == value, filters.with_(status=value).url)
        for value, label in STATUSES.items()
    ]
    return Facet("status", "Standing", tuple(options))


def _by_status(rows: ProposalQuerySet, now: datetime) -> dict[str, int]:
    stored = {row["status"]: row["number"] for row in rows.order_by().values("status").annotate(number=Count("id"))}
    snoozed = rows.snoozed(now).count()
    known = {"waiting": stored.get("pending", 0) - snoozed, "snoozed": snoozed, "all": sum(stored.values())}
    return {status: known.get(status, stored.get(status, 0)) for status in STATUSES}


def _facet(rows: ProposalQuerySet, filters: InboxFilters, name: str, now: datetime) -> Facet:
    chosen = filters.chosen.get(name, ())
    counted = filters.apply(rows, now, but=name).order_by().exclude(**{COLUMNS[name]: None})
    numbers = counted.values_list(COLUMNS[name]).annotate(number=Count("id")).order_by("-number", COLUMNS[name])
    counts = {str(value): int(number) for value, number in numbers[:MOST_VALUES]}
    counts |= {v: counted.filter(**{LOOKUPS[name]: [v]}).count() for v in chosen if v not in counts}
    labels = _labels(name, list(counts))
    options = [
        Option(value, labels.get(value, value), number, value in chosen, filters.toggled(name, value).url)
        for value, number in counts.items()
    ]
    return Facet(name, LABELS[name], tuple(options))


def _labels(name: str, values: Sequence[str]) -> Mapping[str, str]:
    if name == "conversation":
        rows = Conversation.objects.filter(id__in=values).order_by()
        return {str(row.id): conversation_name(row) for row in rows}
    if name == "person":
        named = Person.objects.filter(name__in=values).exclude(display_name="")
        return dict(named.values_list("name", "display_name"))
    return NAMES.get(name, {})


def conversation_name(conversation: Conversation) -> str:
    """The name it was opened under, else the day and time it began, such as 3 March, 14:05."""
    began = timezone.localtime(conversation.started_at)
    return conversation.external_id or formats.date_format(began, "j F, H:i")
