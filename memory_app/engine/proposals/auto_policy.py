"""What the policy `auto` does with what was noticed: what is sure is kept, the rest goes to the day's note."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import NO_ADDITIONS, Additions, build_memory, input_from_finding
from memory_app.engine.memories.save import save_memories
from memory_app.engine.summaries.notes import build_note
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Note, Turn
from memory_app.nlp.extract import Finding
from memory_app.nlp.understand import is_global_safe
from memory_app.rules.visibility import Visibility


def save_or_note(
    *,
    venue_context: VenueContext,
    found: Finding,
    conversation: UUID,
    turns: Mapping[int, Turn],
    author: Author,
    now: datetime,
    encoder: Encoder,
    additions: Additions = NO_ADDITIONS,
) -> Literal["kept", "noted", "known"]:
    """Kept, privately unless it is harmless, or in the note of the day on which it was said; known where it is there
    already, for what was read may be read again. Expects the venue's scope."""
    if found.confidence >= settings.KEEPSAKE_AUTO_CONFIDENCE:
        memory_input = additions.apply_to(input_from_finding(found, conversation, turns))
        if not is_global_safe(found.content, found.key):
            # Said before others, but nobody asked whether others may be told it: only what is plainly harmless is.
            memory_input = replace(memory_input, visibility=Visibility.PRIVATE.value)
        draft = build_memory(venue_context, memory_input, now)
        save_memories(venue_context=venue_context, drafts=[draft], author=author, now=now, encoder=encoder)
        return "kept"
    said_on = turns[found.turns[0]].spoken_at.astimezone(venue_context.person.zone).date()
    same = Note.objects.filter(
        space_id=venue_context.venue.home, person=venue_context.person, date=said_on, text=found.summary
    )
    if same.exists():  # one that was deleted does not come back
        return "known"
    build_note(person=venue_context.person, day=said_on, text=found.summary, author=author, now=now).save(
        force_insert=True
    )
    return "noted"
