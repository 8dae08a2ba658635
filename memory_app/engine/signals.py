"""What speaks for each visible row, gathered in one statement over the rows that someone may see.

All statistics (how many rows, how many hold a word, who speaks in them) are of the visible set: no other row can
change a result. Vectors are compared exactly, row by row: no shared index is ever asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ..embedding.vectors import Vectors
from ..models.wire import Halves, fetch
from ..rules.fusion import Signals, Statistics
from ..rules.question import Question
from .enter import Entered
from .ranking import Form, ranking
from .visible_rows import visible_rows

if TYPE_CHECKING:
    from .recall import Asked

NOTHING = Statistics(0, (), (), ())


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates, best first by what the database could tell, and the statistics of the visible set."""

    kinds: Sequence[str] = ()
    signals: Sequence[Signals] = ()
    statistics: Statistics = NOTHING
    speakers_named: bool = False
    places: Sequence[tuple[UUID, UUID]] = ()


def gather(
    entered: Entered, asked: "Asked", question: Question, vectors: Vectors | None, model: str, now: datetime
) -> Gathered:
    """The candidates for an answer. vectors: of the question, and of it without names. Expects the venue's scope."""
    source, shown = visible_rows(entered.venue, asked, now)
    statement = ranking(source, _form(question, asked, vectors))
    rows = fetch(statement, {**shown, **_parameters(entered, question, vectors, model)})
    return _gathered(rows, question)


def _form(question: Question, asked: "Asked", vectors: Vectors | None) -> Form:
    """Memories count as said by their person: roles tell turns apart alone."""
    return Form(
        words=len(question.words),
        meaning=vectors is not None,
        names=bool(question.names),
        times=bool(question.periods),
        roles="turn" in asked.kinds,
    )


def _parameters(entered: Entered, question: Question, vectors: Vectors | None, model: str) -> dict[str, Any]:
    """All that a statement may name; which of them it does depends on its form."""
    words = {f"w{n}": word for n, word in enumerate(question.words)}
    periods = "{" + ",".join(f"[{start.isoformat()},{end.isoformat()})" for start, end in question.periods) + "}"
    given = {
        "language": entered.person.language,
        "names": [name.casefold() for name in question.names],
        "role": "assistant" if question.wants_assistant else "user",
        "periods": periods,
        "model": model,
    }
    if vectors is None:
        return {**words, **given}
    near = {"plain": vectors[0], "bare": vectors[1], "averaged": _averaged(vectors) if question.names else vectors[0]}
    return {**words, **given, **{name: Halves(vector) for name, vector in near.items()}}


def _averaged(vectors: Vectors) -> Vectors:
    """The question, and it without names, in one: who is asked about leads, but does not crowd out what is asked."""
    total = vectors[0] + vectors[1]
    length: float = float((total @ total) ** 0.5)
    averaged: Vectors = total / length if length else vectors[0]
    return averaged


def _gathered(rows: Sequence[dict[str, Any]], question: Question) -> Gathered:
    if not rows:
        empty = [0.0] * len(question.words)
        return Gathered(statistics=Statistics(0, empty, [False] * len(empty), _is_name(question)))
    first = rows[0]
    return Gathered(
        kinds=[row["kind"] for row in rows],
        signals=[_signals(row) for row in rows],
        statistics=Statistics(
            first["n"], first["holding"], [nodes > 0 for nodes in first["nodes"]], _is_name(question)
        ),
        speakers_named=bool(first["speakers_named"]),
        places=[(row["space_id"], row["id"]) for row in rows],
    )


def _is_name(question: Question) -> list[bool]:
    return [word in question.names for word in question.words]


def _signals(row: dict[str, Any]) -> Signals:
    return Signals(
        id=row["id"],
        cosine=row["cosine"],
        bare_cosine=row["bare_cosine"],
        matched=row["matched"],
        words=row["words"] or 0,
        session=(row["kind"], row["session"] or row["id"]),
        position=row["place"],
        speaker_named=row["speaker_named"],
        from_wanted_role=row["from_wanted_role"],
        said_at=row["said_at"],
        asks=row["asks"],
        replaced_by=row["replaced_by"],
        superseded=row["superseded"],
    )
