"""What was put to a person before, at one level, or kept unasked and forgotten since: it is not asked again.

But for what was told otherwise since, and is said once more: then what was told last is put to them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ...embedding.vectors import Vectors
from ...models import Conversation, Memory, Person, Proposal, ProposalStatus, Status
from ...rules.differences import differences
from ...rules.repeats import repeats, say_the_same
from ..author import Author
from ..keeping.compared import compared, decided_by

LOOKED_BACK_AT = 200
"""How many earlier proposals a new one is compared with."""


@dataclass(frozen=True, slots=True)
class PutBefore:
    """Earlier proposals, the latest first: those refused, and the rest, whatever became of it; and what was forgotten.
    person: whom they were put to. given_way: memories that something told since has taken the place of."""

    refused: Sequence[tuple[str, Vectors]]
    others: Sequence[Proposal]
    forgotten: Sequence[str]
    given_way: frozenset[UUID]
    person: Person

    def holds(self, text: str, vector: Vectors, heard: datetime) -> bool:
        """Whether this, heard at that time, was put to the person: once refused, in no other words; else, not in the
        same.

        What was kept and is said otherwise now is no repetition: it is what the person has to decide about. Nor is what
        was said otherwise since, and is said again now.
        """
        said = compared(self.person, text, "")
        if repeats(said, vector, self.refused) or any(say_the_same(said, other) for other in self.forgotten):
            return True
        return any(not self._is_past(other, heard) for other in self._same(said))

    def waiting(self, text: str) -> list[UUID]:
        """The proposals of the same that wait still."""
        same = self._same(compared(self.person, text, ""))
        return [other.id for other in same if other.status == ProposalStatus.PENDING]

    def _same(self, said: str) -> list[Proposal]:
        return [other for other in self.others if say_the_same(said, compared(self.person, other.content, ""))]

    def _is_past(self, proposal: Proposal, heard: datetime) -> bool:
        """Whether it was told otherwise between then and now."""
        if heard <= proposal.created_at:
            return False
        if proposal.status != ProposalStatus.PENDING:
            return proposal.memory_id in self.given_way
        return any(_otherwise(proposal, other) for other in self.others if other.created_at > proposal.created_at)


def put_before(conversation: Conversation, model: str) -> PutBefore:
    """Of the conversation's person, visibility and place, the latest. `model`: whose vectors these are."""
    person = conversation.person
    rows = Proposal.objects.filter(
        space_id=conversation.space_id,
        person_id=conversation.person_id,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        embedding_model=model,
    )
    fields = ("space_id", "id", "person_id", "content", "key", "status", "memory_id", "created_at", "embedding")
    latest = list(rows.order_by("-created_at").only(*fields)[:LOOKED_BACK_AT])
    refused = [row for row in latest if row.status == ProposalStatus.REJECTED]
    others = [row for row in latest if row.status != ProposalStatus.REJECTED]
    for row in others:
        row.person = person
    return PutBefore(
        refused=[(compared(person, row.content, ""), row.embedding) for row in refused],
        others=others,
        forgotten=[compared(person, text, "") for text in _forgotten(conversation)],
        given_way=_given_way(person, others),
        person=person,
    )


def let_go(proposals: Iterable[UUID], conversation: Conversation, author: Author, now: datetime) -> None:
    """What is put up anew waits no more as it was."""
    waiting = Proposal.objects.filter(space_id=conversation.space_id, status=ProposalStatus.PENDING)
    waiting.filter(id__in=list(proposals)).update(
        status=ProposalStatus.EXPIRED, decided_at=now, decided_by=author.label
    )


def _otherwise(one: Proposal, later: Proposal) -> bool:
    if later.status not in (ProposalStatus.PENDING, ProposalStatus.ACCEPTED):
        return False
    said, since = (decided_by(each.person, each.content, "") for each in (one, later))
    return bool(differences(said, since)) or (one.key != "" and one.key == later.key and not say_the_same(said, since))


def _given_way(person: Person, proposals: Iterable[Proposal]) -> frozenset[UUID]:
    """What they became and holds no more: replaced, or contradicted by what is newer. What was forgotten stays so."""
    made = {proposal.memory_id for proposal in proposals if proposal.memory_id}
    kept = Memory.objects.kept().filter(person_id=person.id, id__in=made).only("space_id", "id", "status", "attributes")
    return frozenset(one.id for one in kept if one.status == Status.SUPERSEDED or one.contradicted_by)


def _forgotten(conversation: Conversation) -> list[str]:
    """What was kept of this very conversation, and let go: a run that was undone is not done again by the next."""
    rows = Memory.objects.deleted().filter(
        space_id=conversation.space_id, person_id=conversation.person_id, source_conversation=conversation.id
    )
    return list(rows.order_by("-created_at").values_list("content", flat=True)[:LOOKED_BACK_AT])
