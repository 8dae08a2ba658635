"""Read from a conversation what its person asked to remember all of, as input for memories."""

from dataclasses import replace
from uuid import UUID

from memory_app.engine.memories.memory_input import MemoryInput, input_from_finding
from memory_app.engine.venue_context import VenueContext
from memory_app.models import SourceType, Turn
from memory_app.models.conversation import turns_for_extractor
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract import extract
from memory_app.nlp.extract.vocabulary import content_words

MOST_INPUTS = 20
"""Memories that one request to remember a conversation makes: more of it is hardly worth remembering."""

TURNS_READ = 100
"""The last turns of a conversation that such a request covers, as many as are read for proposals."""


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
