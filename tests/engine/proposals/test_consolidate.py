"""Consolidation: a conversation that is over is gone through once, a page at a time, and its run is undone as one."""

from datetime import UTC, datetime, timedelta

import pytest

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.conversations.read_turns import PAGE_TURNS
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.people.settings import change_settings
from memory_app.engine.proposals.consolidate import consolidate, conversations_to_consolidate
from memory_app.engine.proposals.propose import ProposeResult, propose, undo_run
from memory_app.engine.proposals.review import reject
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.models import Conversation, Memory, Note, Proposal, Trigger, Turn
from memory_app.models.row_security import every_space

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 11, 20, 3, tzinfo=UTC)
AUTHOR = Author("user", "alice")
FACTS = (
    "I have decided to move to Lisbon in March.",
    "I prefer trains to planes, always.",
    "My sister Anna plays the cello in Berlin.",
    "I am allergic to walnuts, so no walnuts in anything.",
    "I work as a librarian at the children's library.",
    "My favourite composer is Janáček.",
    "I have adopted a greyhound called Comet.",
    "I decided to learn Portuguese before we move.",
    "My parents live in a village near Porto.",
    "I prefer to be called Ali by my friends.",
)
BETWEEN = 5
"""Turns of small talk after each fact: the ten facts lie on more than two pages of 30 turns."""


def long_talk(place: VenueNames = PRIVATE_VENUE) -> Conversation:
    venue_context, told = resolve_venue(person="alice", place=place), NIGHT - timedelta(hours=5)
    conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id="", now=told)
    said = []
    for fact in FACTS:
        said.append(TurnInput("user", fact))
        said += [
            TurnInput("assistant" if n % 2 == 0 else "user", "Okay." if n % 2 else "I see.") for n in range(BETWEEN)
        ]
    return add_turns(conversation=conversation.id, turns=said, now=told).conversation


def ended(held: Conversation) -> ProposeResult:
    return propose(
        space=held.space_id,
        conversation=held.id,
        trigger=Trigger.END,
        author=AUTHOR,
        now=NIGHT,
        encoder=current_encoder(),
    )


def gone_through(held: Conversation) -> ProposeResult:
    return consolidate(space=held.space_id, conversation=held.id, now=NIGHT, encoder=current_encoder())


def put_up() -> list[str]:
    with every_space():
        return list(Proposal.objects.order_by("created_at", "number").values_list("content", flat=True))


def kept() -> set[str]:
    with every_space():
        rows = Memory.objects.undeleted().filter(status="active")
        return set(rows.values_list("content", flat=True))


def auto() -> None:
    change_settings(person=resolve_venue(person="alice").person, changes={"extraction_policy": "auto"})


def test_a_long_conversation_is_read_again_page_by_page_for_what_was_passed_over() -> None:
    held = long_talk()
    first = {proposal.content for proposal in ended(held).proposals}
    proposed = gone_through(held)
    assert len(first) == 5
    assert len(proposed.proposals) >= 3
    assert not first & {proposal.content for proposal in proposed.proposals}
    run = proposed.run
    assert run is not None
    assert (run.from_position, run.to_position, run.read) == (0, 60, 60)
    assert run.extractor == "local-8 by pages"
    assert len(put_up()) == len(set(put_up()))


def test_each_finding_names_the_turns_it_rests_on() -> None:
    held = long_talk()
    found = gone_through(held).proposals
    with every_space():
        turns = {str(turn.id): turn.content for turn in Turn.objects.all()}
    for proposal in found:
        assert proposal.quotes
        assert all(quote["text"] in turns[quote["turn"]] for quote in proposal.quotes)
    assert max(quote["position"] for proposal in found for quote in proposal.quotes) >= PAGE_TURNS


def test_it_is_marked_once_and_read_no_more() -> None:
    held = long_talk()
    gone_through(held)
    again = gone_through(held)
    assert (again.proposals, again.run, conversations_to_consolidate(NIGHT)) == ((), None, [])


