"""Reverting makes a memory what an earlier version of it was: a new version, found by the words it has again."""

from typing import Any

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.memories.versions import list_versions, revert, undo_last_change
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ChangedMeanwhile, NotFound
from memory_app.models import Entity, Memory, Operation
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.memories.saved_memories import (
    LATER,
    LATER_STILL,
    SOMEONE,
    memory_ref,
    save_memory,
)
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

ASSISTANT = Author("key", "ks_1234 assistant", "request-1")


def _kept(venue_context: VenueContext, encoder: Encoder, content: str, **memory_input: Any) -> MemoryRef:
    memory = remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=ASSISTANT,
        now=NOON,
        encoder=encoder,
    ).memory
    return MemoryRef(memory.space_id, memory.id)


def _edit(at: MemoryRef, encoder: Encoder, **changes: Any) -> Memory:
    return edit(at=at, changes=changes, author=ASSISTANT, now=LATER, encoder=encoder)


def _revert(at: MemoryRef, version: int, encoder: Encoder, **more: Any) -> Memory:
    return revert(at=at, version=version, author=ASSISTANT, now=LATER, encoder=encoder, **more)


def test_any_version_comes_back_as_a_new_one(alice: VenueContext, encoder: Encoder) -> None:
    at = _kept(alice, encoder, "Alice lives in Paris", tags=["town"])
    _edit(at, encoder, content="Alice lives in Rome", tags=[])
    _edit(at, encoder, content="Alice lives in Oslo", confidence=0.4)
    reverted = _revert(at, 1, encoder)
    assert (reverted.version, reverted.content, reverted.tags) == (4, "Alice lives in Paris", ["town"])
    assert [past.state["content"][15:] for past in list_versions(reverted)] == ["Paris", "Rome", "Oslo", "Paris"]
    again = _revert(at, 3, encoder)
    assert (again.version, again.content, again.confidence) == (5, "Alice lives in Oslo", 0.4)


def test_reverting_updates_vector_words_and_entities(alice: VenueContext, encoder: Encoder) -> None:
    at = _kept(alice, encoder, "Anna paints the green door")
    _edit(at, encoder, content="Bruno sells the yellow boat")
    reverted = _revert(at, 1, encoder)
    with every_space():
        row = Memory.objects.get(id=at.id)
        assert list(Entity.objects.values_list("name", flat=True)) == ["Anna"]
    assert list(row.embedding) == pytest.approx(encoder.documents([reverted.content])[0].tolist(), abs=1e-3)
    assert ("green" in str(row.tsv), "yellow" in str(row.tsv)) == (True, False)


def test_who_did_it_and_to_which_version_is_in_the_log(alice: VenueContext, encoder: Encoder) -> None:
    at = _kept(alice, encoder, "Alice lives in Paris")
    _edit(at, encoder, content="Alice lives in Rome")
    _revert(at, 1, encoder)
    with every_space():
        entry = Operation.objects.get(name="revert")
    assert (entry.author, entry.detail["version"], entry.detail["reason"]) == (ASSISTANT.label, 3, "to version 1")
    assert {"content", "summary"} <= {*entry.detail["changed"]}


def test_reverting_to_the_current_state_changes_nothing(alice: VenueContext, encoder: Encoder) -> None:
    at = _kept(alice, encoder, "Alice lives in Paris")
    assert _revert(at, 1, encoder).version == 1
    _edit(at, encoder, content="Alice lives in Rome")
    _edit(at, encoder, content="Alice lives in Paris")
    assert _revert(at, 1, encoder).version == 3


def test_a_key_taken_since_is_not_reverted(alice: VenueContext, encoder: Encoder) -> None:
    at = _kept(alice, encoder, "Alice lives in Paris", key="home")
    _edit(at, encoder, key="", content="Alice was in Paris")
    _kept(alice, encoder, "Alice lives in Rome", key="home")
    reverted = _revert(at, 1, encoder)
    assert (reverted.content, reverted.key, reverted.status) == ("Alice lives in Paris", "", "active")


def test_reverting_marks_sensitive_text_again(alice: VenueContext, encoder: Encoder) -> None:
    at = _kept(alice, encoder, "Alice's card is 4111 1111 1111 1111")
    _edit(at, encoder, content="Alice has a card")
    assert _revert(at, 1, encoder).sensitive is True
    assert _revert(at, 2, encoder).sensitive is False


def test_a_version_that_is_not_there_or_a_memory_that_is_forgotten_is_not_found(
    alice: VenueContext, encoder: Encoder
) -> None:
    at = _kept(alice, encoder, "Alice lives in Paris")
    with pytest.raises(NotFound):
        _revert(at, 2, encoder)
    _edit(at, encoder, content="Alice lives in Rome")
    with pytest.raises(ChangedMeanwhile):
        _revert(at, 1, encoder, expected=1)
    delete_memory(at=at, author=ASSISTANT, now=LATER)
    with pytest.raises(NotFound):
        _revert(at, 1, encoder)


def test_it_is_recalled_by_its_words_again(api: Api) -> None:
    kept = api.remember("alice", "The door is green")
    api.call("PATCH", f"/memories/{kept['id']}", {"content": "The boat is yellow"})
    answer = api.post(f"/memories/{kept['id']}/revert", {"version": 1})
    assert (answer.status_code, answer.json()["version"], answer.json()["content"]) == (200, 3, "The door is green")
    found = api.post("/search", {"person": "alice", "query": "green door", "method": "text"}).json()
    assert [item["memory"]["id"] for item in found["results"]] == [kept["id"]]
    assert api.post("/search", {"person": "alice", "query": "yellow", "method": "text"}).json()["results"] == []


def test_over_the_api_versions_are_checked(api: Api) -> None:
    kept = api.remember("alice", "The door is green")
    path = f"/memories/{kept['id']}/revert"
    for version, status in ((0, 422), ("first", 422), (7, 404)):
        assert api.post(path, {"version": version}).status_code == status
    assert api.post(path, {"version": 1}, If_Match='"9"').status_code == 412
    assert api.post(path, {"version": 1, "person": "bob"}).status_code == 404


def test_undo_leaves_a_key_that_was_taken_since(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    edit(at=memory_ref(home), changes={"key": "", "tags": ["town"]}, author=SOMEONE, now=LATER, encoder=encoder)
    save_memory(alice, encoder, "The house is by the sea", now=LATER, key="home")
    back = undo_last_change(space=home.space_id, memory=home.id, author=SOMEONE, now=LATER_STILL)
    assert back is not None
    assert (back.key, back.tags, back.version) == ("", [], 3)
