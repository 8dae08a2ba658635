"""Read turns: which conversations hold turns that nobody read yet, and what the extractor finds in them.

Reading locks nothing and changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.models import Conversation, Person, Turn
from memory_app.models.conversation import MIN_TURNS, ConversationQuerySet, turns_for_extractor
from memory_app.models.memory import with_context
from memory_app.models.row_security import every_space
from memory_app.nlp.extract import Finding, extract

BATCH_SIZE = 500
"""Conversations to one run of a job; the next run takes the next ones."""


def conversations_left(*, person: UUID, opened: UUID) -> list[Conversation]:
    """A person's other conversations, once they opened a new one."""
    return _long_enough(Conversation.objects.unread().filter(person_id=person).exclude(id=opened))


def idle_conversations(now: datetime) -> list[Conversation]:
    """Conversations in which nobody has spoken for half an hour."""
    return _long_enough(Conversation.objects.idle(now))


def unread_conversations() -> list[Conversation]:
    """All that is left for the night."""
    return _long_enough(Conversation.objects.unread())


def _long_enough(rows: ConversationQuerySet) -> list[Conversation]:
    """Those long enough to hold something, the longest waiting first."""
    if not settings.KEEPSAKE_MEMORY:
        return []
    with every_space():
        long_enough = rows.filter(turn_count__gte=4, person__memory_enabled=True).exclude(
            person__extraction_policy="off"
        )
        return list(long_enough.order_by("last_turn_at").only("space_id", "id")[:BATCH_SIZE])


TURNS_REREAD = 100
"""The last turns of a conversation that are heard again, so that what is unread is measured against them: two turns
after a run are too few to be read alone. What is unread is read however long it is."""

PAGE_TURNS = 30
"""Turns of a page, where all of a long conversation is read once more (seed: 30 a page). Each may yield as many
proposals as a conversation."""


@dataclass(frozen=True, slots=True)
class TurnsToRead:
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

    def is_current(self, conversation_now: Conversation) -> bool:
        """Whether the conversation, by now, would be heard just so up to here: what was said since is for the next
        run. Read by another meanwhile, passed on to whom its person turned out to be, or a turn of it erased: no."""
        now = _turn_rows(conversation_now, self.start, self.end).values_list("id", "content")
        unread = self.again or conversation_now.extracted_to == self.start
        same = unread and conversation_now.person_id == self.conversation.person_id
        return same and list(now) == [(turn.id, turn.content) for turn in self.turns]


@dataclass(frozen=True, slots=True)
class PageFindings:
    """What of some turns is worth keeping and may be put to the person; a vector for each."""

    turns: Sequence[Turn]
    found: Sequence[Finding]
    vectors: Vectors


def turns_to_read(conversation: Conversation, by_pages: bool) -> TurnsToRead:
    """What no run has read, or by pages all of one that is longer than a page. Expects the conversation's scope."""
    again = by_pages and conversation.turn_count > PAGE_TURNS
    start, end = 0 if again else conversation.extracted_to, conversation.turn_count
    return TurnsToRead(conversation, list(_turn_rows(conversation, start, end)), start, end, again)


def extract_findings(reading: TurnsToRead, encoder: Encoder, *, min_turns: int = MIN_TURNS) -> list[PageFindings]:
    """What is noticed in it as a whole, or in each page. min_turns: fewer yield nothing."""
    pages = _page_turns(reading) if reading.again else [(reading.turns, reading.unread)]
    pages_found = [(turns, _extract(reading.conversation.person, turns, unread, min_turns)) for turns, unread in pages]
    return [
        PageFindings(turns, found, encoder.documents([with_context(item.content, item.context) for item in found]))
        for turns, found in pages_found
        if found
    ]


def _turn_rows(conversation: Conversation, start: int, end: int) -> QuerySet[Turn]:
    first = min(start, end - TURNS_REREAD)
    rows = Turn.objects.since_cleared().filter(space_id=conversation.space_id, conversation_id=conversation.id)
    return rows.filter(position__gte=first, position__lt=end).order_by("position")


def _page_turns(reading: TurnsToRead) -> Iterator[tuple[Sequence[Turn], frozenset[int]]]:
    """The turns of each page, and which of them are its own: it is measured against those before it."""
    for start in range(0, reading.end, PAGE_TURNS):
        end = start + PAGE_TURNS
        turns = [turn for turn in reading.turns if end - TURNS_REREAD <= turn.position < end]
        yield turns, frozenset(turn.position for turn in turns if turn.position >= start)


def _extract(person: Person, turns: Sequence[Turn], unread: frozenset[int], min_turns: int) -> list[Finding]:
    return extract(
        turns_for_extractor(turns),
        person=str(person),
        timezone=person.zone,
        limit=settings.KEEPSAKE_PROPOSALS,
        unread=unread,
        language=person.language,
        min_turns=min_turns,
    )
