"""Between stored turns, what the extractor finds in them, and what may be kept of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from memory_app.engine.keeping.compose import Given, Source
from memory_app.language.extract import Found, Said
from memory_app.models import Proposal, SourceType, Turn


def as_said(turns: Sequence[Turn]) -> list[Said]:
    """Stored turns as the extractor takes them."""
    return [
        Said(turn.position, turn.role, turn.content, turn.speaker, turn.spoken_at, turn.mode, turn.outcome)
        for turn in turns
    ]


def heard_at(found: Found, turns: Mapping[int, Turn]) -> datetime:
    """When the last of the turns that a finding quotes was heard. `turns` by position holds those that it quotes."""
    return max(turns[position].created_at for position in found.turns)


def said_at(turn: Turn) -> datetime:
    """When a turn was spoken, which is never after it was heard."""
    return min(turn.spoken_at, turn.created_at)


def said_last(proposals: Sequence[Proposal]) -> dict[UUID, datetime]:
    """When each of some proposals of one space was said: with the last of its turns, or, of which none are left, when
    it was put up. Expects the space's scope."""
    quoted = {one.id: [UUID(quote["turn"]) for quote in one.quotes] for one in proposals}
    ids = [turn for turns in quoted.values() for turn in turns]
    spaces = {one.space_id for one in proposals}
    spoken = {turn.id: said_at(turn) for turn in Turn.objects.filter(space_id__in=spaces, id__in=ids)}
    return {
        one.id: max((spoken[turn] for turn in quoted[one.id] if turn in spoken), default=one.created_at)
        for one in proposals
    }


def given_of(found: Found, conversation: UUID, turns: Mapping[int, Turn]) -> Given:
    """A finding as what may be kept. `turns` by position holds those that it quotes."""
    quoted = tuple(turns[position].id for position in found.turns)
    return Given(
        content=found.content,
        context=found.context,
        summary=found.summary,
        type=found.type,
        category=found.category,
        key=found.key,
        keywords=list(found.keywords),
        source=Source(SourceType.EXTRACTED.value, conversation, found.speaker, quoted),
        confidence=found.confidence,
        event_time=found.event_time,
        event_end=found.event_end,
        told_at=max(said_at(turns[position]) for position in found.turns),
        stated=(),
    )
