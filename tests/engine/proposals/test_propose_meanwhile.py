"""What happens to a conversation while it is noticed what is worth keeping in it: nobody has to wait for that."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.proposals.accept_proposal import accept
from memory_app.engine.proposals.consolidate import consolidate
from memory_app.engine.proposals.propose import ProposeResult, propose
from memory_app.engine.proposals.refine_proposals import refine_with_model
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.llm.model import configured_model
from memory_app.models import Conversation, ExtractionRun, Proposal, Trigger, Turn
from memory_app.models.row_security import every_space
from tests.encoder import HashingEncoder
from tests.model_server import ModelServer, answers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("transactional_db")]

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
AUTHOR = Author("key", "tests")
TOLD = ("I moved to Rome.", "I work as a baker.", "I prefer tea.", "I have two dogs.", "I play the cello.")


class Meanwhile(HashingEncoder):
    """Has something happen when it is first asked for vectors; held: whether a transaction was open by then."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._acts, self.held = [act], False

    def documents(self, texts: Sequence[str]) -> Vectors:
        if self._acts:
            self.held = connection.in_atomic_block
            self._acts.pop()()
        return super().documents(texts)


def told() -> Conversation:
    talk, _ = find_or_open_conversation(venue_context=resolve_venue(person="alice"), external_id="", now=NOON)
    return add_turns(conversation=talk.id, turns=[TurnInput("user", text) for text in TOLD], now=NOON).conversation


def read(talk: Conversation, encoder: HashingEncoder) -> ProposeResult:
    return propose(
        space=talk.space_id, conversation=talk.id, trigger=Trigger.COUNT, author=AUTHOR, now=NOON, encoder=encoder
    )


def put_up() -> list[str]:
    with every_space():
        return sorted(Proposal.objects.values_list("content", flat=True))


def test_a_turn_is_stored_and_left_for_the_next_run() -> None:
    talk = told()
    encoder = Meanwhile(lambda: add_turns(conversation=talk.id, turns=[TurnInput("user", "I play chess.")], now=NOON))
    run = read(talk, encoder).run
    assert run is not None
    assert (run.to_position, run.read, encoder.held) == (5, 5, False)
    with every_space():
        now = Conversation.objects.get(id=talk.id)
    assert (now.turn_count, now.extracted_to, now.user_turns_unread) == (6, 5, 1)
    following = read(talk, HashingEncoder()).run
    assert following is not None
    assert (following.from_position, following.to_position, following.read) == (5, 6, 1)


@pytest.mark.parametrize("other", [read, lambda talk, encoder: _consolidated(talk, encoder)])
def test_what_another_run_read_is_read_once(other: Callable[[Conversation, HashingEncoder], Any]) -> None:
    talk = told()
    assert read(talk, Meanwhile(lambda: other(talk, HashingEncoder()))).run is None
    assert len(put_up()) == len(set(put_up())) == len(TOLD)
    with every_space():
        assert ExtractionRun.objects.count() == 1


def test_a_turn_that_was_erased_is_not_put_up() -> None:
    talk = told()

    def erase() -> None:
        with every_space():
            Turn.objects.filter(conversation_id=talk.id, position=2).delete()

    found = read(talk, Meanwhile(erase)).proposals
    assert len(found) == 4
    assert all("tea" not in content for content in put_up())


def test_what_a_guest_told_is_put_to_whom_they_turned_out_to_be() -> None:
    place = VenueNames("kitchen")
    resolve_venue(person="alice", place=place)
    talk, _ = find_or_open_conversation(
        venue_context=resolve_venue(person="guest", place=place), external_id="", now=NOON
    )
    add_turns(conversation=talk.id, turns=[TurnInput("user", text) for text in TOLD], now=NOON)

    def merge() -> None:
        merge_people(person=resolve_venue(person="guest"), into=resolve_venue(person="alice"), author=AUTHOR, now=NOON)

    found = read(talk, Meanwhile(merge)).proposals
    assert {proposal.person.name for proposal in found} == {"alice"}
    assert [content for content in put_up() if "guest" in content.casefold()] == []


def _consolidated(talk: Conversation, encoder: HashingEncoder) -> ProposeResult:
    return consolidate(space=talk.space_id, conversation=talk.id, now=NOON, encoder=encoder)


def test_what_is_accepted_while_a_model_words_it_better_is_accepted(server: ModelServer) -> None:
    proposed = read(told(), HashingEncoder())
    run, better = proposed.run, proposed.proposals[0]
    model = configured_model()
    assert run is not None
    assert model is not None
    person = Thread(target=lambda: _accepted(better))

    class Adding(HashingEncoder):
        """The person answers once their proposal is worded better, and before what is new is added."""

        def documents(self, texts: Sequence[str]) -> Vectors:
            if list(texts) == ["Alice bakes bread"]:
                person.start()
                person.join(0.5)
            return super().documents(texts)

    items = [_item(f"{better.content} by now", 1, candidate=1), _item("Alice bakes bread", 2, candidate=None)]
    server.will(answers({"items": items, "dismissed": []}))
    record = refine_with_model(space=run.space_id, run=run.id, model=model, now=NOON, encoder=Adding())
    person.join(20)
    assert record is not None
    assert (record.proposed, record.dropped) == (1, {})
    with every_space():
        assert Proposal.objects.get(id=better.id).status == "accepted"


def _said(talk: Conversation, text: str) -> None:
    try:
        add_turns(conversation=talk.id, turns=[TurnInput("user", text)], now=NOON)
    finally:
        connection.close()


def _accepted(proposal: Proposal) -> None:
    try:
        accept(proposal=proposal, author=AUTHOR, now=NOON, encoder=HashingEncoder())
    finally:
        connection.close()


def _item(content: str, turn: int, candidate: int | None) -> dict[str, object]:
    said = {"content": content, "summary": content, "type": "person", "category": "personal", "key": "", "keywords": []}
    judged = {"confidence": 0.8, "global_safe": False, "candidate": candidate, "relation": None}
    return {**said, **judged, "quotes": [{"turn": turn, "text": TOLD[turn - 1].rstrip(".")}]}
