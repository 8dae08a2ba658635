"""What is noticed of a person whose language is not English."""

from datetime import UTC, datetime

import pytest

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.enter import PRIVATE, enter
from memory_app.engine.listening.listen import Said, converse, listen
from memory_app.engine.listening.propose import propose
from memory_app.engine.settle import settle
from memory_app.models import Trigger

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ALICE = Author("user", "alice")
TALK = (
    Said("user", "Hallo! Ich wohne in Berlin."),
    Said("assistant", "Guten Tag."),
    Said("user", "merk dir, dass ich Tee mag"),
    Said("assistant", "Schön."),
    Said("user", "Danke."),
)


def proposed(language: str) -> list[tuple[str, str]]:
    entered = enter(person="alice", place=PRIVATE)
    settle(person=entered.person, changes={"language": language})
    conversation, _ = converse(entered=entered, external_id="", now=NOW)
    held = listen(conversation=conversation.id, said=TALK, now=NOW).conversation
    found = propose(
        space=held.space_id, conversation=held.id, trigger=Trigger.END, author=ALICE, now=NOW, encoder=current()
    )
    return [(one.content, one.quotes[0]["text"]) for one in found.proposals]


@pytest.mark.parametrize("language", ["german", "de-AT"])
def test_what_is_asked_for_in_the_persons_own_language_is_quoted(language: str) -> None:
    assert proposed(language) == [("ich Tee mag", "ich Tee mag")]


def test_without_that_setting_it_is_kept_as_turns_only() -> None:
    assert proposed("english") == []
