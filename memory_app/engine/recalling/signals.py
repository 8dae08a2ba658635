"""What speaks for each visible row, gathered in one statement over the rows that someone may see.

All statistics (how many rows, how many hold a word, who speaks in them) are of the visible set: no other row can
change a result. Vectors are compared exactly, row by row, but in large spaces that have an index of their own (`near`):
no index is ever asked that holds what the asker may not see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from memory_app.embedding.vectors import Vectors
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.mention import runs
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.near import look_closely, near
from memory_app.engine.recalling.ranking import Form, ranking
from memory_app.engine.recalling.visible_rows import visible_entities, visible_rows
from memory_app.language.relations import relations
from memory_app.models.wire import Halves, fetch
from memory_app.rules.fusion import Signals, Statistics
from memory_app.rules.question import Question
from memory_app.rules.text import normalised

MOST_NAMES = 100
"""That are looked for among the entities: runs of the words of a question, and a long one is a text."""

WORDS_AT_ONCE = 4
"""Questions of up to 4, 8, 12 … words share a statement, which the database plans once for a connection: planning takes
as long as answering over a thousand rows. 999 annotated questions were asked in 35 statements before, and a word that
is not there costs nothing that can be measured."""

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
    entered: Entered, asked: Asked, question: Question, vectors: Vectors | None, model: str, now: datetime
) -> Gathered:
    """The candidates for an answer. vectors: of the question, and of it without names. Expects the venue's scope."""
    if not asked.searched:
        return _gathered((), question, len(asked.sides))
    source, shown = visible_rows(entered.venue, asked, now)
    called = names_called(question) if "memory" in asked.searched else {}
    indexes = near(entered.venue, asked, model) if vectors is not None else ()
    if indexes:
        look_closely()
    statement = ranking(source, replace(_form(entered, question, asked, vectors, called), near=indexes))
    sides = {f"s{n}": " or ".join(words) for n, words in enumerate(asked.sides)}
    rows = fetch(statement, {**shown, **sides, **_parameters(entered, question, vectors, model, called)})
    return _gathered(rows, question, len(asked.sides))


def names_called(question: Question) -> dict[str, int]:
    """What a question may call someone or something by, normalised as entities are: each name with the bits of the
    question's words that it is made of."""
    bits: dict[str, int] = {}
    for place, word in enumerate(question.words):
        for part in normalised(word).split():
            bits[part] = bits.get(part, 0) | 1 << place
    names = {normalised(name) for name in question.names} | runs(question.text)
    masks = {name: reduce(or_, (bits.get(part, 0) for part in name.split()), 0) for name in sorted(names)}
    for relation in relations(question.text, ()):
        last = normalised(relation.mention.surface).split()[-1]
        masks[relation.mention.canonical] = bits.get(last, 0)
    return dict([(name, mask) for name, mask in masks.items() if mask][:MOST_NAMES])


def _form(
    entered: Entered, question: Question, asked: Asked, vectors: Vectors | None, called: Mapping[str, int]
) -> Form:
    """Memories count as said by their person: roles tell turns apart alone."""
    return Form(
        words=len(_room(question)),
        sides=len(asked.sides),
        meaning=vectors is not None,
        names=bool(question.names),
        times=bool(question.periods),
        roles="turn" in asked.searched,
        alone=asked.method == "vector",
        text=asked.method == "text",
        entities=visible_entities(entered.venue) if called else "",
    )


def _room(question: Question) -> tuple[str, ...]:
    """The words of a question, and empty ones after them."""
    return question.words + ("",) * (-len(question.words) % WORDS_AT_ONCE)


def _parameters(
    entered: Entered, question: Question, vectors: Vectors | None, model: str, called: Mapping[str, int]
) -> dict[str, Any]:
    """All that a statement may name; which of them it does depends on its form."""
    words = {f"w{n}": word for n, word in enumerate(_room(question))}
    periods = "{" + ",".join(f"[{start.isoformat()},{end.isoformat()})" for start, end in question.periods) + "}"
    given = {
        "language": entered.person.language,
        "names": [name.casefold() for name in question.names],
        "role": "assistant" if question.wants_assistant else "user",
        "periods": periods,
        "model": model,
        "called": list(called),
        "called_bits": list(called.values()),
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


def _gathered(rows: Sequence[dict[str, Any]], question: Question, sides: int) -> Gathered:
    is_name = [word in question.names for word in _room(question)] + [False] * sides
    if not rows:
        return Gathered(statistics=Statistics(0, [0.0] * len(is_name), [False] * len(is_name), is_name))
    first = rows[0]
    return Gathered(
        kinds=[row["kind"] for row in rows],
        signals=[_signals(row) for row in rows],
        statistics=Statistics(
            first["n"],
            first["holding"],
            [nodes > 0 for nodes in first["nodes"]],
            is_name,
            known=first["known"],
            sides=sides,
            average=first["average"],
        ),
        speakers_named=bool(first["speakers_named"]),
        places=[(row["space_id"], row["id"]) for row in rows],
    )


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
        linked=row["linked"],
        replaced_by=row["replaced_by"],
        superseded=row["superseded"],
        part=row["part"],
        often=[times or 0.0 for times in row["often"] or ()],
    )
