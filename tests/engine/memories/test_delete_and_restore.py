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
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Memory, Operation, Status
from memory_app.models.row_security import every_space

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
