"""Review: what undoing a decision brings back, and what it leaves alone."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.proposals.accept_proposal import accept
from memory_app.engine.proposals.review import expire_proposals, reject, reopen, snooze
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.errors import ConflictError
from memory_app.models import Memory, Proposal
from memory_app.models.row_security import every_space

pytestmark = pytest.mark.django_db

ALICE = Author("user", "alice")
NOW = timezone.now()
LATER = NOW + timedelta(minutes=5)


def kept(content: str, encoder: Encoder, **memory_input: Any) -> Memory:
    venue_context = resolve_venue(person="alice")
    before = NOW - timedelta(days=1)
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=ALICE,
        now=before,
        encoder=encoder,
    ).memory


def noticed(content: str, **fields: Any) -> Proposal:
    person = resolve_venue(person="alice").person
    about: dict[str, Any] = {"type": "fact", "category": "fact", "confidence": 0.8, "created_at": NOW, **fields}
    with every_space():
        where = {"space": person.space, "visibility": "private", **about}
        made = Proposal.objects.create(person=person, content=content, summary=content, **where)
        return Proposal.objects.select_related("person__space", "space").get(id=made.id)


def stored(memory: UUID) -> Memory:
    with every_space():
        return Memory.objects.get(id=memory)


def test_undoing_forgets_what_accepting_kept_and_brings_back_what_it_replaced(encoder: Encoder) -> None:
    old = kept("The dentist is Dr. Weiss.", encoder, key="dentist")
    proposal = noticed("The dentist is Dr. Brandt.", key="dentist")
    accepted = accept(proposal=proposal, author=ALICE, now=NOW, encoder=encoder)
    assert (accepted.outcome, stored(old.id).status) == ("superseded", "superseded")
    again = reopen(proposal=proposal, author=ALICE, now=LATER)
    assert (again.status, again.memory_id) == ("pending", None)
    assert (stored(accepted.memory.id).tier, stored(old.id).status) == ("deleted", "active")


def test_undoing_forgets_what_was_accepted_into_another_space(encoder: Encoder) -> None:
    kitchen = resolve_venue(person="alice", place=VenueNames("kitchen")).space
    old = kept("The dentist is Dr. Weiss.", encoder, key="dentist", visibility="global")
    proposal = noticed("The dentist is Dr. Brandt.", key="dentist", space=kitchen, visibility="space")
    accepted = accept(proposal=proposal, edits={"visibility": "global"}, author=ALICE, now=NOW, encoder=encoder)
    assert accepted.memory.space_id == old.space_id != proposal.space_id
    assert stored(old.id).status == "superseded"
    reopen(proposal=proposal, author=ALICE, now=LATER)
    assert (stored(accepted.memory.id).tier, stored(old.id).status) == ("deleted", "active")


def test_undoing_leaves_a_memory_that_was_there_before(encoder: Encoder) -> None:
    old = kept("We chose the blue tile.", encoder)
    proposal = noticed("We chose the blue tile.")
    accepted = accept(proposal=proposal, author=ALICE, now=NOW, encoder=encoder)
    assert (accepted.outcome, accepted.memory.id) == ("duplicate", old.id)
    reopen(proposal=proposal, author=ALICE, now=LATER)
    assert stored(old.id).tier == "active"


def test_a_memory_that_two_proposals_became_goes_with_the_last_of_them(encoder: Encoder) -> None:
    first, second = noticed("We chose the blue tile."), noticed("We chose the blue tile!")
    made = accept(proposal=first, author=ALICE, now=NOW, encoder=encoder).memory
    assert accept(proposal=second, author=ALICE, now=NOW, encoder=encoder).memory.id == made.id
    reopen(proposal=second, author=ALICE, now=LATER)
    assert stored(made.id).tier == "active"
    reopen(proposal=first, author=ALICE, now=LATER)
    assert stored(made.id).tier == "deleted"


def test_a_merge_into_the_very_text_that_was_there_undoes_no_earlier_edit(encoder: Encoder) -> None:
    old = kept("Alice prefers milk.", encoder)
    at = MemoryRef(old.space_id, old.id)
    before = NOW - timedelta(hours=1)
    edit(at=at, changes={"content": "Alice prefers oat milk."}, author=ALICE, now=before, encoder=encoder)
    proposal = noticed("Alice likes oat milk.", relation="merge", target_id=old.id)
    accept(proposal=proposal, merged="Alice prefers oat milk.", author=ALICE, now=NOW, encoder=encoder)
    reopen(proposal=proposal, author=ALICE, now=LATER)
    assert stored(old.id).content == "Alice prefers oat milk."


def test_a_merge_is_not_undone_over_a_later_edit(encoder: Encoder) -> None:
    old = kept("Alice prefers oat milk.", encoder)
    proposal = noticed("Alice likes oat milk in coffee.", relation="merge", target_id=old.id)
    accept(proposal=proposal, merged="Alice prefers oat milk in coffee.", author=ALICE, now=NOW, encoder=encoder)
    at, soon = MemoryRef(old.space_id, old.id), NOW + timedelta(minutes=1)
    edit(at=at, changes={"content": "Alice prefers soy milk in coffee."}, author=ALICE, now=soon, encoder=encoder)
    with pytest.raises(ConflictError, match="has changed since"):
        reopen(proposal=proposal, author=ALICE, now=LATER)
    assert stored(old.id).content == "Alice prefers soy milk in coffee."


def test_what_was_replaced_and_then_forgotten_stays_forgotten(encoder: Encoder) -> None:
    old = kept("The dentist is Dr. Weiss.", encoder, key="dentist")
    proposal = noticed("The dentist is Dr. Brandt.", key="dentist")
    accept(proposal=proposal, author=ALICE, now=NOW, encoder=encoder)
    delete_memory(at=MemoryRef(old.space_id, old.id), author=ALICE, now=NOW + timedelta(minutes=1))
    reopen(proposal=proposal, author=ALICE, now=LATER)
    assert stored(old.id).tier == "deleted"


def test_what_is_put_off_does_not_expire_meanwhile_and_waits_a_week_after() -> None:
    proposal = noticed("We chose the blue tile.", created_at=NOW - timedelta(days=29))
    put_off = snooze(proposal=proposal, until=NOW + timedelta(days=3), author=Author("user", "alice"), now=NOW)
    assert put_off.expires_at == NOW + timedelta(days=10)
    assert expire_proposals(NOW + timedelta(days=9)) == 0
    assert expire_proposals(NOW + timedelta(days=11)) == 1


def test_what_expired_waits_a_week_when_it_is_reopened() -> None:
    proposal = noticed("We chose the blue tile.", created_at=NOW - timedelta(days=40))
    assert expire_proposals(NOW) == 1
    assert reopen(proposal=proposal, author=ALICE, now=NOW).expires_at == NOW + timedelta(days=7)
    with every_space():
        assert Proposal.objects.waiting(NOW).count() == 1
    assert expire_proposals(NOW + timedelta(days=6)) == 0
    assert expire_proposals(NOW + timedelta(days=8)) == 1


def test_a_rejection_is_undone_with_its_reason() -> None:
    proposal = noticed("We chose the blue tile.")
    assert reject(proposal=proposal, reason="Not true", author=ALICE, now=NOW).reject_reason == "Not true"
    again = reopen(proposal=proposal, author=ALICE, now=LATER)
    assert (again.status, again.reject_reason, again.decided_by) == ("pending", "", "")
