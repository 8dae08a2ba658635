"""Restore: what was forgotten comes back as it was, and what happened meanwhile stands."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.clear import clear_memories
from memory_app.engine.deletion.undo import undo_operations
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.delete_and_restore import delete_memories, delete_memory, restore, restore_all
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import NotFound
from memory_app.models import Memory, Operation, Status
from memory_app.models.row_security import every_space
from tests.engine.memories.saved_memories import (
    LATER,
    LATER_STILL,
    SOMEONE,
    memory_ref,
    operations_of,
    reload_memory,
    save_memory,
)

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ALICE = Author("user", "alice")
Keep = Callable[..., Memory]


@pytest.fixture
def keep(encoder: Encoder) -> Keep:
    def kept(content: str, *, person: str = "alice", minutes: int = 0, key: str = "") -> Memory:
        now = NOON + timedelta(minutes=minutes)
        venue_context = resolve_venue(person=person)
        return remember(
            venue_context=venue_context,
            memory_input=MemoryInput(content, key=key),
            author=ALICE,
            now=now,
            encoder=encoder,
        ).memory

    return kept


def _at(memory: Memory) -> MemoryRef:
    return MemoryRef(memory.space_id, memory.id)


def _forgotten(*memories: Memory) -> None:
    for memory in memories:
        delete_memory(at=_at(memory), author=ALICE, now=NOON)


def _stored(memory: Memory) -> Memory:
    with every_space():
        return Memory.objects.get(id=memory.id)


def test_a_superseded_memory_is_restored_as_superseded(keep: Keep) -> None:
    volvo, tesla = keep("My car is a Volvo.", key="car"), keep("My car is a Tesla.", key="car", minutes=1)
    _forgotten(volvo)
    back = restore(at=_at(volvo), author=ALICE, now=NOON)
    assert (back.status, back.superseded_by) == (Status.SUPERSEDED, tesla.id)


def test_a_memory_is_active_again_when_its_successor_is_deleted(keep: Keep) -> None:
    volvo, tesla = keep("My car is a Volvo.", key="car"), keep("My car is a Tesla.", key="car", minutes=1)
    _forgotten(tesla, volvo)
    restore(at=_at(volvo), author=ALICE, now=NOON)
    back = _stored(volvo)
    assert (back.status, back.superseded_by, back.valid_to, back.key) == (Status.ACTIVE, None, None, "car")
    later = restore(at=_at(tesla), author=ALICE, now=NOON)
    assert (later.status, later.key) == (Status.ACTIVE, "")


def test_among_several_a_superseded_memory_stays_superseded(keep: Keep) -> None:
    cars = [keep(f"My car is a {car}.", key="car", minutes=at) for at, car in enumerate(("Volvo", "Tesla", "Saab"))]
    _forgotten(*cars)
    assert len(restore_all(memories=cars, author=ALICE, now=NOON)) == 3
    assert [_stored(car).status for car in cars] == ["superseded", "superseded", "active"]
    assert [_stored(car).key for car in cars] == ["car", "car", "car"]


def test_undoing_a_clear_restores_the_state_before(keep: Keep) -> None:
    cars = [keep(f"My car is a {car}.", key="car", minutes=at) for at, car in enumerate(("Volvo", "Tesla", "Saab"))]
    clear_memories(venue_context=resolve_venue(person="alice"), author=ALICE, now=NOON)
    with every_space():
        operations = list(Operation.objects.filter(name="forget"))
    assert undo_operations(operations=operations, author=ALICE, now=NOON).number == 3
    assert [_stored(car).status for car in cars] == ["superseded", "superseded", "active"]
    assert _stored(cars[2]).key == "car"


def test_undo_skips_memories_restored_or_erased_meanwhile(keep: Keep) -> None:
    rows = [keep(text) for text in ("Tea is at five.", "The tap is brass.", "The saw is blunt.")]
    _forgotten(*rows)
    restore(at=_at(rows[0]), author=ALICE, now=NOON)
    erase(at=_at(rows[1]), author=ALICE, now=NOON)
    assert [row.id for row in restore_all(memories=rows, author=ALICE, now=NOON)] == [rows[2].id]
    _forgotten(rows[0])
    assert [row.id for row in delete_memories(memories=rows, author=ALICE, now=NOON)] == [rows[2].id]


def test_people_are_locked_in_one_order(keep: Keep) -> None:
    rows = [keep(f"The tile of {name} is blue.", person=name) for name in ("alice", "bob", "charlie", "alice")]
    _forgotten(*rows[:3])
    there = restore_all(memories=[rows[1], rows[2], rows[0]], author=ALICE, now=NOON)
    assert [row.person_id for row in there] == sorted(row.person_id for row in rows[:3])


def test_a_deleted_and_restored_memory_is_unchanged(home: Memory) -> None:
    delete_memory(at=memory_ref(home), author=SOMEONE, now=LATER)
    with pytest.raises(NotFound):
        delete_memory(at=memory_ref(home), author=SOMEONE, now=LATER)
    back = restore(at=memory_ref(home), author=SOMEONE, now=LATER_STILL)
    assert (back.tier, back.status, back.key, back.version) == ("active", "active", "home", 3)
    assert (back.deleted_at, back.deleted_by, back.delete_reason) == (None, "", "")
    assert back.reinforced_at == LATER_STILL
    assert [operation.name for operation in operations_of(home)] == ["remember", "forget", "restore"]
    with pytest.raises(NotFound):
        restore(at=memory_ref(home), author=SOMEONE, now=LATER_STILL)


def test_a_memory_restored_after_its_key_was_taken_has_none(
    home: Memory, alice: VenueContext, encoder: Encoder
) -> None:
    delete_memory(at=memory_ref(home), author=SOMEONE, now=LATER)
    newer = save_memory(alice, encoder, "Alice lives in Rome", now=LATER, key="home")
    assert newer.supersedes is None
    back = restore(at=memory_ref(home), author=SOMEONE, now=LATER_STILL)
    assert (back.status, back.key, reload_memory(newer).key) == ("active", "", "home")


def test_a_superseded_and_deleted_memory_is_restored_as_superseded(
    home: Memory, alice: VenueContext, encoder: Encoder
) -> None:
    newer = save_memory(alice, encoder, "Alice lives in Rome", now=LATER, key="home")
    delete_memory(at=memory_ref(home), author=SOMEONE, now=LATER)
    back = restore(at=memory_ref(home), author=SOMEONE, now=LATER_STILL)
    assert (back.status, back.superseded_by, back.key) == ("superseded", newer.id, "home")


def test_undo_restores_only_what_its_operations_deleted(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    cello, dentist = (
        save_memory(alice, encoder, text) for text in ("Alice plays the cello", "The dentist is on Monday")
    )
    for memory in (home, cello, dentist):
        delete_memory(at=memory_ref(memory), author=SOMEONE, now=LATER)
    restore(at=memory_ref(cello), author=SOMEONE, now=LATER)
    done = [*operations_of(home), *operations_of(cello)]
    undone = undo_operations(operations=done, author=SOMEONE, now=LATER_STILL)
    assert [memory.id for memory in undone.restored] == [home.id]
    assert [reload_memory(memory).tier for memory in (home, cello, dentist)] == ["active", "active", "deleted"]
