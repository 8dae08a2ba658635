"""Passed: what the gate let through, and beside each statement what was said later on the same subject."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.enter import Entered
from memory_app.engine.named import named
from memory_app.engine.recalling.asked import Asked, Result
from memory_app.engine.recalling.later_statements import Later, later_statements
from memory_app.engine.recalling.let_through import may_be_briefed
from memory_app.engine.recalling.recall import NOT_SHOWN
from memory_app.language.akin import KNOWN_TO_THE_ENCODER
from memory_app.models import Memory
from memory_app.models.by_id import by_id
from memory_app.models.scope import within
from memory_app.rules.shares import Share
from memory_app.rules.subjects import by_subject

LATER = "later"
"""The signal by which a statement came along, as a receipt has it; its value is how close the two are."""


@dataclass(frozen=True, slots=True)
class Passed:
    """relevant: what the gate let through, the most relevant first. with_later: each followed by what came along with
    it. found: all that was looked at, best first. pairs: ids of two that are on one subject."""

    relevant: Sequence[Result] = ()
    with_later: Sequence[Result] = ()
    found: Sequence[UUID] = ()
    pairs: Sequence[tuple[UUID, UUID]] = ()

    def in_order(self, chosen: Sequence[Result]) -> list[Result]:
        """Subject by subject, and within a subject the newest first."""
        by_id = {result.memory.id: result for result in chosen}
        said_at = {id: result.memory.valid_from for id, result in by_id.items()}
        return [by_id[id] for id in by_subject([*by_id], self.pairs, said_at)]


def with_later(
    entered: Entered,
    asked: Asked,
    relevant: Sequence[Result],
    found: Sequence[UUID],
    conversation: UUID | None,
    now: datetime,
    encoder: Encoder,
) -> Passed:
    """What passed, with what the same person said later on the same subject; that only where the encoder can tell: to
    it all sentences of a language that it does not know are alike."""
    if not relevant or entered.person.language not in KNOWN_TO_THE_ENCODER:
        return Passed(relevant, relevant, found)
    known = {result.memory.id for result in relevant}
    with within(entered.venue.spaces):
        later = later_statements(entered, asked, relevant, encoder, now)
        new = [one for one in later if one.id not in known]
        rows = _loaded(new, entered)
    may_be = {row.id: row for row in rows if may_be_briefed(row, entered, conversation)}
    together: list[Result] = []
    for result in relevant:
        mine = [one for one in new if one.earlier == result.memory.id and one.id in may_be]
        together += [result, *(_beside(may_be.pop(one.id), one, result) for one in mine)]
    return Passed(relevant, together, found, [(one.earlier, one.id) for one in later])


def _loaded(later: Sequence[Later], entered: Entered) -> Sequence[Memory]:
    if not later:
        return []
    return named(by_id(Memory, {one.space for one in later}, {one.id for one in later}, without=NOT_SHOWN), entered)


def _beside(memory: Memory, later: Later, result: Result) -> Result:
    """A result for what came along: as relevant as that with which it came. The signals are not its own."""
    signals = result.signals._replace(id=memory.id, cosine=None, bare_cosine=None, matched=0, linked=0, part=0)
    return replace(result, row=memory, why=(Share(LATER, 1, round(later.close, 4), 1.0),), signals=signals)
