"""Fading: what crossed the threshold goes to tier 2 in one statement, once, and can be brought back."""

import json
import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.fade import fade
from memory_app.engine.memories.delete_and_restore import restore
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.memories.remember import remember
from memory_app.engine.memories.versions import list_versions
from memory_app.engine.memories.write_version import change_memory, lock_memory, versioned_state
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.models import Memory, Operation, Version
from memory_app.models.ids import id_time
from memory_app.models.row_security import every_space
from memory_app.rules import strength

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 11, 20, 4, tzinfo=UTC)
AUTHOR = Author("key", "tests")


def kept(
    content: str, *, days: float = 0, person: str = "alice", place: VenueNames = PRIVATE_VENUE, **fields: Any
) -> Memory:
    """A memory last reinforced so many days before the night, with these columns."""
    told = NIGHT - timedelta(days=days)
    memory_input = MemoryInput(content, key="", visibility=fields.pop("visibility", None))
    memory = remember(
        venue_context=resolve_venue(person=person, place=place),
        memory_input=memory_input,
        author=AUTHOR,
        now=told,
        encoder=current_encoder(),
    ).memory
    with every_space():
        Memory.objects.filter(id=memory.id).update(**fields)
    return stored(memory)


def stored(memory: Memory) -> Memory:
    with every_space():
        return Memory.objects.select_related("person", "space", "channel").get(id=memory.id)


def tiers() -> dict[str, str]:
    with every_space():
        return {memory.content: memory.tier for memory in Memory.objects.all()}


def test_what_was_not_recalled_for_300_days_fades_and_the_rest_stays() -> None:
    kept("The attic is cold.", days=300)
    kept("The cellar is damp.", days=299)
    kept("The roof leaks.", days=100, decay_rate=0.03)
    assert fade(NIGHT) == 2
    assert tiers() == {"The attic is cold.": "deleted", "The cellar is damp.": "active", "The roof leaks.": "deleted"}


def test_fading_twice_changes_nothing() -> None:
    memory = kept("The attic is cold.", days=400)
    assert [fade(NIGHT), fade(NIGHT), fade(NIGHT + timedelta(days=1))] == [1, 0, 0]
    assert stored(memory).version == 2
    with every_space():
        assert (Version.objects.count(), Operation.objects.filter(name="fade").count()) == (1, 1)


def test_the_protected_and_reflections_and_what_has_no_rate_do_not_fade() -> None:
    kept("The attic is cold.", days=4000, protected=True)
    kept("This week was about tiles.", days=4000, type="reflection")
    kept("Zoe is the cat.", days=4000, decay_rate=0.0)
    with every_space():
        assert [memory.fades_on for memory in Memory.objects.all()] == [None, None, None]
    assert fade(NIGHT) == 0


def test_what_was_forgotten_before_stays_as_it_was_forgotten() -> None:
    memory = kept("The attic is cold.", days=400, deleted_at=NIGHT, status="deleted", delete_reason="asked")
    assert fade(NIGHT) == 0
    assert (stored(memory).delete_reason, stored(memory).version) == ("asked", 1)


def test_being_recalled_or_confirmed_keeps_a_memory() -> None:
    kept("The attic is cold.", days=400, reinforced_at=NIGHT - timedelta(days=1))
    assert fade(NIGHT) == 0


def test_a_faded_memory_tells_why_and_comes_back_as_it_was() -> None:
    memory = kept("The attic is cold.", days=400)
    fade(NIGHT)
    gone = stored(memory)
    assert (gone.status, gone.deleted_at, gone.deleted_by, gone.delete_reason) == (
        "deleted", NIGHT, "job:fade", "faded",
    )  # fmt: skip
    assert (gone.version, gone.updated_at, gone.changed_by) == (2, NIGHT, "job:fade")
    with every_space():
        logged = Operation.objects.get(name="fade")
    assert (logged.at, logged.author, logged.person_id, logged.memory_id) == (
        NIGHT, "job:fade", memory.person_id, memory.id,
    )  # fmt: skip
    assert logged.detail == {"version": 2, "changed": ["delete_reason", "deleted_at", "status"], "reason": "faded"}
    assert id_time(logged.id) == NIGHT
    assert logged.id.version == 7
    restore(at=MemoryRef(memory.space_id, memory.id), author=AUTHOR, now=NIGHT)
    assert stored(memory).tier == "active"
    assert fade(NIGHT) == 0