def test_a_conversation_of_one_page_that_was_read_is_only_marked() -> None:
    told = NIGHT - timedelta(hours=5)
    conversation, _ = find_or_open_conversation(venue_context=resolve_venue(person="alice"), external_id="", now=told)
    said = [TurnInput(role, text) for fact in FACTS[:3] for role, text in (("user", fact), ("assistant", "I see."))]
    held = add_turns(conversation=conversation.id, turns=said, now=told).conversation
    ended(held)
    assert gone_through(held).run is None
    assert conversations_to_consolidate(NIGHT) == []


def test_rejected_findings_are_not_proposed_again() -> None:
    held = long_talk()
    refused = {reject(proposal=one, author=AUTHOR, now=NIGHT).content for one in ended(held).proposals}
    assert not refused & {proposal.content for proposal in gone_through(held).proposals}


def test_stored_memories_are_not_proposed() -> None:
    memory_input = MemoryInput("I work as a librarian at the children's library.", key="")
    remember(
        venue_context=resolve_venue(person="alice"),
        memory_input=memory_input,
        author=AUTHOR,
        now=NIGHT,
        encoder=current_encoder(),
    )
    held = long_talk()
    auto()
    gone_through(held)
    assert sum("librarian" in content for content in kept()) == 1


def test_findings_are_no_wider_than_their_source() -> None:
    held = long_talk(VenueNames("kitchen"))
    found = gone_through(held).proposals
    assert {(proposal.space_id, proposal.visibility) for proposal in found} == {(held.space_id, "space")}


def test_a_run_that_kept_by_itself_is_undone_as_one_act() -> None:
    memory_input = MemoryInput("Alice prefers trains to planes.", key="transport")
    remember(
        venue_context=resolve_venue(person="alice"),
        memory_input=memory_input,
        author=AUTHOR,
        now=NIGHT,
        encoder=current_encoder(),
    )
    before = kept()
    auto()
    run = gone_through(long_talk()).run
    assert run is not None
    assert run.kept >= 3
    with every_space():
        undone, refused = undo_run(run=run, author=AUTHOR, now=NIGHT)
        again, _ = undo_run(run=run, author=AUTHOR, now=NIGHT)
    assert (len(undone.deleted), refused, again.number) == (run.kept, 0, 0)
    assert kept() == before
    with every_space():
        assert Turn.objects.count() == 60, "no source is ever deleted"


def test_what_was_undone_is_not_kept_again_when_it_is_read_page_by_page() -> None:
    auto()
    held = long_talk()
    run = ended(held).run
    first = kept()
    assert run is not None
    with every_space():
        undo_run(run=run, author=AUTHOR, now=NIGHT)
    assert (len(first), kept()) == (3, set())
    again = gone_through(held).run
    assert again is not None
    # The 3 that were forgotten and the 2 that were noted are noticed again, and known; the note tells of the rest.
    assert (again.duplicates, again.noted) == (5, 4)
    assert not first & kept()


def test_what_was_noted_is_not_noted_again_when_it_is_read_page_by_page() -> None:
    auto()
    held = long_talk()
    ended(held)
    run = gone_through(held).run
    assert run is not None
    with every_space():
        noted = list(Note.objects.values_list("text", flat=True))
    assert len(noted) == len(set(noted)) > run.noted


def test_what_a_run_put_up_leaves_the_inbox_but_for_what_was_decided() -> None:
    found = gone_through(long_talk())
    assert found.run is not None
    reject(proposal=found.proposals[0], author=AUTHOR, now=NIGHT)
    with every_space():
        _, refused = undo_run(run=found.run, author=AUTHOR, now=NIGHT)
        assert refused == len(found.proposals) - 1
        assert not Proposal.objects.filter(status="pending").exists()


def test_paused_people_are_skipped() -> None:
    held = long_talk()
    change_settings(person=resolve_venue(person="alice").person, changes={"extraction_policy": "off"})
    assert gone_through(held).run is None
    assert put_up() == []
