"""Find anywhere: a super user's search over memories and notes of all three tiers at once, newest first; itself put in
the log."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Literal
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet

from memory_app.engine.audit.log import Author, entries_containing
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.models import COMMONS, Memory, Note, Operation
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.note import NoteQuerySet
from memory_app.models.row_security import every_space

Tier = Literal["active", "deleted", "logs"]
TIERS: tuple[Tier, ...] = ("active", "deleted", "logs")

TierRow = Memory | Note | Operation
TierRows = MemoryQuerySet | NoteQuerySet | QuerySet[Operation]


@dataclass(frozen=True, slots=True)
class AdminSearchResult:
    """What was found, of every tier asked for, newest first; and how much there is of each in all."""

    found: list[TierRow]
    totals: dict[Tier, int]
    more: bool


def admin_search(
    *, query: str, tiers: Collection[Tier], limit: int, before: UUID | None, author: Author, now: datetime
) -> AdminSearchResult:
    """Memories, notes and log entries that hold the words of a query, or that it names by id.

    before: the id of the last one seen; ids of rows sort by time. An entry of the log is found by its own words and by
    those of the memory it is about.
    """
    with every_space():
        rows = {tier: _rows(query, tier, now) for tier in TIERS if tier in tiers}
        totals = {tier: sum(found.count() for found in row_sets) for tier, row_sets in rows.items()}
        pages = [_page(found, limit + 1, before) for row_sets in rows.values() for found in row_sets]
        found = sorted((row for page in pages for row in page), key=lambda row: row.id, reverse=True)
        _log_search(totals, before, author, now)
    return AdminSearchResult(found[:limit], totals, more=len(found) > limit)


def _rows(query: str, tier: Tier, now: datetime) -> list[TierRows]:
    return [_logs(query, now)] if tier == "logs" else [_memories(query, tier), _notes(query, tier)]


def _page(rows: TierRows, limit: int, before: UUID | None) -> list[TierRow]:
    following = rows.filter(id__lt=before) if before else rows
    return list(following.order_by("-id")[:limit])


def _memories(query: str, tier: Tier) -> MemoryQuerySet:
    rows = Memory.objects.undeleted() if tier == "active" else Memory.objects.deleted()
    return rows.filter(_containing(query, *TEXT_COLUMNS)).select_related(*WITH_NAMES)


def _notes(query: str, tier: Tier) -> NoteQuerySet:
    rows = Note.objects.undeleted() if tier == "active" else Note.objects.deleted()
    return rows.filter(_containing(query, "text")).select_related("person").defer("embedding", "tsv")


def _containing(query: str, *columns: str) -> Q:
    """All of the words, in any form of English, or the very text in one of the columns; or the id."""
    text = query.strip()
    try:
        return Q(id=UUID(text))
    except ValueError:
        words = SearchQuery(text, config="english") | SearchQuery(text, config="simple")
        return reduce(or_, (Q(**{f"{column}__icontains": text}) for column in columns), Q(tsv=words))


TEXT_COLUMNS = ("content", "summary", "key")
"""Columns of a memory that hold words."""


def _logs(query: str, now: datetime) -> QuerySet[Operation]:
    about = Memory.objects.filter(_containing(query, *TEXT_COLUMNS)).values("id")
    return Operation.objects.retained(now).filter(entries_containing(query) | Q(memory_id__in=about))


def _log_search(totals: dict[Tier, int], before: UUID | None, author: Author, now: datetime) -> None:
    """That someone searched, and how much they found; not for what, for that may be someone's secret."""
    Operation.objects.create(
        space_id=COMMONS,
        at=now,
        name="admin_search",
        author=author.label,
        request_id=author.request,
        detail={"found": totals, "next_page": before is not None},
    )