def test_the_version_reads_as_if_an_edit_had_written_it() -> None:
    event = datetime(2026, 3, 15, 9, 30, 15, 123456, tzinfo=UTC)
    memory = kept(
        "Anna’s cello lesson “at nine”.", days=400, keywords=["cello", "Anna"], tags=["music"], confidence=0.25,
        attributes={"a": [1, None]}, event_time=event, event_end=event.replace(microsecond=0), changed_by="user:root",
    )  # fmt: skip
    fade(NIGHT)
    with every_space():
        version = Version.objects.get()
    assert version.state == json.loads(json.dumps(versioned_state(memory)))
    assert (version.number, version.changed_by, version.changed_at, version.replaced_at) == (
        1, "user:root", memory.updated_at, NIGHT,
    )  # fmt: skip
    assert [past.number for past in list_versions(stored(memory))] == [1, 2]


def test_every_space_fades_at_once() -> None:
    kept("The attic is cold.", days=400)
    kept("The kettle sings.", days=400, person="bob", place=VenueNames("kitchen"))
    kept("Cooks meet at nine.", days=400, person="bob", place=VenueNames("kitchen", "cooks", restricted=True))
    assert fade(NIGHT) == 3


def test_a_thousand_fade_in_as_many_statements_as_one() -> None:
    def statements(number: int) -> int:
        venue_context = resolve_venue(person="alice")
        rows = [
            build_memory(venue_context, MemoryInput(f"Sheep {number} {n}.", key=""), NIGHT - timedelta(days=500)).memory
            for n in range(number)
        ]
        with every_space():
            Memory.objects.bulk_create(rows)
        with CaptureQueriesContext(connection) as captured:
            assert fade(NIGHT) == number
        return len(captured)

    assert statements(1) == statements(1000)


def test_the_formula_in_sql_and_the_one_in_python_agree() -> None:
    """Random rows, and the ends of every range."""
    chance, venue_context = random.Random(7), resolve_venue(person="alice")
    rows = []
    for number in range(400):
        memory = build_memory(venue_context, MemoryInput(f"Row {number}.", key=""), NIGHT).memory
        memory.confidence = chance.choice([0.0, 0.05, 0.050001, 0.3, 1.0, chance.random()])
        memory.decay_rate = chance.choice([1e-12, 0.01, 0.03, 5.0, chance.random()])
        memory.reinforced_at = NIGHT - timedelta(
            days=chance.choice([-1, 0, 1, 99.9, 300, 40_000, chance.random() * 500])
        )
        rows.append(memory)
    with every_space():
        Memory.objects.bulk_create(rows)
        told = {row.id: row for row in Memory.objects.fading().all()}
        faded = set(Memory.objects.faded(NIGHT).values_list("id", flat=True))
    expected = set()
    for row in rows:
        now = strength.strength(row.confidence, row.decay_rate, row.reinforced_at, NIGHT)
        if now < 0.05:
            expected.add(row.id)
        assert row.strength(NIGHT) == now
        on = strength.fades_on(row.confidence, row.decay_rate, row.reinforced_at)
        assert on is not None
        assert math.isclose(on.timestamp(), told[row.id].fades_at.timestamp(), rel_tol=1e-12, abs_tol=1e-3)  # type: ignore[attr-defined]
    assert faded == expected
    assert 50 < len(expected) < 350


def test_the_list_in_order_of_fading_begins_with_the_first_to_go(api: Any) -> None:
    kept("The attic is cold.", days=10)
    kept("The cellar is damp.", days=200)
    kept("The roof leaks.", days=90)
    kept("Zoe is the cat.", days=90, protected=True)
    first = api.get("/memories?person=alice&order=fades&limit=2").json()
    second = api.get(f"/memories?person=alice&order=fades&limit=2&cursor={first['next_cursor']}").json()
    assert [item["content"] for item in first["items"] + second["items"]] == [
        "The cellar is damp.", "The roof leaks.", "The attic is cold.",
    ]  # fmt: skip
    assert second["next_cursor"] is None


def _elsewhere(act: Callable[[], Any]) -> Thread:
    """Does it in a connection of its own."""

    def acting() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = Thread(target=acting)
    thread.start()
    return thread


@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("first", [0, 1])
def test_who_holds_one_that_fades_and_wants_another_does_not_wait_for_who_waits_for_them(first: int) -> None:
    both = [kept(content, days=400) for content in ("The attic is cold.", "The cellar is damp.")]
    faded: list[int] = []
    with every_space():
        held = lock_memory(both[first].space_id, both[first].id)
        assert held is not None
        night = _elsewhere(lambda: faded.append(fade(NIGHT)))
        night.join(20)
        assert faded == [1]
        assert lock_memory(both[1 - first].space_id, both[1 - first].id) is not None
        change_memory(held, operation="edit", author=AUTHOR, now=NIGHT, reinforced_at=NIGHT)
    assert tiers()[both[first].content] == "active"
    assert fade(NIGHT) == 0
