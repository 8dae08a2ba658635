"""Rows inserted many at a time hold what rows saved one by one hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.models import Memory
from memory_app.models.row_security import allowed_spaces
from memory_app.postgres.fast.binary_protocol import sent_together
from memory_app.postgres.fast.insert_rows import MAX_PARAMETERS, insert_rows
from tests.worlds import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> VenueContext:
    return resolve_venue(person="alice")


def _memory(alice: VenueContext, content: str, **fields: Any) -> Memory:
    memory = build_memory(
        alice, MemoryInput(content=content, tags=["home", 'a "quoted", {odd} one'], attributes={"n": [1]}), NOON
    ).memory
    for name, value in {"embedding": [0.5, -0.25, 0.125], "embedding_model": "small", **fields}.items():
        setattr(memory, name, value)
    return memory


def _stored(alice: VenueContext, memory: Memory) -> dict[str, Any]:
    with allowed_spaces(alice.venue.spaces):
        [row] = Memory.objects.filter(id=memory.id).values()
    return {name: value for name, value in row.items() if name != "id"}


def test_every_field_is_stored_as_save_stores_it(alice: VenueContext) -> None:
    one, other = _memory(alice, "We chose the blue tile."), _memory(alice, "We chose the blue tile.")
    with allowed_spaces(alice.venue.spaces):
        insert_rows([one])
        other.save(force_insert=True)
    assert _stored(alice, one) == _stored(alice, other)
    assert _stored(alice, one)["tags"] == ["home", 'a "quoted", {odd} one']
    assert "'blue':4 'chose':2" in _stored(alice, one)["tsv"]


def test_a_row_may_lack_its_vector_and_its_words(alice: VenueContext) -> None:
    memory = _memory(alice, "We chose the blue tile.", embedding=None, embedding_model=None, tsv=None)
    with allowed_spaces(alice.venue.spaces):
        insert_rows([memory])
    stored = _stored(alice, memory)
    assert (stored["embedding"], stored["embedding_model"], stored["tsv"], stored["words"]) == (None, None, None, None)


def test_a_vector_of_numpy_is_stored_in_order(alice: VenueContext) -> None:
    memory = _memory(alice, "We chose the blue tile.", embedding=np.array([0.5, -2.0, 0.125], dtype=np.float32))
    with allowed_spaces(alice.venue.spaces):
        insert_rows([memory])
    assert list(_stored(alice, memory)["embedding"]) == [0.5, -2.0, 0.125]


def test_more_rows_than_one_statement_takes_are_all_stored(alice: VenueContext) -> None:
    rows = [_memory(alice, f"Row {number}.") for number in range(MAX_PARAMETERS // 80)]
    with allowed_spaces(alice.venue.spaces):
        insert_rows(rows)
        assert Memory.objects.count() == len(rows) == 819


def test_a_statement_goes_with_the_rows(alice: VenueContext) -> None:
    rows = [_memory(alice, "We chose the blue tile."), _memory(alice, "We chose the oak floor.")]
    renamed = ("UPDATE person SET display_name = $1 WHERE id = $2", ["Alice B.", alice.person.id])
    with allowed_spaces(alice.venue.spaces):
        with _counted() as sent:
            insert_rows(rows, after=renamed)
        assert len(sent) == 1
        assert Memory.objects.count() == 2
    alice.person.refresh_from_db()
    assert alice.person.display_name == "Alice B."


def test_what_was_inserted_can_be_saved_again(alice: VenueContext) -> None:
    memory = _memory(alice, "We chose the blue tile.")
    with allowed_spaces(alice.venue.spaces):
        insert_rows([memory])
        memory.confidence = 0.5
        memory.save(update_fields=["confidence"])
    assert _stored(alice, memory)["confidence"] == 0.5


def test_a_space_out_of_reach_takes_no_rows(alice: VenueContext) -> None:
    with (
        pytest.raises(DatabaseError, match="row-level security"),
        allowed_spaces([resolve_venue(person="bob").venue.home]),
    ):
        insert_rows([_memory(alice, "We chose the blue tile.")])


def test_nothing_to_insert_is_no_statement() -> None:
    with _counted() as sent:
        insert_rows([])
    assert sent == []


@contextmanager
def _counted() -> Iterator[list[str]]:
    """The statements that are sent meanwhile, those of `wire` too."""
    sent: list[str] = []

    def note(execute: Any, statement: str, *rest: Any) -> Any:
        sent.append(statement)
        return execute(statement, *rest)

    with connection.execute_wrapper(note):
        yield sent


def test_what_is_sent_together_is_stored_in_order(alice: VenueContext) -> None:
    one, other = _memory(alice, "We chose the blue tile."), _memory(alice, "We chose the green tile.")
    with allowed_spaces(alice.venue.spaces):
        with sent_together():
            insert_rows([one])
            insert_rows([one, other], skip_existing=True)
        assert set(Memory.objects.values_list("id", flat=True)) == {one.id, other.id}


def _insert_each_together(*memories: Memory) -> None:
    with transaction.atomic(), sent_together():
        for memory in memories:
            insert_rows([memory])


def test_what_fails_among_what_is_sent_together_is_raised_and_nothing_stored(alice: VenueContext) -> None:
    one, other = _memory(alice, "We chose the blue tile."), _memory(alice, "We chose the green tile.")
    with allowed_spaces(alice.venue.spaces):
        with pytest.raises(IntegrityError):
            _insert_each_together(one, one, other)
        assert not Memory.objects.exists()
