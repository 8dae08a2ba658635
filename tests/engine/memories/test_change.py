"""Every change to a memory leaves the version it was and an operation: who, when, what."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.undo import undo_operations
from memory_app.engine.memories.delete_and_restore import delete_memory, restore
from memory_app.engine.memories.edit import MemoryRef, confirm, correct, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.memories.versions import list_versions, undo_last_change
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import ChangedMeanwhile, ConflictError, NotFound
from memory_app.models import Memory, Operation, Version
from memory_app.models.person import lock_writers, lock_writers_of_memory
from memory_app.models.row_security import every_space
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

ASSISTANT = Author("key", "ks_1234 assistant", "request-1")
SOMEONE = Author("user", "charlie", "request-2")
LATER = NOON + timedelta(hours=1)
LATER_STILL = NOON + timedelta(hours=2)

Act = Callable[[MemoryRef, VenueContext, Encoder, datetime], object]


@pytest.fixture
def alice() -> VenueContext:
    return resolve_venue(person="alice")


@pytest.fixture
def home(alice: VenueContext, encoder: Encoder) -> Memory:
    return _kept(alice, encoder, "Alice lives in Paris", key="home")


def _kept(
    venue_context: VenueContext, encoder: Encoder, content: str, now: datetime = NOON, **memory_input: Any
) -> Memory:
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=ASSISTANT,
        now=now,
        encoder=encoder,
    ).memory


def _at(memory: Memory) -> MemoryRef:
    return MemoryRef(memory.space_id, memory.id)


def _now(memory: Memory) -> Memory:
    with every_space():
        return Memory.objects.select_related("person", "space", "channel").get(id=memory.id)


def _operations(memory: Memory) -> list[Operation]:
    with every_space():
        return list(Operation.objects.filter(memory_id=memory.id).order_by("id"))


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
    act(_at(home), alice, encoder, LATER)
    row = _now(home)
    assert (row.version, row.updated_at, row.changed_by) == (2, LATER, "user:charlie")
    before, after = list_versions(row)
    assert (before.number, before.changed_by, before.changed_at) == (1, "key:ks_1234 assistant", NOON)
    assert (after.number, after.changed_by, after.changed_at, after.current) == (2, "user:charlie", LATER, True)
    for field, (old, new) in changed.items():
        assert before.state[field] == old
        assert getattr(row, field) == new
    first, second = _operations(home)
    assert (first.name, first.author, first.at, first.request_id) == ("remember", ASSISTANT.label, NOON, "request-1")
    assert (second.name, second.author, second.at, second.request_id) == (verb, SOMEONE.label, LATER, "request-2")
    assert second.detail["version"] == 2
    assert set(changed) <= set(second.detail["changed"])


def test_the_log_holds_none_of_the_words(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    for act, _, _ in ACTS.values():
        try:
            act(_at(home), alice, encoder, LATER)
        except (ConflictError, NotFound):
            continue
    with every_space():
        told = " ".join(str(operation.detail) for operation in Operation.objects.all())
    assert not [word for word in ("Paris", "Lyon", "Rome", "lives") if word in told]


def test_versions_are_numbered_without_a_gap_and_kept_in_order(home: Memory, encoder: Encoder) -> None:
    towns = ["Lyon", "Rome", "Oslo"]
    for hours, town in enumerate(towns, 1):
        moment = NOON + timedelta(hours=hours)
        edit(at=_at(home), changes={"content": f"Alice lives in {town}"}, author=SOMEONE, now=moment, encoder=encoder)
    past = list_versions(_now(home))
    assert [version.number for version in past] == [1, 2, 3, 4]
    assert [version.state["content"].split()[-1] for version in past] == ["Paris", "Lyon", "Rome", "Oslo"]


def test_an_edit_that_changes_nothing_leaves_nothing(home: Memory, encoder: Encoder) -> None:
    same = {"content": "Alice lives in Paris", "tags": []}
    assert edit(at=_at(home), changes=same, author=SOMEONE, now=LATER, encoder=encoder).version == 1
    with every_space():
        assert Version.objects.count() == 0
    assert len(_operations(home)) == 1


def test_a_change_that_fails_leaves_nothing(home: Memory, encoder: Encoder) -> None:
    changes = {"content": "Alice lives in Lyon"}
    with pytest.raises(ChangedMeanwhile):
        edit(at=_at(home), changes=changes, author=SOMEONE, now=LATER, encoder=encoder, version=7)
    assert (_now(home).version, _now(home).content) == (1, "Alice lives in Paris")
    with every_space():
        assert Version.objects.count() == 0


def test_a_repeated_memory_is_counted_without_a_version(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    again = _kept(alice, encoder, "alice lives in PARIS!", now=LATER)
    assert (again.id, again.source_count, again.version, again.reinforced_at) == (home.id, 2, 1, LATER)
    assert [operation.detail["decision"] for operation in _operations(home)] == ["add", "duplicate"]


def test_a_deleted_and_restored_memory_is_unchanged(home: Memory) -> None:
    delete_memory(at=_at(home), author=SOMEONE, now=LATER)
    with pytest.raises(NotFound):
        delete_memory(at=_at(home), author=SOMEONE, now=LATER)
    back = restore(at=_at(home), author=SOMEONE, now=LATER_STILL)
    assert (back.tier, back.status, back.key, back.version) == ("active", "active", "home", 3)
    assert (back.deleted_at, back.deleted_by, back.delete_reason) == (None, "", "")
    assert back.reinforced_at == LATER_STILL
    assert [operation.name for operation in _operations(home)] == ["remember", "forget", "restore"]
    with pytest.raises(NotFound):
        restore(at=_at(home), author=SOMEONE, now=LATER_STILL)


def test_a_memory_restored_after_its_key_was_taken_has_none(
    home: Memory, alice: VenueContext, encoder: Encoder
) -> None:
    delete_memory(at=_at(home), author=SOMEONE, now=LATER)
    newer = _kept(alice, encoder, "Alice lives in Rome", now=LATER, key="home")
    assert newer.supersedes is None
    back = restore(at=_at(home), author=SOMEONE, now=LATER_STILL)
    assert (back.status, back.key, _now(newer).key) == ("active", "", "home")


def test_a_superseded_and_deleted_memory_is_restored_as_superseded(
    home: Memory, alice: VenueContext, encoder: Encoder
) -> None:
    newer = _kept(alice, encoder, "Alice lives in Rome", now=LATER, key="home")
    delete_memory(at=_at(home), author=SOMEONE, now=LATER)
    back = restore(at=_at(home), author=SOMEONE, now=LATER_STILL)
    assert (back.status, back.superseded_by, back.key) == ("superseded", newer.id, "home")


def test_an_edit_to_a_key_that_is_taken_is_in_conflict(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    other = _kept(alice, encoder, "The flat is on the third floor", key="flat")
    with pytest.raises(ConflictError, match="home"):
        edit(at=_at(other), changes={"key": "home"}, author=SOMEONE, now=LATER, encoder=encoder)
    changed = edit(at=_at(other), changes={"key": "floor"}, author=SOMEONE, now=LATER, encoder=encoder)
    assert changed.key == "floor"
    edit(at=_at(home), changes={"key": ""}, author=SOMEONE, now=LATER, encoder=encoder)
    assert edit(at=_at(other), changes={"key": "home"}, author=SOMEONE, now=LATER, encoder=encoder).key == "home"


def test_undo_leaves_a_key_that_was_taken_since(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    edit(at=_at(home), changes={"key": "", "tags": ["town"]}, author=SOMEONE, now=LATER, encoder=encoder)
    _kept(alice, encoder, "The house is by the sea", now=LATER, key="home")
    back = undo_last_change(space=home.space_id, memory=home.id, author=SOMEONE, now=LATER_STILL)
    assert back is not None
    assert (back.key, back.tags, back.version) == ("", [], 3)


def test_undo_restores_only_what_its_operations_deleted(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    cello, dentist = (_kept(alice, encoder, text) for text in ("Alice plays the cello", "The dentist is on Monday"))
    for memory in (home, cello, dentist):
        delete_memory(at=_at(memory), author=SOMEONE, now=LATER)
    restore(at=_at(cello), author=SOMEONE, now=LATER)
    done = [*_operations(home), *_operations(cello)]
    undone = undo_operations(operations=done, author=SOMEONE, now=LATER_STILL)
    assert [memory.id for memory in undone.restored] == [home.id]
    assert [_now(memory).tier for memory in (home, cello, dentist)] == ["active", "active", "deleted"]


def test_locking_a_memory_locks_its_person(home: Memory, alice: VenueContext) -> None:
    """Both ways take the very same lock."""

    def keys() -> list[tuple[int, int]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT classid::bigint, objid::bigint FROM pg_locks WHERE locktype = 'advisory'")
            return list(cursor.fetchall())

    with transaction.atomic(), every_space():
        lock_writers(alice.person.id)
        before = keys()
        lock_writers_of_memory(home.space_id, home.id)
        assert (len(before), keys()) == (1, before)
