"""Worlds to see from: Alice among others, and rows of every level that she may see from some places and not from
others. Rows are stored as they are described, with no decision about them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory_app.embedding.encoder import Encoder, current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.entities.link_mentions import link_mentions
from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.memories.write_version import change_memory
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.models import Conversation, Membership, Memory, Status, Turn
from memory_app.models.ids import new_id
from memory_app.models.row_security import every_space
from memory_app.models.text_search import text_tsvector

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
PEOPLE = ("alice", "bob", "charlie")
PLACES = {
    "private": VenueNames(),
    "kitchen": VenueNames("kitchen"),
    "cooks": VenueNames("kitchen", "cooks", restricted=True),
    "chefs": VenueNames("kitchen", "chefs", restricted=True),
    "garage": VenueNames("garage"),
    "bench": VenueNames("garage", "bench", restricted=True),
    "attic": VenueNames("attic"),
}
"""Alice belongs to the kitchen, has left the attic, and never was in the garage."""

LEVELS = {"private": ("private", "global", "everyone"), "kitchen": ("space",), "garage": ("space",),
          "attic": ("space",), "cooks": ("channel",), "chefs": ("channel",), "bench": ("channel",)}  # fmt: skip
"""The levels of memories that are kept at each place."""


@dataclass(frozen=True)
class Row:
    """A memory to be. vector: of the current model, of another one, or none yet. minutes: before noon."""

    person: str
    place: str
    level: str
    text: str
    key: str = ""
    deleted: bool = False
    edited: bool = False
    vector: str = "current"
    minutes: int = 60
    said: bool = False
    """A turn of a conversation instead of a memory."""

    @property
    def slot(self) -> tuple[str, str, str, str]:
        return (self.person, self.place, self.level, self.key)


@dataclass(frozen=True)
class World:
    """Who is where. Made once; rows come and go."""

    venue_context: dict[tuple[str, str], VenueContext]

    @classmethod
    def build(cls) -> "World":
        reach = {(p, at) for p in PEOPLE for at in PLACES if p != "alice" or at not in ("garage", "bench")}
        venue_context = {(person, at): resolve_venue(person=person, place=PLACES[at]) for person, at in sorted(reach)}
        Membership.objects.filter(person__name="alice", space__name="attic").update(left_at=NOON)
        # Entered again: only now is it known where everyone has been.
        venue_context |= {
            (p, at): resolve_venue(person=p, place=PLACES[at]) for p, at in reach if (p, at) != ("alice", "attic")
        }
        return cls(venue_context)

    def memory(self, row: Row) -> Memory:
        """The row, unsaved; its id is new."""
        at = NOON - timedelta(minutes=row.minutes)
        memory_input = MemoryInput(content=row.text, key=row.key, visibility=row.level, tags=[row.text.split()[0]])
        memory = build_memory(self.venue_context[row.person, row.place], memory_input, at).memory
        memory.id = new_id()
        _set_vector(memory, row.vector, current_encoder())
        if row.deleted:
            memory.status, memory.deleted_at, memory.delete_reason = Status.DELETED, at, "asked"
        return memory


def _set_vector(memory: Memory, vector: str, encoder: Encoder) -> None:
    if vector == "current":
        memory.embedding, memory.embedding_model = encoder.documents([memory.content])[0], encoder.name
    elif vector == "other":  # of another dimension too
        memory.embedding, memory.embedding_model = [0.6, 0.8, 0.0], "another-model"


def store(rows: Iterable[tuple[Row, Memory]]) -> None:
    """Inserts them, with the entities they name; an edited one has a version and an operation besides.

    What was only said is inserted as a turn, of the same words in the same place.
    """
    author = Author("command", "worlds")
    with every_space():
        for row, memory in rows:
            if row.said:
                _say(memory)
                continue
            memory.save(force_insert=True)
            link_mentions([memory])
            if row.edited:
                change_memory(memory, operation="edit", author=author, now=timezone.now(), confidence=0.9)


def _say(memory: Memory) -> None:
    placed: dict[str, Any] = {
        name: getattr(memory, name) for name in ("space_id", "person_id", "visibility", "channel_id")
    }
    at = memory.created_at
    conversation = Conversation(**placed, id=memory.id, started_at=at, last_turn_at=at, turn_count=1)
    conversation.save(force_insert=True)
    turn = Turn(**placed, conversation_id=conversation.id, position=0, role="user", speaker=memory.person.name)
    turn.content, turn.spoken_at, turn.created_at = memory.content, at, at
    turn.tsv = text_tsvector(memory.content, memory.person.language)
    turn.embedding, turn.embedding_model = memory.embedding, memory.embedding_model
    turn.save(force_insert=True)


def seen_by(venue_context: VenueContext) -> set[UUID]:
    """Ids of what is seen from a venue, by the application's rule alone: row security lets everything through."""
    with every_space():
        return set(Memory.objects.undeleted().visible_from(venue_context.venue).values_list("id", flat=True))


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens within has not happened afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
