"""What is compared of a memory: its words as its owner would say them, and the vector of the other way to say it."""

from datetime import UTC, datetime

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered, enter
from memory_app.engine.keeping.compared import BothWays, compared
from memory_app.engine.keeping.compose import Given, compose
from memory_app.engine.keeping.keep import keep
from memory_app.models import Memory

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def alice(db: None) -> Entered:
    return enter(person="alice")


def made(alice: Entered, *texts: str) -> list[Memory]:
    return [compose(alice, Given(content=text), NOW) for text in texts]


def changed(alice: Entered, encoder: Encoder, memories: list[Memory]) -> list[int]:
    """Places of those that get a second vector."""
    return changed_in(BothWays(memories, encoder))


def changed_in(said: BothWays) -> list[int]:
    return np.flatnonzero((said.otherwise != said.vectors).any(axis=1)).tolist()


def test_i_is_the_owner_unless_someone_else_said_it(alice: Entered) -> None:
    assert compared(alice.person, "I live in Rome", "") == "I live in Rome"
    assert compared(alice.person, "I live in Rome", "Alice") == "I live in Rome"
    assert compared(alice.person, "I live in Rome", "bob") == "Bob: I live in Rome"
    assert compared(alice.person, "Alice lives in Rome", "Bob") == "I lives in Rome"


def test_what_speaks_of_the_owner_gets_the_vector_of_the_other_way_to_say_it(alice: Entered, encoder: Encoder) -> None:
    memories = made(alice, "I live in Rome", "alice's dog is called Rex", "The shed is green")
    others = BothWays(memories, encoder).otherwise
    said = encoder.documents(["alice lives in Rome.", "my dog is called Rex", "The shed is green"])
    assert np.allclose(others, said, atol=1e-6)


def test_of_many_in_one_form_none_does_until_something_is_kept_in_the_other(alice: Entered, encoder: Encoder) -> None:
    many = made(alice, *(f"I met number {n}" for n in range(16)))
    assert changed(alice, encoder, many) == []
    author = Author("key", "kitchen")
    keep(entered=alice, memories=made(alice, "Alice likes tea"), author=author, now=NOW, encoder=encoder)
    assert changed(alice, encoder, many) == list(range(16))


def test_of_many_that_speak_of_nobody_nothing_is_asked(
    alice: Entered, encoder: Encoder, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    many = made(alice, *(f"Shed number {n} is green" for n in range(16)))
    with django_assert_num_queries(0):
        said = BothWays(many, encoder)
        said.catch_up()
    assert said.otherwise is said.vectors


def test_what_was_kept_in_the_other_form_since_is_caught_up_with(alice: Entered, encoder: Encoder) -> None:
    said = BothWays(made(alice, *(f"I met number {n}" for n in range(16))), encoder)
    assert changed_in(said) == []
    author = Author("key", "kitchen")
    keep(entered=alice, memories=made(alice, "Alice likes tea"), author=author, now=NOW, encoder=encoder)
    said.catch_up()
    assert changed_in(said) == list(range(16))
