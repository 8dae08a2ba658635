"""The words something was noticed in: turns with what is quoted marked, and what is sensitive hidden."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q

from memory_app.language.sensitive import masked
from memory_app.models import Proposal, Role, Turn

AROUND = 1
"""Turns shown before and after a quoted one: the question it answers, and the answer to it."""

ROOM = 160
"""Characters shown of a text on each side of what is marked, or of one with nothing marked twice as many."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bit:
    """A stretch of a turn, quoted by a proposal or not."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A turn as it is shown. `gap`: whether turns before it are left out. `hidden`: something sensitive is."""

    turn: Turn
    speaker: str
    bits: tuple[Bit, ...]
    quoted: bool
    gap: bool = False
    hidden: bool = False


def excerpts(proposals: Sequence[Proposal], *, reader: UUID | None) -> dict[UUID, list[Line]]:
    """By proposal, the turns around its quotes, shortened. `reader`: the person who reads, to whom "You" is said."""
    turns = _around(proposals)
    return {proposal.id: _excerpt(proposal, turns, reader) for proposal in proposals}


def line(turn: Turn, quotes: Sequence[str], *, who: str, gap: bool = False, clear: bool = False) -> Line:
    """One turn in full; what is sensitive is hidden unless `clear`, but for what is quoted."""
    bits, hidden = [], False
    for bit in bits_of(turn.content, quotes):
        text = bit.text if bit.quoted or clear else masked(bit.text)
        hidden = hidden or text != bit.text
        bits.append(Bit(text, bit.quoted))
    return Line(turn, who, tuple(bits), quoted=bool(quotes), gap=gap, hidden=hidden)


def bits_of(text: str, quotes: Iterable[str]) -> list[Bit]:
    """The text in stretches, those that are quoted apart. A quote that does not occur marks nothing."""
    bits, at = [], 0
    for start, end in _merged(span for quote in quotes for span in _spans(text, quote)):
        bits += [Bit(text[at:start]), Bit(text[start:end], quoted=True)]
        at = end
    return [bit for bit in [*bits, Bit(text[at:])] if bit.text]


def speaker(turn: Turn, *, person: str, mine: bool) -> str:
    """Who said it, to the reader. `person`: whose conversation it is; `mine`: whether that is the reader."""
    if turn.role == Role.USER:
        return "You" if mine and turn.speaker in ("", person) else turn.speaker or person
    return turn.speaker or ("Assistant" if turn.role == Role.ASSISTANT else "System")


def _around(proposals: Sequence[Proposal]) -> dict[tuple[UUID, int], Turn]:
    """By conversation and position, all turns that the excerpts of these proposals need, in one query."""
    wanted = Q()
    for proposal in proposals:
        if proposal.conversation_id and proposal.quotes:
            places = Q(position__in=sorted(_places(proposal)))
            wanted |= Q(space_id=proposal.space_id, conversation_id=proposal.conversation_id) & places
    found = Turn.objects.filter(wanted).defer("embedding", "tsv") if wanted else Turn.objects.none()
    return {(turn.conversation_id, turn.position): turn for turn in found}


def _places(proposal: Proposal) -> set[int]:
    quoted = {int(quote["position"]) for quote in proposal.quotes}
    return {place + step for place in quoted for step in range(-AROUND, AROUND + 1) if place + step >= 0}


def _excerpt(proposal: Proposal, turns: dict[tuple[UUID, int], Turn], reader: UUID | None) -> list[Line]:
    if proposal.conversation_id is None:
        return []
    mine, last = proposal.person_id == reader, -1
    lines: list[Line] = []
    for place in sorted(_places(proposal)):
        turn = turns.get((proposal.conversation_id, place))
        if turn:
            quotes = [quote["text"] for quote in proposal.quotes if quote["position"] == place]
            who = speaker(turn, person=str(proposal.person), mine=mine)
            shown = line(turn, quotes, who=who, gap=bool(lines) and place > last + 1)
            lines.append(replace(shown, bits=shortened(shown.bits)))
            last = place
    return lines


def shortened(bits: Sequence[Bit]) -> tuple[Bit, ...]:
    """With long stretches that are not quoted cut, at the end that is far from what is."""
    last = len(bits) - 1
    return tuple(
        bit if bit.quoted else Bit(_cut(bit.text, head=place > 0 or last == 0, tail=place < last))
        for place, bit in enumerate(bits)
    )


def _cut(text: str, *, head: bool, tail: bool) -> str:
    """The first or the last ROOM characters, or both, in whole words."""
    if len(text) <= 2 * ROOM:
        return text
    first = re.sub(r"\s*\S*$", "", text[:ROOM]) if head else ""
    final = re.sub(r"^\S*\s*", "", text[-ROOM:]) if tail else ""
    return f"{first}…{final}"


def _spans(text: str, quote: str) -> Iterable[Span]:
    """Where a quote occurs, white space of any kind being alike."""
    words = quote.split()
    if not words:
        return ()
    pattern = r"\s+".join(map(re.escape, words))
    return [found.span() for found in re.finditer(pattern, text)]


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
