"""All that a person told in a conversation, as what they ask to keep: "remember everything"."""

from dataclasses import replace
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.noticed import as_said, given_of
from memory_app.language.extract import extract
from memory_app.language.extract.vocabulary import content_words
from memory_app.models import SourceType, Turn
from memory_app.models.scope import within

AT_MOST = 20
"""Memories that one such request makes: more of a talk is hardly worth keeping."""

LOOKED_BACK_AT = 100
"""The last turns of a conversation that are meant, as many as are heard when it is read."""


def told_in(entered: Entered, conversation: UUID, about: str = "") -> list[Given]:
    """What is noticed in a conversation of what the person told themselves, or of it what speaks of `about`."""
    with within(entered.venue.spaces):
        rows = Turn.objects.spoken().visible_from(entered.venue).filter(conversation_id=conversation)
        turns = list(reversed(rows.order_by("-position")[:LOOKED_BACK_AT]))
    person, asked_for = entered.person, set(content_words(about))
    found = extract(as_said(turns), person=str(person), timezone=person.zone, limit=AT_MOST, language=person.language)
    by_position = {turn.position: turn for turn in turns}
    return [
        _asked_for(given_of(one, conversation, by_position))
        for one in found
        if one.speaker in (str(person), person.name) and (not asked_for or asked_for & set(content_words(one.content)))
    ]


def _asked_for(given: Given) -> Given:
    """The person said to keep it: no doubt is left."""
    return replace(given, source=replace(given.source, type=SourceType.EXPLICIT.value), confidence=1.0)
