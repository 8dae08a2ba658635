"""`/everywhere/`: memories, notes and the log searched at once, in every tier. For super users, and logged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, require_super_user
from dashboard.lists import MAX_QUERY_LENGTH
from dashboard.logs import LogEntry, log_entry, person_names, run_urls
from dashboard.masking import memory_json
from dashboard.notes import NoteRow, note_row
from dashboard.responses import clean_text, page_or_json, parse_uuid
from dashboard.viewer import Viewer
from memory_app.engine.audit.log import Author
from memory_app.engine.retrieval.admin_search import TIERS, AdminSearchResult, Tier, TierRow, admin_search
from memory_app.models import Memory, Note, Operation
from memory_app.serializers.operation import operation_out

PAGE_SIZE = 25
TIER_LABELS: dict[Tier, str] = {"active": "Kept", "deleted": "Forgotten", "logs": "Log"}


@dataclass(frozen=True)
class EverywhereFilters:
    """What the URL asks. before: the id of the last row of the page before; ids sort by time, so pages stay stable."""

    path: str
    query: str = ""
    tiers: tuple[Tier, ...] = TIERS
    before: UUID | None = None

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is ignored."""
        return cls(
            path=path,
            query=clean_text(url.get("q", ""), MAX_QUERY_LENGTH).strip(),
            tiers=tuple(tier for tier in TIERS if tier in url.getlist("tier")) or TIERS,
            before=parse_uuid(url.get("before", "")),
        )

    @property
    def url(self) -> str:
        pairs = [("q", self.query)] if self.query else []
        pairs += [("tier", tier) for tier in self.tiers] if self.tiers != TIERS else []
        pairs += [("before", str(self.before))] if self.before else []
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path


@dataclass(frozen=True, slots=True)
class TierOption:
    """A tier to search. count: of all that is found in it; None where it was not searched."""

    value: Tier
    label: str
    chosen: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result: a memory, a note, or an entry of the log."""

    memory: Memory | None = None
    note_row: NoteRow | None = None
    entry: LogEntry | None = None


@dataclass(frozen=True, slots=True)
class EverywherePage:
    """A page of what was found, the newest first. first, older: addresses of pages, "" where there is none."""

    filters: EverywhereFilters
    rows: Sequence[ResultRow]
    tier_options: Sequence[TierOption]
    total: int
    first: str
    older: str
    names: dict[UUID, str]


def search_everywhere(filters: EverywhereFilters, log: str, author: Author, now: datetime) -> EverywherePage:
    """Searches, where there is a query, and logs that. log: the address of the page of the log."""
    found = AdminSearchResult([], {}, more=False)
    if filters.query:
        found = admin_search(
            query=filters.query, tiers=filters.tiers, limit=PAGE_SIZE, before=filters.before, author=author, now=now
        )
    entries = [row for row in found.found if isinstance(row, Operation)]
    names, runs = person_names({row.person_id for row in entries if row.person_id}), run_urls(entries)
    return EverywherePage(
        filters=filters,
        rows=[_row(row, names, log, runs) for row in found.found],
        tier_options=[
            TierOption(tier, label, tier in filters.tiers, found.totals.get(tier))
            for tier, label in TIER_LABELS.items()
        ],
        total=sum(found.totals.values()),
        first=replace(filters, before=None).url if filters.before else "",
        older=replace(filters, before=found.found[-1].id).url if found.more else "",
        names=names,
    )


def _row(row: TierRow, names: dict[UUID, str], log: str, runs: dict[str, str]) -> ResultRow:
    if isinstance(row, Note):
        return ResultRow(note_row=note_row(row))
    return ResultRow(entry=log_entry(row, names, log, runs)) if isinstance(row, Operation) else ResultRow(memory=row)


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    now = timezone.now()
    found = search_everywhere(EverywhereFilters.read(request.path, request.GET), reverse("logs"), viewer.author(), now)
    return page_or_json(
        request, "everywhere.html", {"viewer": viewer, "now": now, "found": found}, lambda: _as_json(found, now)
    )


def _as_json(page: EverywherePage, now: datetime) -> dict[str, Any]:
    """Sensitive texts are masked here too."""
    return {
        "items": [_row_json(row, page.names, now) for row in page.rows if row != ResultRow()],
        "totals": {option.value: option.count for option in page.tier_options if option.count is not None},
        "next": page.older or None,
    }


def _row_json(row: ResultRow, names: dict[UUID, str], now: datetime) -> dict[str, Any]:
    if row.entry:
        return {"tier": "logs", "operation": operation_out(row.entry.row, names).model_dump(mode="json")}
    if row.note_row:
        note = row.note_row.note
        shown = {"id": note.id, "person": note.person.name, "date": note.date, "text": row.note_row.text}
        return {"tier": "deleted" if note.deleted_at else "active", "note": shown}
    assert row.memory is not None
    tier = "deleted" if row.memory.deleted_at else "active"
    return {"tier": tier, "memory": memory_json(row.memory, now, masked=row.memory.sensitive)}
