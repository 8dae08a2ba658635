"""Between stored turns, what the extractor finds in them, and what may be kept of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from ...language.extract import Found, Said
from ...models import SourceType, Turn
from .compose import Given, Source


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


def given_of(found: Found, conversation: UUID, turns: Mapping[int, Turn]) -> Given:
    """A finding as what may be kept. `turns` by position holds those that it quotes."""
    quoted = tuple(turns[position].id for position in found.turns)
    return Given(
        content=found.content,
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
