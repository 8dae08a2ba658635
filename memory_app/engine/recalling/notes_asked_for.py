"""Notes asked for: the lines of a brief that answer a question about daily notes, or about a day."""

from collections.abc import Sequence
from datetime import datetime

from memory_app.embedding.encoder import Encoder
from memory_app.engine.enter import Entered
from memory_app.engine.recalling.about import Section
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import Recalled, recall
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Note
from memory_app.rules.asks_for_notes import asked_of_notes, asks_for_notes
from memory_app.rules.fusion import told_of
from memory_app.rules.quotation import quoted

HEADING = "Noted:"
LOOKED_AT, MOST = 50, 5


def notes_asked_for(entered: Entered, query: str, now: datetime, encoder: Encoder) -> list[Section]:
    """One section, the latest day first; none where nothing is asked of notes, or none speaks of it. Nothing sensitive
    is told, and outside of a private talk nothing at all."""
    if not asks_for_notes(query):
        return []
    asked = Asked(query=asked_of_notes(query), limit=LOOKED_AT, kinds=("note",))
    found = _speaking_of_it(recall(entered=entered, asked=asked, now=now, encoder=encoder))
    told = [note for note in found if not sensitive_kinds(note.text)][:MOST]
    lines = [f"{quoted(note.text)} ({note.date.day} {note.date:%B %Y})" for note in _latest_first(told)]
    return [Section(HEADING, lines, lines)] if lines else []


def _speaking_of_it(recalled: Recalled) -> Sequence[Note]:
    """Those of the days that are asked of; else those that have a word of the question, and the latest where it has
    none that means anything."""
    periods = recalled.question.periods
    found = [(one.row, one.signals) for one in recalled.results if isinstance(one.row, Note)]
    if periods:
        return _latest_first([note for note, signals in found if told_of(signals.said_at, periods) == 1.0])
    if any(recalled.statistics.counts):
        return [note for note, signals in found if signals.matched]
    return _latest_first([note for note, _ in found])


def _latest_first(notes: Sequence[Note]) -> Sequence[Note]:
    return sorted(notes, key=lambda note: (note.date, note.created_at), reverse=True)
