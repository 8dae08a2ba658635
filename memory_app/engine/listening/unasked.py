"""What the policy `auto` does with what was noticed: what is sure is kept, the rest goes to the day's note."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from ...embedding.encoder import Encoder
from ...language.extract import Found
from ...models import Note, Relation, Turn
from ..author import Author
from ..enter import Entered
from ..keeping.compose import compose
from ..keeping.keep import keep
from ..keeping.noticed import given_of

SURE = 0.7
"""Confidence from which the policy `auto` keeps by itself (design: "Policy per person")."""


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
    """Kept, or in the note of the day on which it was said; known where it is there already, for what was read may be
    read again. Expects the venue's scope."""
    if found.confidence >= SURE:
        memory = compose(entered, given_of(found, conversation, turns), now)
        put_up = [Relation.CONFLICT]
        keep(entered=entered, memories=[memory], author=author, now=now, encoder=encoder, put_up=put_up)
        return "kept"
    said_on = turns[found.turns[0]].spoken_at.astimezone(entered.person.zone).date()
    note = {"space_id": entered.venue.home, "person": entered.person, "date": said_on, "text": found.summary}
    if Note.objects.filter(**note).exists():
        return "known"
    Note.objects.create(**note, author=author.label, created_at=now)
    return "noted"
