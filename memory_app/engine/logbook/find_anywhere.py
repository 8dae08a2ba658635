"""Find anywhere: a super user's search over all three tiers at once, newest first; itself put in the log."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet

from ...models import COMMONS, Memory, Operation
from ...models.memory import MemoryQuerySet
from ...models.scope import every_space
from ..author import Author
from ..locate import WITH_NAMES
from .log import says

Tier = Literal["active", "deleted", "logs"]
TIERS: tuple[Tier, ...] = ("active", "deleted", "logs")


@dataclass(frozen=True, slots=True)
class Anywhere:
    """What was found, of every tier asked for, newest first; and how much there is of each in all."""

    found: list[Memory | Operation]
    totals: dict[Tier, int]
    more: bool


def find_anywhere(
    *, query: str, tiers: Collection[Tier], limit: int, before: UUID | None, author: Author, now: datetime
) -> Anywhere:
    """Memories and log entries that hold the words of a query, or that it names by id.

    before: the id of the last one seen; ids of rows sort by time. An entry of the log is found by its own words and by
    those of the memory it is about.
    """
    with every_space():
        rows: dict[Tier, QuerySet[Memory] | QuerySet[Operation]] = {
            tier: _logs(query, now) if tier == "logs" else _memories(query, tier) for tier in TIERS if tier in tiers
        }
        totals = {tier: found.count() for tier, found in rows.items()}
        pages = [_page(found, limit + 1, before) for found in rows.values()]
        found = sorted((row for page in pages for row in page), key=lambda row: row.id, reverse=True)
        _record(totals, before, author, now)
    return Anywhere(found[:limit], totals, more=len(found) > limit)


def _page(
    rows: "QuerySet[Memory] | QuerySet[Operation]", limit: int, before: UUID | None
) -> "list[Memory | Operation]":
    following = rows.filter(id__lt=before) if before else rows
    return list(following.order_by("-id")[:limit])


def _memories(query: str, tier: Tier) -> MemoryQuerySet:
    rows = Memory.objects.kept() if tier == "active" else Memory.objects.deleted()
    return rows.filter(_holds(query)).select_related(*WITH_NAMES)


def _holds(query: str) -> Q:
    """All of the words, in any form of English, or the very text; or the id."""
    text = query.strip()
    try:
        return Q(id=UUID(text))
    except ValueError:
        words = SearchQuery(text, config="english") | SearchQuery(text, config="simple")
        return Q(tsv=words) | Q(content__icontains=text) | Q(summary__icontains=text) | Q(key__icontains=text)


def _logs(query: str, now: datetime) -> QuerySet[Operation]:
    about = Memory.objects.filter(_holds(query)).values("id")
    return Operation.objects.retained(now).filter(says(query) | Q(memory_id__in=about))


def _record(totals: dict[Tier, int], before: UUID | None, author: Author, now: datetime) -> None:
    """That someone searched, and how much they found; not for what, for that may be someone's secret."""
    Operation.objects.create(
        space_id=COMMONS,
        at=now,
        name="admin_search",
        author=author.label,
        request_id=author.request,
        detail={"found": totals, "next_page": before is not None},
    )
