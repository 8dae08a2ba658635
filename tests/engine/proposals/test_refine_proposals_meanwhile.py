"""What happens to a person and their words while a language model thinks about them: nothing of it is in its way."""

from collections.abc import Callable
from datetime import UTC, datetime
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.erasure.erase_person import erase_person
from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.proposals.propose import propose, undo_run
from memory_app.engine.proposals.review import reject
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.jobs import refine_run
from memory_app.models import Conversation, ExtractionRun, Person, Proposal, Trigger, Turn
from memory_app.models.row_security import allowed_spaces, every_space
from tests.encoder import HashingEncoder
from tests.model_server import Exchange, ModelServer, Reply, answers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("transactional_db")]

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
AUTHOR = Author("key", "tests")
TOLD = ("I moved to Rome.", "I prefer tea.", "Anna visited me.", "She is well.", "She works as a nurse there.")
NURSE = "Anna works as a nurse"
ITEM: dict[str, Any] = {
    **{"content": NURSE, "summary": NURSE, "type": "person", "category": "personal", "key": "", "keywords": []},
    **{"confidence": 0.8, "global_safe": False, "candidate": None, "relation": None},
    "quotes": [{"turn": 5, "text": "works as a nurse there"}],
}


def told(place: VenueNames = PRIVATE_VENUE, person: str = "guest") -> ExtractionRun:
    """The local run of what someone told."""
    talk, _ = find_or_open_conversation(
        venue_context=resolve_venue(person=person, place=place), external_id="", now=NOON
    )
    add_turns(conversation=talk.id, turns=[TurnInput("user", text) for text in TOLD], now=NOON)
    by = {"trigger": Trigger.COUNT, "author": AUTHOR, "now": NOON, "encoder": HashingEncoder()}
    run = propose(space=talk.space_id, conversation=talk.id, **by).run  # type: ignore[arg-type]
    assert run is not None
    return run


def meanwhile(act: Callable[[], Any], reply: Reply) -> Reply:
    """A reply before which something happens, in a connection of its own."""

    def replying(exchange: Exchange) -> None:
        try:
            act()
        finally:
            connection.close()
        reply(exchange)

    return replying


def refined(run: ExtractionRun, server: ModelServer, act: Callable[[], Any]) -> str:
    reply = answers({"items": [ITEM], "dismissed": []})
    server.will(meanwhile(act, reply), reply)
    return refine_run(str(run.space_id), str(run.id))


def merge() -> None:
    merge_people(person=resolve_venue(person="guest"), into=resolve_venue(person="alice"), author=AUTHOR, now=NOON)


@pytest.mark.parametrize("place", [PRIVATE_VENUE, VenueNames("kitchen")])
def test_what_a_guest_told_is_asked_about_as_whoever_they_turned_out_to_be(
    place: VenueNames, server: ModelServer
) -> None:
    resolve_venue(person="alice", place=place)
    run = told(place)
    with every_space():
        local = Proposal.objects.count()
    assert refined(run, server, merge).startswith("1 proposed, ")
    with every_space():
        rows = Proposal.objects.all()
        assert {*rows.values_list("person__name", "conversation__person__name")} == {("alice", "alice")}
        assert rows.filter(content=NURSE).count() == 1
        assert rows.count() == local + 1
        assert ExtractionRun.objects.filter(person__name="alice").count() == 2
    assert len(server.requests) == 2


def test_a_person_who_was_erased_leaves_nothing_to_read(server: ModelServer) -> None:
    run = told()
    said = refined(run, server, lambda: erase_person(name="guest", author=AUTHOR, now=NOON))
    assert said == "nothing is left to read"
    with every_space():
        assert (Proposal.objects.count(), ExtractionRun.objects.count(), Conversation.objects.count()) == (0, 0, 0)


def test_words_that_were_erased_are_not_put_up(server: ModelServer) -> None:
    run = told()

    def erase() -> None:
        with every_space():
            Turn.objects.filter(conversation_id=run.conversation_id, position=4).delete()

    assert refined(run, server, erase).startswith("0 proposed, ")
    with every_space():
        assert not Proposal.objects.filter(content=NURSE).exists()


def test_who_wants_no_more_to_be_noticed_is_not_asked(server: ModelServer) -> None:
    run = told()
    said = refined(run, server, lambda: Person.objects.filter(name="guest").update(memory_enabled=False))
    assert said == "nothing is left to read"
    with every_space():
        assert not Proposal.objects.filter(content=NURSE).exists()


def test_a_run_is_undone_though_a_proposal_of_it_is_rejected_at_the_same_moment() -> None:
    run = told()
    with every_space():
        first, *rest = Proposal.objects.filter(run_id=run.id).select_related("person__space", "space", "conversation")
    undone: list[int] = []

    def undoing() -> None:
        try:
            with allowed_spaces([run.space_id]):
                undone.append(undo_run(run=run, author=AUTHOR, now=NOON)[1])
        finally:
            connection.close()

    other = Thread(target=undoing)
    with transaction.atomic():
        reject(proposal=first, reason="wrong", author=AUTHOR, now=NOON)
        other.start()
        other.join(1)
        assert other.is_alive()  # it waits for who was first
    other.join(20)
    assert undone == [len(rest)]
    with every_space():
        reasons = list(Proposal.objects.filter(run_id=run.id, status="rejected").values_list("id", "reject_reason"))
    assert len(reasons) == len(rest) + 1
    assert dict(reasons)[first.id] == "wrong"
