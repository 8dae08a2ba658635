"""Hear: the turns that a run reads, and what is noticed in them. Nothing is held meanwhile, and nothing changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.keeping.noticed import as_said
from memory_app.language.extract import Found, extract
from memory_app.models import Conversation, Person, Turn
from memory_app.models.memory import in_context

LISTENED_TO = 100
"""The last turns of a conversation that are heard again, so that what is unread is measured against them: two turns
after a run are too few to be read alone. What is unread is read however long it is."""

PAGE = 30
"""Turns of a page, where all of a long conversation is read once more (seed: 30 a page). Each may yield as many
proposals as a conversation."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Turns of a conversation as they are: from `start` to before `end` they are new, those before only heard again.

    again: whether all of it is read once more, by pages.
    """

    conversation: Conversation
    turns: Sequence[Turn]
    start: int
    end: int
    again: bool

    @property
    def unread(self) -> frozenset[int]:
        return frozenset(turn.position for turn in self.turns if turn.position >= self.start)

    def stands(self, held: Conversation) -> bool:
        """Whether the conversation, by now, would be heard just so up to here: what was said since is for the next
        run. Read by another meanwhile, passed on to whom its person turned out to be, or a turn of it erased: no."""
        now = _turns(held, self.start, self.end).values_list("id", "content")
        unread = self.again or held.extracted_to == self.start
        same = unread and held.person_id == self.conversation.person_id
        return same and list(now) == [(turn.id, turn.content) for turn in self.turns]


@dataclass(frozen=True, slots=True)
class Noticed:
    """What of some turns is worth keeping and may be put to the person; a vector for each."""

    turns: Sequence[Turn]
    found: Sequence[Found]
    vectors: Vectors


def hear(conversation: Conversation, by_pages: bool) -> Heard:
    """What no run has read, or by pages all of one that is longer than a page. Expects the conversation's scope."""
    again = by_pages and conversation.turn_count > PAGE
    start, end = 0 if again else conversation.extracted_to, conversation.turn_count
    return Heard(conversation, list(_turns(conversation, start, end)), start, end, again)


def notice(heard: Heard, encoder: Encoder) -> list[Noticed]:
    """What is noticed in it as a whole, or in each page."""
    pages = _pages(heard) if heard.again else [(heard.turns, heard.unread)]
    noticed = [(turns, _found(heard.conversation.person, turns, unread)) for turns, unread in pages]
    return [
        Noticed(turns, found, encoder.documents([in_context(item.content, item.context) for item in found]))
        for turns, found in noticed
        if found
    ]


def _turns(conversation: Conversation, start: int, end: int) -> QuerySet[Turn]:
    first = min(start, end - LISTENED_TO)
    rows = Turn.objects.to_be_read().filter(space_id=conversation.space_id, conversation_id=conversation.id)
    return rows.filter(position__gte=first, position__lt=end).order_by("position")


def _pages(heard: Heard) -> Iterator[tuple[Sequence[Turn], frozenset[int]]]:
    """The turns of each page, and which of them are its own: it is measured against those before it."""
    for start in range(0, heard.end, PAGE):
        end = start + PAGE
        turns = [turn for turn in heard.turns if end - LISTENED_TO <= turn.position < end]
        yield turns, frozenset(turn.position for turn in turns if turn.position >= start)


def _found(person: Person, turns: Sequence[Turn], unread: frozenset[int]) -> list[Found]:
    return extract(
        as_said(turns),
        person=str(person),
        timezone=person.zone,
        limit=settings.KEEPSAKE_PROPOSALS,
        unread=unread,
        language=person.language,
    )
