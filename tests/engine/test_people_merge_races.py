"""Merging people while they speak and are listened to: nothing said is lost, and nobody waits for one who waits."""

from datetime import timedelta
from typing import Any

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.people.unmerge_people import unmerge_people
from memory_app.engine.proposals.propose import propose
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Conversation, Memory, Merge, Trigger, Turn
from memory_app.models.row_security import every_space
from tests.engine.test_engine_races import at_once, crashes, keeper
from tests.worlds import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("transactional_db")]

AUTHOR = Author("key", "tests")
LATER = NOON + timedelta(hours=1)
ROUNDS = 4


def merge(person: str, into: str) -> Merge:
    return merge_people(person=resolve_venue(person=person), into=resolve_venue(person=into), author=AUTHOR, now=LATER)


def unmerge(person: str, into: str) -> Merge:
    return unmerge_people(
        person=resolve_venue(person=person), into=resolve_venue(person=into), author=AUTHOR, now=LATER
    )


def speak(talk: Conversation, text: str) -> Any:
    return add_turns(conversation=talk.id, turns=[TurnInput("user", text)], now=NOON)


@pytest.mark.parametrize("_", range(ROUNDS))
def test_what_is_said_while_a_merge_is_under_way_is_kept(_: int, encoder: Encoder) -> None:
    guest = resolve_venue(person="guest")
    talk, _new = find_or_open_conversation(venue_context=guest, external_id="", now=NOON)
    for text in ("I moved to Rome.", "I work as a baker.", "I prefer tea.", "I like dogs."):
        speak(talk, text)
    read: dict[str, Any] = {"trigger": Trigger.END, "author": AUTHOR, "now": NOON, "encoder": encoder}
    answers = at_once(
        lambda: merge("guest", "alice"),
        lambda: speak(talk, "I have two cats."),
        lambda: propose(space=talk.space_id, conversation=talk.id, **read),
        keeper(encoder, "I sing in a choir", person="guest"),
        keeper(encoder, "I sing in a choir", person="alice"),
    )
    assert crashes(answers) == []
    with every_space():
        assert Turn.objects.count() == 5
        assert Conversation.objects.filter(id=talk.id).count() == 1
        assert Memory.objects.filter(deleted_at=None, person__name="alice", content="I sing in a choir").count() == 1


@pytest.mark.parametrize("_", range(ROUNDS))
def test_merges_at_once_end_and_can_be_taken_back(_: int, encoder: Encoder) -> None:
    for person in ("guest", "alice"):
        keeper(encoder, f"The hat of {person} is red", person=person)()
    answers = at_once(lambda: merge("guest", "alice"), lambda: merge("guest", "alice"), lambda: merge("alice", "guest"))
    assert crashes(answers) == []
    with every_space():
        assert Memory.objects.count() == 2
        assert len(set(Memory.objects.values_list("person_id", flat=True))) == 1
    taken_back = at_once(lambda: unmerge("guest", "alice"), lambda: unmerge("alice", "guest"))
    assert crashes(taken_back) == []
    with every_space():
        assert Memory.objects.count() == 2
