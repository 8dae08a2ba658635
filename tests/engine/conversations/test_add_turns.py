"""When what was said is due to be read, and whose conversation is not there."""

import pytest

from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import NotFound
from memory_app.models import Conversation
from memory_app.models.row_security import every_space
from memory_app.rules.grant import Grant
from tests.worlds import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation() -> Conversation:
    return find_or_open_conversation(venue_context=resolve_venue(person="alice"), external_id="", now=NOON)[0]


def _due(conversation: Conversation, roles: str) -> list[str | None]:
    """Why it was due after each turn: u is one of the user, a one of the assistant."""
    names = {"u": "user", "a": "assistant"}
    return [
        add_turns(conversation=conversation.id, turns=[TurnInput(names[role], "Well.")], now=NOON).due for role in roles
    ]


def test_reading_is_due_at_every_tenth_user_turn(conversation: Conversation) -> None:
    assert _due(conversation, "u" * 11) == [None] * 9 + ["count", None]
    assert _due(conversation, "u" * 9) == [None] * 8 + ["count"]


def test_reading_is_due_before_the_context_window_overflows(conversation: Conversation) -> None:
    assert _due(conversation, "a" * 21) == [None] * 19 + ["history", None]


def test_many_turns_at_once_are_due_past_the_tenth(conversation: Conversation) -> None:
    said = [TurnInput("user", "Well.")] * 12
    assert add_turns(conversation=conversation.id, turns=said, now=NOON).due == "count"
    with every_space():
        stored = Conversation.objects.get(id=conversation.id)
    assert (stored.turn_count, stored.user_turns_unread) == (12, 12)


def test_conversations_outside_the_grant_are_missing(conversation: Conversation) -> None:
    with pytest.raises(NotFound):
        add_turns(
            conversation=conversation.id,
            turns=[TurnInput("user", "Well.")],
            now=NOON,
            grant=Grant(people=frozenset({"bob"}), spaces=frozenset()),
        )
