"""The past of a profile: read from versions, day by day, with nothing in it that was erased."""

from datetime import timedelta
from typing import Any

import pytest

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.summaries.profile import profile_at, profile_changes
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.models import Memory
from memory_app.nlp.documents.profile_document import read_profile
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("user", "alice")
ONE, TWO, THREE = (NOON + timedelta(days=number) for number in (1, 2, 3))


@pytest.fixture
def alice() -> VenueContext:
    return resolve_venue(person="alice")


def kept(venue_context: VenueContext, content: str, **memory_input: Any) -> Memory:
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, key="", **memory_input),
        author=AUTHOR,
        now=NOON,
        encoder=current_encoder(),
    ).memory


def at(memory: Memory) -> MemoryRef:
    return MemoryRef(memory.space_id, memory.id)


def lines(venue_context: VenueContext, moment: Any) -> list[str]:
    return [line.text for line in read_profile(profile_at(venue_context, moment)).lines]


def told(venue_context: VenueContext) -> list[tuple[Any, ...]]:
    return [
        (shift.at, shift.before and shift.before.text, shift.after and shift.after.text)
        for shift in profile_changes(venue_context)
    ]


def test_a_profile_is_read_as_it_was_on_any_day(alice: VenueContext) -> None:
    job, tea = kept(alice, "Works at Stripe.", category="work"), kept(alice, "Drinks tea.")
    changes = {"content": "Works at Google."}
    edit(at=at(job), changes=changes, author=AUTHOR, now=ONE, encoder=current_encoder())
    delete_memory(at=at(tea), author=AUTHOR, now=TWO)
    assert lines(alice, NOON - timedelta(seconds=1)) == []
    assert lines(alice, NOON) == ["Works at Stripe.", "Drinks tea."]
    assert lines(alice, ONE) == ["Works at Google.", "Drinks tea."]
    assert lines(alice, THREE) == ["Works at Google."]


def test_each_change_of_a_line_is_told_the_latest_first(alice: VenueContext) -> None:
    job = kept(alice, "Works at Stripe.", category="work")
    edit(at=at(job), changes={"content": "Works at Google."}, author=AUTHOR, now=ONE, encoder=current_encoder())
    edit(at=at(job), changes={"tags": ["job"]}, author=AUTHOR, now=TWO, encoder=current_encoder())
    delete_memory(at=at(job), author=AUTHOR, now=THREE)
    assert told(alice) == [
        (THREE, "Works at Google.", None),
        (ONE, "Works at Stripe.", "Works at Google."),
        (NOON, None, "Works at Stripe."),
    ]


def test_what_is_not_of_a_profile_is_not_of_its_past(alice: VenueContext) -> None:
    kept(alice, "Drank tea all day.", type="journal")
    kept(alice, "Perhaps likes jazz.", confidence=0.5)
    kept(resolve_venue(person="alice", place=VenueNames("kitchen")), "The kitchen closes at six.")
    kept(resolve_venue(person="bob"), "Bob rides a red bicycle.")
    assert told(alice) == []
    assert lines(alice, ONE) == []


def test_what_is_sensitive_now_is_masked_in_the_past(alice: VenueContext) -> None:
    card = kept(alice, "Pays by transfer.")
    changes = {"content": "My card number is 4111 1111 1111 1111."}
    edit(at=at(card), changes=changes, author=AUTHOR, now=ONE, encoder=current_encoder())
    assert "4111 1111" not in profile_at(alice, TWO)
    assert lines(alice, NOON) == ["•••••• (sensitive)"]


def test_what_is_erased_was_never_there(alice: VenueContext) -> None:
    job = kept(alice, "Works at Stripe.")
    edit(at=at(job), changes={"content": "Works at Google."}, author=AUTHOR, now=ONE, encoder=current_encoder())
    erase(at=at(job), author=AUTHOR, now=TWO)
    assert told(alice) == []
    assert lines(alice, ONE) == []
