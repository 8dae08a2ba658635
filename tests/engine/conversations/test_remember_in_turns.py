"""Requests inside turns: whoever asks for nothing waits for no model, and whoever does waits in one order."""

from collections.abc import Sequence
from typing import Any

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.conversations.add_turns import TurnInput, find_or_open_conversation
from memory_app.engine.conversations.remember_in_turns import add_turns_and_remember
from memory_app.engine.proposals.propose import propose
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Memory, Trigger
from memory_app.models.row_security import every_space
from tests.encoder import HashingEncoder
from tests.engine.test_engine_races import AUTHOR, at_once, crashes
from tests.worlds import NOON


class Unused(HashingEncoder):
    def documents(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError("nothing is to be embedded")


@pytest.mark.django_db
def test_turns_without_a_request_are_stored_without_an_encoding() -> None:
    talk, _ = find_or_open_conversation(venue_context=resolve_venue(person="alice"), external_id="", now=NOON)
    said = [TurnInput("user", "I can't remember that film."), TurnInput("user", f"remember {'what they wrote ' * 300}")]
    heard, remembered = add_turns_and_remember(
        conversation=talk.id, turns=said, now=NOON, author=AUTHOR, encoder=Unused()
    )
    assert (len(heard.turns), remembered) == (2, [])


@pytest.mark.django_db
@pytest.mark.usefixtures("transactional_db")
def test_requests_in_turns_and_reading_do_not_deadlock(encoder: Encoder) -> None:
    talk, _ = find_or_open_conversation(venue_context=resolve_venue(person="alice"), external_id="", now=NOON)

    def ask() -> Any:
        said = [TurnInput("user", "We sold the car."), TurnInput("user", "Remember that I like tea")]
        return add_turns_and_remember(conversation=talk.id, turns=said, now=NOON, author=AUTHOR, encoder=encoder)

    def read() -> Any:
        space, idle = talk.space_id, Trigger.IDLE
        return propose(space=space, conversation=talk.id, trigger=idle, author=AUTHOR, now=NOON, encoder=encoder)

    assert crashes(at_once(*[ask, read] * 4)) == []
    with every_space():
        assert [memory.source_count for memory in Memory.objects.filter(source_type="explicit")] == [4]
