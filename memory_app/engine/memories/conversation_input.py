"""Turn stored turns into input for the extractor, and its findings into input for memories."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.engine.venue_context import VenueContext
from memory_app.models import SourceType, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract import Finding, SpokenTurn, extract
from memory_app.nlp.extract.vocabulary import content_words

MOST_INPUTS = 20
"""Memories that one request to remember a conversation makes: more of it is hardly worth remembering."""

TURNS_READ = 100
"""The last turns of a conversation that such a request covers, as many as are read for proposals."""


def turns_for_extractor(turns: Sequence[Turn]) -> list[SpokenTurn]:
    """Stored turns in the form that the extractor reads."""
    return [
        SpokenTurn(turn.position, turn.role, turn.content, turn.speaker, turn.spoken_at, turn.mode, turn.outcome)
        for turn in turns
    ]


def last_stored_at(found: Finding, turns: Mapping[int, Turn]) -> datetime:
    """When the last of the quoted turns was stored. `turns` by position holds those that are quoted."""
    return max(turns[position].created_at for position in found.turns)


def time_spoken(turn: Turn) -> datetime:
    """When a turn was spoken, which is never after it was stored."""
    return min(turn.spoken_at, turn.created_at)


def input_from_finding(found: Finding, conversation: UUID, turns: Mapping[int, Turn]) -> MemoryInput:
    """A finding as input for a memory. `turns` by position holds those that it quotes."""
    quoted = tuple(turns[position].id for position in found.turns)
    return MemoryInput(
        content=found.content,
        context=found.context,
        summary=found.summary,
        type=found.type,
        category=found.category,
        key=found.key,
        keywords=list(found.keywords),
        source=MemorySource(SourceType.EXTRACTED.value, conversation, found.speaker, quoted),
        confidence=found.confidence,
        event_time=found.event_time,
        event_end=found.event_end,
        said_at=max(time_spoken(turns[position]) for position in found.turns),
        stated=(),
    )


def inputs_from_conversation(venue_context: VenueContext, conversation: UUID, about: str = "") -> list[MemoryInput]:
    """What the person said in a conversation that is worth remembering; with `about`, what shares a word with it."""
    with allowed_spaces(venue_context.venue.spaces):
        rows = Turn.objects.searchable().visible_from(venue_context.venue).filter(conversation_id=conversation)
        turns = list(reversed(rows.order_by("-position")[:TURNS_READ]))
    person, wanted_words = venue_context.person, set(content_words(about))
    found = extract(
        turns_for_extractor(turns),
        person=str(person),
        timezone=person.zone,
        limit=MOST_INPUTS,
        language=person.language,
    )
    by_position = {turn.position: turn for turn in turns}
    return [
        _as_explicit(input_from_finding(one, conversation, by_position))
        for one in found
        if one.speaker in (str(person), person.name)
        and (not wanted_words or wanted_words & set(content_words(one.content)))
    ]


def _as_explicit(memory_input: MemoryInput) -> MemoryInput:
    """The person asked for it, so it is certain."""
    return replace(memory_input, source=replace(memory_input.source, type=SourceType.EXPLICIT.value), confidence=1.0)
