"""Rows inserted many at a time hold what rows saved one by one hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from django.db import DatabaseError, connection

from memory_app.engine.enter import Entered, enter
from memory_app.engine.keeping.compose import Given, compose
from memory_app.models import Memory
from memory_app.models.insert import MOST_VALUES, insert
from memory_app.models.scope import within
from tests.worlds import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> Entered:
    return enter(person="alice")


def _memory(alice: Entered, content: str, **fields: Any) -> Memory:
    memory = compose(alice, Given(content=content, tags=["home", 'a "quoted", {odd} one'], attributes={"n": [1]}), NOON)
    for name, value in {"embedding": [0.5, -0.25, 0.125], "embedding_model": "small", **fields}.items():
        setattr(memory, name, value)
    return memory


def _stored(alice: Entered, memory: Memory) -> dict[str, Any]:
    with within(alice.venue.spaces):
        [row] = Memory.objects.filter(id=memory.id).values()
    return {name: value for name, value in row.items() if name != "id"}


def test_every_field_is_stored_as_save_stores_it(alice: Entered) -> None:
    one, other = _memory(alice, "We chose the blue tile."), _memory(alice, "We chose the blue tile.")
    with within(alice.venue.spaces):
        insert([one])
        other.save(force_insert=True)
    assert _stored(alice, one) == _stored(alice, other)
    assert _stored(alice, one)["tags"] == ["home", 'a "quoted", {odd} one']
    assert "'blue':4 'chose':2" in _stored(alice, one)["tsv"]


def test_a_row_may_lack_its_vector_and_its_words(alice: Entered) -> None:
    memory = _memory(alice, "We chose the blue tile.", embedding=None, embedding_model=None, tsv=None)
    with within(alice.venue.spaces):
        insert([memory])
    stored = _stored(alice, memory)
    assert (stored["embedding"], stored["embedding_model"], stored["tsv"], stored["words"]) == (None, None, None, None)


def test_a_vector_of_numpy_is_stored_in_order(alice: Entered) -> None:
    memory = _memory(alice, "We chose the blue tile.", embedding=np.array([0.5, -2.0, 0.125], dtype=np.float32))
    with within(alice.venue.spaces):
        insert([memory])
    assert list(_stored(alice, memory)["embedding"]) == [0.5, -2.0, 0.125]


def test_more_rows_than_one_statement_takes_are_all_stored(alice: Entered) -> None:
    rows = [_memory(alice, f"Row {number}.") for number in range(MOST_VALUES // 80)]
    with within(alice.venue.spaces):
        insert(rows)
        assert Memory.objects.count() == len(rows) == 819


def test_a_statement_goes_with_the_rows(alice: Entered) -> None:
    rows = [_memory(alice, "We chose the blue tile."), _memory(alice, "We chose the oak floor.")]
    renamed = ("UPDATE person SET display_name = $1 WHERE id = $2", ["Alice B.", alice.person.id])
    with within(alice.venue.spaces):
        with _counted() as sent:
            insert(rows, after=renamed)
        assert len(sent) == 1
        assert Memory.objects.count() == 2
    alice.person.refresh_from_db()
    assert alice.person.display_name == "Alice B."


def test_what_was_inserted_can_be_saved_again(alice: Entered) -> None:
    memory = _memory(alice, "We chose the blue tile.")
    with within(alice.venue.spaces):
        insert([memory])
        memory.confidence = 0.5
        memory.save(update_fields=["confidence"])
    assert _stored(alice, memory)["confidence"] == 0.5


def test_a_space_out_of_reach_takes_no_rows(alice: Entered) -> None:
    with pytest.raises(DatabaseError, match="row-level security"), within([enter(person="bob").venue.home]):
        insert([_memory(alice, "We chose the blue tile.")])


def test_nothing_to_insert_is_no_statement() -> None:
    with _counted() as sent:
        insert([])
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
