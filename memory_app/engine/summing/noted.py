"""The notes of a day as they are told: a line that the day's run copied from a memory goes when that is forgotten, and
is back when the memory is. What someone noted themselves is theirs, and stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_app.engine.summing.day import FURTHEST_BACK
from memory_app.models import Memory, Note, Version


@dataclass(frozen=True, slots=True)
class Noted:
    """A note, and its text without what was forgotten."""

    note: Note
    text: str


def noted(notes: Sequence[Note]) -> list[Noted]:
    """Notes of one person, in their order; one of which nothing is left is not told. Expects the person's scope."""
    forgotten = _forgotten([note for note in notes if note.is_digest])
    told = [Noted(note, _without(note.text, forgotten) if note.is_digest else note.text) for note in notes]
    return [one for one in told if one.text]


def _forgotten(copies: Sequence[Note]) -> set[str]:
    """The summaries, as they are and were, of what is forgotten among all that these may list, and of nothing kept."""
    if not copies:
        return set()
    after = min(note.created_at for note in copies) - FURTHEST_BACK
    made = Memory.objects.filter(person_id=copies[0].person_id, created_at__gt=after)
    made = made.filter(created_at__lte=max(note.created_at for note in copies))
    gone = dict(made.deleted().values_list("id", "summary"))
    if not gone:
        return set()
    before = Version.objects.filter(memory_id__in=list(gone)).values_list("state__summary", flat=True)
    kept = {_one_line(text) for text in made.kept().values_list("summary", flat=True)}
    return {_one_line(text) for text in [*gone.values(), *before] if text} - kept


def _without(text: str, forgotten: set[str]) -> str:
    """The text without these lines, and without a heading that has none left."""
    rows = [row for row in text.splitlines() if _told(row) not in forgotten or not row.startswith("- ")]
    return "\n".join(_headed(rows))


def _told(row: str) -> str:
    """What a line tells, without the marks of a quotation."""
    return row.removeprefix("- ").removeprefix("“").removesuffix("”")


def _headed(rows: Sequence[str]) -> Iterable[str]:
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        if not row.endswith(":") or row.startswith("- ") or following.startswith("- "):
            yield row


def _one_line(text: str) -> str:
    return " ".join(text.split())
