"""The list of daily notes: kept ones or forgotten ones, by their days, searched by the words they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict

from dashboard.reach import Reach
from dashboard.turning import turning
from memory_app.engine.summing.noted import noted
from memory_app.language.sensitive import masked
from memory_app.models import Note

PAGE = 30
LONGEST = 1_000
TIERS = {"active": "Kept", "deleted": "Forgotten"}


@dataclass(frozen=True, slots=True)
class NotesAsked:
    """What the URL asks. tier: one of TIERS."""

    path: str
    query: str = ""
    tier: str = "active"

    @classmethod
    def read(cls, path: str, url: QueryDict) -> "NotesAsked":
        """From a query string. What means nothing there is passed over."""
        tier = url.get("tier", "")
        query = url.get("q", "").replace("\x00", "")[:LONGEST].strip()
        return cls(path, query, tier if tier in TIERS else "active")

    @property
    def deleted(self) -> bool:
        return self.tier == "deleted"

    @property
    def tabs(self) -> Sequence[tuple[str, str, bool]]:
        """Of each tier: its address, its label, and whether it is the one shown."""
        asked = {"q": self.query} if self.query else {}
        return [(f"{self.path}?{urlencode({**asked, 'tier': tier})}", label, tier == self.tier)
                for tier, label in TIERS.items()]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note as it is shown: its text without what was forgotten since, what is sensitive masked."""

    note: Note
    text: str

    @property
    def correctable(self) -> bool:
        """Whether all of it is shown: who corrects a text reads it first."""
        return self.text == self.note.text


@dataclass(frozen=True, slots=True)
class NoteListing:
    """`total`: how many there are on all pages, which count from 1."""

    asked: NotesAsked
    rows: Sequence[NoteRow]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def list_notes(reach: Reach, asked: NotesAsked, page: str | None) -> NoteListing:
    """The page asked for, the latest day first."""
    rows = reach.notes()
    rows = rows.deleted() if asked.deleted else rows.kept()
    if asked.query:
        rows = rows.filter(text__icontains=asked.query)
    pages = Paginator(rows.order_by("-date", "-created_at", "-id"), PAGE)
    here = pages.get_page(page)
    pairs = [("tier", "deleted")] if asked.deleted else []
    return NoteListing(
        asked=asked, rows=_told(list(here.object_list)), **turning(here, pairs, path=asked.path, q=asked.query)
    )


def as_json(listing: NoteListing) -> dict[str, Any]:
    items = [
        {
            "id": row.note.id,
            "person": row.note.person.name,
            "date": row.note.date,
            "text": row.text,
            "author": row.note.author,
            "created_at": row.note.created_at,
            "deleted_at": row.note.deleted_at,
        }
        for row in listing.rows
    ]
    pages = {"total": listing.total, "page": listing.number, "pages": listing.pages}
    return {"items": items, **pages, "next": listing.older or None}


def note_row(note: Note) -> NoteRow | None:
    """One note as it is shown; None where all that it copied was forgotten."""
    return next((NoteRow(one.note, masked(one.text)) for one in noted([note])), None)


def _told(notes: Sequence[Note]) -> list[NoteRow]:
    """Of several people for a super user; what was forgotten is looked for person by person."""
    told: dict[Any, NoteRow] = {}
    by_person = sorted(notes, key=lambda note: note.person_id)
    for _, own in groupby(by_person, key=lambda note: note.person_id):
        told |= {one.note.id: NoteRow(one.note, masked(one.text)) for one in noted(list(own))}
    return [told[note.id] for note in notes if note.id in told]
