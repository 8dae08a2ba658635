"""Every change to a memory leaves the version it was and an operation: who, when, what."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, confirm, correct, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.memories.versions import list_versions
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ChangedMeanwhile, ConflictError, NotFound
from memory_app.models import Memory, Operation, Version
from memory_app.models.row_security import every_space
from tests.engine.memories.saved_memories import (
    ASSISTANT,
    LATER,
    SOMEONE,
    memory_ref,
    operations_of,
    reload_memory,
    save_memory,
)
from tests.worlds import NOON

pytestmark = pytest.mark.django_db


Act = Callable[[MemoryRef, VenueContext, Encoder, datetime], object]


def _edit(at: MemoryRef, _: VenueContext, encoder: Encoder, now: datetime) -> object:
    return edit(at=at, changes={"content": "Alice lives in Lyon"}, author=SOMEONE, now=now, encoder=encoder)


def _correct(at: MemoryRef, venue_context: VenueContext, encoder: Encoder, now: datetime) -> object:
    return correct(
        venue_context=venue_context, at=at, content="Alice lives in Lyon", author=SOMEONE, now=now, encoder=encoder
    )


def _confirm(at: MemoryRef, _: VenueContext, __: Encoder, now: datetime) -> object:
    return confirm(at=at, author=SOMEONE, now=now)


def _forget(at: MemoryRef, _: VenueContext, __: Encoder, now: datetime) -> object:
    return delete_memory(at=at, author=SOMEONE, now=now)


def _supersede(_: MemoryRef, venue_context: VenueContext, encoder: Encoder, now: datetime) -> object:
    memory_input = MemoryInput("Alice lives in Rome", key="home")
    return remember(venue_context=venue_context, memory_input=memory_input, author=SOMEONE, now=now, encoder=encoder)


ACTS: dict[str, tuple[Act, str, dict[str, tuple[Any, Any]]]] = {
    "edit": (_edit, "edit", {"content": ("Alice lives in Paris", "Alice lives in Lyon")}),
    "correct": (_correct, "correct", {"status": ("active", "superseded"), "valid_to": (None, LATER)}),
    "confirm": (_confirm, "confirm", {"protected": (False, True)}),
    "forget": (_forget, "forget", {"status": ("active", "deleted"), "deleted_at": (None, LATER)}),
    "supersede": (_supersede, "supersede", {"status": ("active", "superseded"), "valid_to": (None, LATER)}),
}


@pytest.mark.parametrize("name", ACTS)
def test_a_change_leaves_a_version_and_an_operation(
    name: str, home: Memory, alice: VenueContext, encoder: Encoder
) -> None:
    act, verb, changed = ACTS[name]
    act(memory_ref(home), alice, encoder, LATER)
    row = reload_memory(home)
    assert (row.version, row.updated_at, row.changed_by) == (2, LATER, "user:charlie")
    before, after = list_versions(row)
    assert (before.number, before.changed_by, before.changed_at) == (1, "key:ks_1234 assistant", NOON)
    assert (after.number, after.changed_by, after.changed_at, after.current) == (2, "user:charlie", LATER, True)
    for field, (old, new) in changed.items():
        assert before.state[field] == old
        assert getattr(row, field) == new
    first, second = operations_of(home)
    assert (first.name, first.author, first.at, first.request_id) == ("remember", ASSISTANT.label, NOON, "request-1")
    assert (second.name, second.author, second.at, second.request_id) == (verb, SOMEONE.label, LATER, "request-2")
    assert second.detail["version"] == 2
    assert set(changed) <= set(second.detail["changed"])


def test_the_log_holds_none_of_the_words(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    for act, _, _ in ACTS.values():
        try:
            act(memory_ref(home), alice, encoder, LATER)
        except (ConflictError, NotFound):
            continue
    with every_space():
        told = " ".join(str(operation.detail) for operation in Operation.objects.all())
    assert not [word for word in ("Paris", "Lyon", "Rome", "lives") if word in told]


def test_versions_are_numbered_without_a_gap_and_kept_in_order(home: Memory, encoder: Encoder) -> None:
    towns = ["Lyon", "Rome", "Oslo"]
    for hours, town in enumerate(towns, 1):
        moment = NOON + timedelta(hours=hours)
        edit(
            at=memory_ref(home),
            changes={"content": f"Alice lives in {town}"},
            author=SOMEONE,
            now=moment,
            encoder=encoder,
        )
    past = list_versions(reload_memory(home))
    assert [version.number for version in past] == [1, 2, 3, 4]
    assert [version.state["content"].split()[-1] for version in past] == ["Paris", "Lyon", "Rome", "Oslo"]


def test_a_change_that_fails_leaves_nothing(home: Memory, encoder: Encoder) -> None:
    changes = {"content": "Alice lives in Lyon"}
    with pytest.raises(ChangedMeanwhile):
        edit(at=memory_ref(home), changes=changes, author=SOMEONE, now=LATER, encoder=encoder, version=7)
    assert (reload_memory(home).version, reload_memory(home).content) == (1, "Alice lives in Paris")
    with every_space():
        assert Version.objects.count() == 0


def test_a_repeated_memory_is_counted_without_a_version(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    again = save_memory(alice, encoder, "alice lives in PARIS!", now=LATER)
    assert (again.id, again.source_count, again.version, again.reinforced_at) == (home.id, 2, 1, LATER)
    assert [operation.detail["decision"] for operation in operations_of(home)] == ["add", "duplicate"]
