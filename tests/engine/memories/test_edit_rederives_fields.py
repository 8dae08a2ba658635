"""What followed from a text follows from the new one; what someone stated stays."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import MemoryRef, correct, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.proposals.accept_proposal import accept
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Entity, EntityLink, Memory, Proposal
from memory_app.models.row_security import every_space

pytestmark = pytest.mark.django_db

ALICE = Author("user", "alice")
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
TUESDAY = MONDAY + timedelta(days=1)
WEDNESDAY = datetime(2026, 3, 4, tzinfo=UTC)
FRIDAY = datetime(2026, 3, 6, tzinfo=UTC)


def kept(content: str, encoder: Encoder, **memory_input: Any) -> Memory:
    venue_context = resolve_venue(person="alice")
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=ALICE,
        now=MONDAY,
        encoder=encoder,
    ).memory


def edited(memory: Memory, encoder: Encoder, **changes: Any) -> Memory:
    edit(at=MemoryRef(memory.space_id, memory.id), changes=changes, author=ALICE, now=TUESDAY, encoder=encoder)
    return stored(memory.id)


def corrected(memory: Memory, encoder: Encoder, content: str) -> Memory:
    at = MemoryRef(memory.space_id, memory.id)
    new = correct(
        venue_context=resolve_venue(person="alice"), at=at, content=content, author=ALICE, now=TUESDAY, encoder=encoder
    )
    return stored(new.id)


def stored(memory: UUID) -> Memory:
    with every_space():
        return Memory.objects.select_related("person").get(id=memory)


def names(memory: Memory) -> set[str]:
    with every_space():
        links = EntityLink.objects.filter(memory_id=memory.id).values_list("entity_id", flat=True)
        return set(Entity.objects.filter(id__in=list(links)).values_list("name", flat=True))


def noticed(content: str, **fields: Any) -> Proposal:
    person = resolve_venue(person="alice").person
    about: dict[str, Any] = {"type": "fact", "category": "fact", "confidence": 0.8, "created_at": MONDAY, **fields}
    with every_space():
        made = Proposal.objects.create(
            space=person.space, person=person, visibility="private", content=content, summary=content, **about
        )
        return Proposal.objects.select_related("person__space", "space").get(id=made.id)


def test_an_edited_text_has_its_own_keywords_time_kind_slot_and_names(encoder: Encoder) -> None:
    memory = kept("Dinner with Bob Harris on Wednesday.", encoder)
    assert (memory.event_time, names(memory) >= {"Bob Harris"}) == (WEDNESDAY, True)
    after = edited(memory, encoder, content="I prefer oat milk from Carla Rossi.")
    assert (after.type, after.category, after.event_time, after.event_end) == ("preference", "preference", None, None)
    assert set(after.keywords) & {"dinner", "bob harris", "harris"} == set()
    assert "oat" in " ".join(after.keywords)
    assert {"Carla Rossi"} == {name for name in names(after) if "Rossi" in name or "Harris" in name}


def test_a_correction_rederives_its_fields(encoder: Encoder) -> None:
    memory = kept("Dinner with Bob Harris on Wednesday.", encoder)
    after = corrected(memory, encoder, "Dinner with Carla Rossi on Friday.")
    assert (after.event_time, after.event_end) == (FRIDAY, FRIDAY + timedelta(days=1))
    assert not any("harris" in word for word in after.keywords)
    assert not any("Harris" in name for name in names(after))
    other = corrected(after, encoder, "I prefer oat milk.")
    assert (other.type, other.event_time) == ("preference", None)


def test_stated_fields_survive_an_edit(encoder: Encoder) -> None:
    memory_input: dict[str, Any] = {"type": "fact", "category": "fact", "key": "tile", "keywords": ["bath", "blue"]}
    memory = kept("The tile is blue.", encoder, **memory_input, event_time=FRIDAY)
    for after in (
        edited(memory, encoder, content="I prefer green tiles, says the dentist on Wednesday."),
        corrected(memory, encoder, "We decided to go with red tiles on Wednesday."),
    ):
        assert {name: getattr(after, name) for name in memory_input} == memory_input
        assert after.event_time == FRIDAY


def test_what_an_edit_stated_stays_at_the_next_edit(encoder: Encoder) -> None:
    memory = kept("Dinner with Bob Harris on Wednesday.", encoder)
    edited(memory, encoder, type="task", event_time=FRIDAY)
    after = edited(memory, encoder, content="I prefer oat milk.")
    assert (after.type, after.event_time, after.category) == ("task", FRIDAY, "preference")
    again = edited(memory, encoder, content="Lunch on Wednesday.", event_time=None)
    assert (again.event_time, again.event_end) == (None, None)


def test_a_typo_fix_moves_no_date(encoder: Encoder) -> None:
    memory = kept("Dinner with Bob tomorow, I mean tomorrow, at the habour.", encoder)
    before = (memory.event_time, memory.type)
    assert before[0] is not None
    after = edited(memory, encoder, content="Dinner with Bob tomorrow, I mean tomorrow, at the harbour.")
    assert (after.event_time, after.type) == before
    assert "harbour" in after.keywords


def test_a_slot_that_another_memory_fills_is_left_to_that_one(encoder: Encoder) -> None:
    held = kept("My favourite colour is blue.", encoder)
    assert held.key
    memory = kept("Bob has a red bicycle.", encoder)
    after = edited(memory, encoder, content="My favourite colour is red.")
    assert (after.key, stored(held.id).key) == ("", held.key)


def test_where_nobody_noted_what_was_stated_what_reads_otherwise_stays(encoder: Encoder) -> None:
    memory = kept("Dinner with Bob Harris on Wednesday.", encoder)
    with every_space():
        Memory.objects.filter(id=memory.id).update(stated=None, type="project")
    after = edited(memory, encoder, content="I prefer oat milk.")
    assert (after.type, after.category, after.event_time) == ("project", "preference", None)


def test_a_proposal_that_is_edited_is_read_anew_but_for_what_is_stated_with_it(encoder: Encoder) -> None:
    about: dict[str, Any] = {"type": "event", "keywords": ["dinner", "harris"], "event_time": WEDNESDAY}
    text = {"content": "I prefer oat milk."}
    proposal = noticed("Dinner with Bob Harris on Wednesday.", **about)
    memory = accept(proposal=proposal, edits=text, author=ALICE, now=TUESDAY, encoder=encoder).memory
    after = stored(memory.id)
    assert (after.type, after.category, after.event_time) == ("preference", "preference", None)
    assert "harris" not in after.keywords
    assert names(after) & {"Bob Harris", "Bob"} == set()
    second = noticed("Dinner with Bob Harris on Wednesday.", **about)
    edits = {"content": "I always drink jasmine tea on Friday.", "type": "note", "keywords": ["tea"]}
    memory = accept(proposal=second, edits=edits, author=ALICE, now=TUESDAY, encoder=encoder).memory
    after = stored(memory.id)
    assert (after.type, after.keywords, after.event_time, after.stated) == (
        "note",
        ["tea"],
        FRIDAY,
        ["keywords", "type"],
    )


def test_a_proposal_that_is_kept_as_it_is_stays_as_it_was_noticed(encoder: Encoder) -> None:
    proposal = noticed("Dinner with Bob.", type="project", keywords=["supper"], event_time=FRIDAY)
    after = stored(accept(proposal=proposal, author=ALICE, now=TUESDAY, encoder=encoder).memory.id)
    assert (after.type, after.keywords, after.event_time, after.stated) == ("project", ["supper"], FRIDAY, [])


def test_a_merged_text_is_read_again(encoder: Encoder) -> None:
    memory = kept("Dinner with Bob Harris.", encoder)
    proposal = noticed("Dinner with Carla on Friday.", target_id=memory.id, relation="merge")
    merged = "Dinner with Bob Harris and Carla Rossi on Friday."
    accept(proposal=proposal, merged=merged, author=ALICE, now=TUESDAY, encoder=encoder)
    after = stored(memory.id)
    assert after.event_time == FRIDAY
    assert {"Bob Harris", "Carla Rossi"} <= names(after)
    assert any("rossi" in word.casefold() for word in after.keywords)


def test_the_slot_of_a_text_that_names_its_owner_goes_with_it(encoder: Encoder) -> None:
    memory = kept("Alice's favourite colour is green.", encoder)
    assert memory.key == "favourite_colour"
    assert edited(memory, encoder, content="Alice's favourite animal is a cat.").key == "favourite_animal"
    assert edited(memory, encoder, content="Alice saw a cat in the garden.").key == ""


def test_a_correction_that_names_a_slot_of_another_leaves_it_to_that_one(encoder: Encoder) -> None:
    green = kept("My favourite colour is green.", encoder)
    after = corrected(kept("I saw a nice film.", encoder), encoder, "My favourite colour is red.")
    assert (after.content, after.key) == ("My favourite colour is red.", "")
    assert stored(green.id).key == "favourite_colour"
