"""A super user's search of every tier as its page shows it: memories, notes and entries of the log, mixed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from dashboard.logged import Entry, people_named, run_addresses, told_entry
from dashboard.notes import NoteRow, note_row
from memory_app.engine.author import Author
from memory_app.engine.logbook.find_anywhere import TIERS, Anywhere, FoundRow, Tier, find_anywhere
from memory_app.models import Memory, Note, Operation

PAGE = 25
LONGEST = 1_000
LABELS: dict[Tier, str] = {"active": "Kept", "deleted": "Forgotten", "logs": "Log"}


@dataclass(frozen=True)
class Sought:
    """What the URL asks. before: the id of the last one seen; ids sort by time, so that pages stay as they were."""

    path: str
    query: str = ""
    tiers: tuple[Tier, ...] = TIERS
    before: UUID | None = None

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        return cls(
            path=path,
            query=url.get("q", "").replace("\x00", "")[:LONGEST].strip(),
            tiers=tuple(tier for tier in TIERS if tier in url.getlist("tier")) or TIERS,
            before=_uuid(url.get("before", "")),
        )

    @property
    def url(self) -> str:
        pairs = [("q", self.query)] if self.query else []
        pairs += [("tier", tier) for tier in self.tiers] if self.tiers != TIERS else []
        pairs += [("before", str(self.before))] if self.before else []
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path


@dataclass(frozen=True, slots=True)
class Box:
    """A tier to be looked in. count: what is found there in all; None where nothing was looked for there."""

    value: Tier
    label: str
    chosen: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """One that was found: a memory, a note, or an entry of the log."""

    memory: Memory | None = None
    noted: NoteRow | None = None
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Everywhere:
    """A page of what was found, the newest first. first, older: addresses of pages, "" where there is none."""

    sought: Sought
    rows: Sequence[Row]
    boxes: Sequence[Box]
    total: int
    first: str
    older: str
    names: dict[UUID, str]


def everywhere(sought: Sought, log: str, author: Author, now: datetime) -> Everywhere:
    """Searches, where there is something to look for, and tells the log so. log: the address of its page."""
    found = Anywhere([], {}, more=False)
    if sought.query:
        found = find_anywhere(
            query=sought.query, tiers=sought.tiers, limit=PAGE, before=sought.before, author=author, now=now
        )
    entries = [row for row in found.found if isinstance(row, Operation)]
    names, runs = people_named({row.person_id for row in entries if row.person_id}), run_addresses(entries)
    return Everywhere(
        sought=sought,
        rows=[_row(row, names, log, runs) for row in found.found],
        boxes=[Box(tier, label, tier in sought.tiers, found.totals.get(tier)) for tier, label in LABELS.items()],
        total=sum(found.totals.values()),
        first=replace(sought, before=None).url if sought.before else "",
        older=replace(sought, before=found.found[-1].id).url if found.more else "",
        names=names,
    )


def _row(row: FoundRow, names: dict[UUID, str], log: str, runs: dict[str, str]) -> Row:
    if isinstance(row, Note):
        return Row(noted=note_row(row))
    return Row(entry=told_entry(row, names, log, runs)) if isinstance(row, Operation) else Row(memory=row)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
