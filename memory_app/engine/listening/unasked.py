"""What the policy `auto` does with what was noticed: what is sure is kept, the rest goes to the day's note."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import compose
from memory_app.engine.keeping.keep import keep
from memory_app.engine.keeping.noticed import given_of
from memory_app.engine.notes.add_note import new_note
from memory_app.language.extract import Found
from memory_app.language.local import is_global_safe
from memory_app.models import Note, Turn
from memory_app.rules.visibility import Visibility


def keep_or_note(
    *,
    entered: Entered,
    found: Found,
    conversation: UUID,
    turns: Mapping[int, Turn],
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> Literal["kept", "noted", "known"]:
    """Kept, privately unless it is harmless, or in the note of the day on which it was said; known where it is there
    already, for what was read may be read again. Expects the venue's scope."""
    if found.confidence >= settings.KEEPSAKE_AUTO_CONFIDENCE:
        given = given_of(found, conversation, turns)
        if not is_global_safe(found.content, found.key):
            # Said before others, but nobody asked whether others may be told it: only what is plainly harmless is.
            given = replace(given, visibility=Visibility.PRIVATE.value)
        memory = compose(entered, given, now)
        keep(entered=entered, memories=[memory], author=author, now=now, encoder=encoder)
        return "kept"
    said_on = turns[found.turns[0]].spoken_at.astimezone(entered.person.zone).date()
    same = Note.objects.filter(space_id=entered.venue.home, person=entered.person, date=said_on, text=found.summary)
    if same.exists():  # one that was deleted does not come back
        return "known"
    new_note(person=entered.person, day=said_on, text=found.summary, author=author, now=now).save(force_insert=True)
    return "noted"
