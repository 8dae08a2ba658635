"""Turns as pages show them: what a proposal quotes is marked, and what is sensitive hidden."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import formats, timezone

from memory_app.models import Conversation, Proposal, Role, Turn
from memory_app.nlp.privacy.sensitive import mask_sensitive

TURNS_AROUND = 1
"""Turns shown before and after a quoted one: the question it answers, and the answer to it."""

MAX_UNQUOTED_LENGTH = 160
"""Characters shown of a text on each side of what is marked, or of one with nothing marked twice as many."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A stretch of a turn, quoted by a proposal or not."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class DialogueLine:
    """A turn as it is shown. after_gap: turns before it are left out. hidden: something sensitive is."""

    turn: Turn
    speaker: str
    parts: tuple[TextPart, ...]
    quoted: bool
    after_gap: bool = False
    hidden: bool = False


def excerpts(proposals: Sequence[Proposal], *, reader: UUID | None) -> dict[UUID, list[DialogueLine]]:
    """By proposal, the turns around its quotes, shortened. `reader`: the person who reads, to whom "You" is said."""
    turns = _turns_around(proposals)
    return {proposal.id: _excerpt(proposal, turns, reader) for proposal in proposals}


def dialogue_line(
    turn: Turn, quotes: Sequence[str], *, speaker: str, after_gap: bool = False, unmasked: bool = False
) -> DialogueLine:
    """One turn in full; what is sensitive is hidden unless `unmasked`, but for quotes."""
    parts, hidden = [], False
    for part in split_at_quotes(turn.content, quotes):
        text = part.text if part.quoted or unmasked else mask_sensitive(part.text)
        hidden = hidden or text != part.text
        parts.append(TextPart(text, part.quoted))
    return DialogueLine(turn, speaker, tuple(parts), quoted=bool(quotes), after_gap=after_gap, hidden=hidden)


def split_at_quotes(text: str, quotes: Iterable[str]) -> list[TextPart]:
    """The text in parts, each quoted or not. A quote that does not occur marks nothing."""
    parts, at = [], 0
    for start, end in _merge_spans(span for quote in quotes for span in _spans(text, quote)):
        parts += [TextPart(text[at:start]), TextPart(text[start:end], quoted=True)]
        at = end
    return [part for part in [*parts, TextPart(text[at:])] if part.text]


def speaker_label(turn: Turn, *, person: str, mine: bool) -> str:
    """Who said it, to the reader. `person`: whose conversation it is; `mine`: whether that is the reader."""
    if turn.role == Role.USER:
        return "You" if mine and turn.speaker in ("", person) else turn.speaker or person
    return turn.speaker or ("Assistant" if turn.role == Role.ASSISTANT else "System")


def conversation_name(conversation: Conversation) -> str:
    """The name it was opened under, else the day and time it began, such as 3 March, 14:05."""
    started_at = timezone.localtime(conversation.started_at)
    return conversation.external_id or formats.date_format(started_at, "j F, H:i")


def line_json(line: DialogueLine) -> dict[str, Any]:
    return {
        "position": line.turn.position,
        "speaker": line.speaker,
        "spoken_at": line.turn.spoken_at,
        "text": "".join(part.text for part in line.parts),
        "quoted": line.quoted,
    }


def _turns_around(proposals: Sequence[Proposal]) -> dict[tuple[UUID, int], Turn]:
    """By conversation and position, all turns that the excerpts of these proposals need, in one query."""
    wanted = Q()
    for proposal in proposals:
        if proposal.conversation_id and proposal.quotes:
            positions = Q(position__in=sorted(_positions(proposal)))
            wanted |= Q(space_id=proposal.space_id, conversation_id=proposal.conversation_id) & positions
    found = Turn.objects.filter(wanted).defer("embedding", "tsv") if wanted else Turn.objects.none()
    return {(turn.conversation_id, turn.position): turn for turn in found}


def _positions(proposal: Proposal) -> set[int]:
    quoted = {int(quote["position"]) for quote in proposal.quotes}
    return {
        position + step
        for position in quoted
        for step in range(-TURNS_AROUND, TURNS_AROUND + 1)
        if position + step >= 0
    }


def _excerpt(proposal: Proposal, turns: dict[tuple[UUID, int], Turn], reader: UUID | None) -> list[DialogueLine]:
    if proposal.conversation_id is None:
        return []
    mine, last = proposal.person_id == reader, -1
    lines: list[DialogueLine] = []
    for position in sorted(_positions(proposal)):
        turn = turns.get((proposal.conversation_id, position))
        if turn:
            quotes = [quote["text"] for quote in proposal.quotes if quote["position"] == position]
            speaker = speaker_label(turn, person=str(proposal.person), mine=mine)
            shown = dialogue_line(turn, quotes, speaker=speaker, after_gap=bool(lines) and position > last + 1)
            lines.append(replace(shown, parts=shorten_unquoted(shown.parts)))
            last = position
    return lines


def shorten_unquoted(parts: Sequence[TextPart]) -> tuple[TextPart, ...]:
    """The same parts; long ones that are not quoted are cut at the end that is far from a quote."""
    last = len(parts) - 1
    return tuple(
        part if part.quoted else TextPart(_cut(part.text, head=position > 0 or last == 0, tail=position < last))
        for position, part in enumerate(parts)
    )


def _cut(text: str, *, head: bool, tail: bool) -> str:
    """The first or the last MAX_UNQUOTED_LENGTH characters, or both, in whole words."""
    if len(text) <= 2 * MAX_UNQUOTED_LENGTH:
        return text
    first = re.sub(r"\s*\S*$", "", text[:MAX_UNQUOTED_LENGTH]) if head else ""
    final = re.sub(r"^\S*\s*", "", text[-MAX_UNQUOTED_LENGTH:]) if tail else ""
    return f"{first}…{final}"


def _spans(text: str, quote: str) -> Iterable[Span]:
    """Where a quote occurs, white space of any kind being alike."""
    words = quote.split()
    if not words:
        return ()
    pattern = r"\s+".join(map(re.escape, words))
    return [found.span() for found in re.finditer(pattern, text)]


def _merge_spans(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
