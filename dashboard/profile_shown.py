"""The profile of a person as the pages show it: its sections, its past day by day, and what an edit would change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from django.conf import settings
from django.utils import timezone

from dashboard.compare import Piece, word_diff
from dashboard.words import CATEGORIES
from memory_app.engine.enter import Entered
from memory_app.engine.summing.profile import mark, profile_of
from memory_app.engine.summing.profile_past import Shift, profile_at, profile_shifts
from memory_app.engine.summing.put_profile import Difference
from memory_app.language import profile_document
from memory_app.language.profile_document import SECTIONS, Line

MOST_DAYS, MOST_OF_A_DAY = 30, 20
"""Days of the past that are listed, and changes of each that are shown in full."""


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Changed:
    """One line that came, went or changed. filed: the section it moved to, where it moved."""

    kind: str
    pieces: Sequence[Piece]
    filed: str = ""
    shift: Shift | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """What changed on a day of the reader's; more: how many changes are not shown."""

    date: date
    changes: Sequence[Changed]
    told: str
    more: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A profile. on: the day at whose end it was so; None: as it is now."""

    text: str
    sections: Sequence[Section]
    words: int
    most: int
    mark: str
    on: date | None
    days: Sequence[Day]


def shown_profile(entered: Entered, now: datetime, on: date | None) -> Shown:
    """As it is, or was at the end of a day in the reader's time zone."""
    text = profile_at(entered, _end_of(on)) if on else profile_of(entered, now)
    lines = profile_document.read(text).lines
    return Shown(
        text=text,
        sections=[
            Section(heading, [line for line in lines if line.category == category])
            for category, heading in SECTIONS.items()
        ],
        words=profile_document.words(text),
        most=settings.KEEPSAKE_PROFILE_WORDS,
        mark=mark(text),
        on=on,
        days=_days(profile_shifts(entered)),
    )


def shown_difference(difference: Difference) -> list[Changed]:
    """What an edit adds, changes and removes, in that order."""
    added = [Changed("added", [Piece("added", line.text)]) for line in difference.adds]
    updated = [
        Changed(
            "changed",
            word_diff(update.before, update.text),
            CATEGORIES[update.category] if update.memory.category != update.category else "",
        )
        for update in difference.updates
    ]
    removed = [Changed("removed", [Piece("removed", text)]) for text in difference.removed_texts]
    return [*added, *updated, *removed]


def profile_json(shown: Shown) -> dict[str, Any]:
    days = [
        {
            "date": day.date,
            "changes": [
                {"kind": change.kind, "memory": change.shift.memory, "at": change.shift.at, "by": change.shift.by}
                for change in day.changes
                if change.shift
            ],
        }
        for day in shown.days
    ]
    return {"text": shown.text, "words": shown.words, "most_words": shown.most, "on": shown.on, "days": days}


def _end_of(day: date) -> datetime:
    """In the reader's time zone, which the gate has set."""
    midnight = datetime.combine(day + timedelta(days=1), time(), timezone.get_current_timezone())
    return midnight - timedelta(microseconds=1)


def _days(shifts: Sequence[Shift]) -> list[Day]:
    by_day = groupby(shifts, key=lambda shift: timezone.localtime(shift.at).date())
    return [_day(day, list(of_day)) for day, of_day in by_day][:MOST_DAYS]


def _day(day: date, shifts: Sequence[Shift]) -> Day:
    changes = [_changed(shift) for shift in shifts]
    numbers = {kind: sum(change.kind == kind for change in changes) for kind in ("added", "changed", "removed")}
    told = ", ".join(f"{number} {kind}" for kind, number in numbers.items() if number)
    return Day(day, changes[:MOST_OF_A_DAY], told, max(0, len(changes) - MOST_OF_A_DAY))


def _changed(shift: Shift) -> Changed:
    before, after = shift.before, shift.after
    if before is None:
        return Changed("added", [Piece("added", after.text)] if after else [], shift=shift)
    if after is None:
        return Changed("removed", [Piece("removed", before.text)], shift=shift)
    filed = CATEGORIES[after.category] if after.category != before.category else ""
    return Changed("changed", word_diff(before.text, after.text), filed, shift)
