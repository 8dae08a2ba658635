"""What was put to a person before, at one level, or kept unasked and forgotten since: it is not asked again."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...embedding.vectors import Vectors
from ...models import Conversation, Memory, Person, Proposal, ProposalStatus
from ...rules.repeats import repeats, say_the_same
from ..keeping.compared import compared

LOOKED_BACK_AT = 200
"""How many earlier proposals a new one is compared with."""


@dataclass(frozen=True, slots=True)
class PutBefore:
    """Earlier proposals: those refused, and the rest, whatever became of it, with what was forgotten. person: whom
    they were put to."""

    refused: Sequence[tuple[str, Vectors]]
    others: Sequence[str]
    person: Person

    def holds(self, text: str, vector: Vectors) -> bool:
        """Whether this was put to the person: once refused, in no other words; else, not in the same.

        What was kept and is said otherwise now is no repetition: it is what the person has to decide about.
        """
        said = compared(self.person, text, "")
        return repeats(said, vector, self.refused) or any(say_the_same(said, other) for other in self.others)


def put_before(conversation: Conversation, model: str) -> PutBefore:
    """Of the conversation's person, visibility and place, the latest. `model`: whose vectors these are."""
    rows = Proposal.objects.filter(
        space_id=conversation.space_id,
        person_id=conversation.person_id,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        embedding_model=model,
    )
    latest = list(
        rows.order_by("-created_at").only("space_id", "id", "content", "status", "embedding")[:LOOKED_BACK_AT]
    )
    person = conversation.person
    said = [(compared(person, row.content, ""), row) for row in latest]
    refused = [(text, row.embedding) for text, row in said if row.status == ProposalStatus.REJECTED]
    others = [text for text, row in said if row.status != ProposalStatus.REJECTED]
    return PutBefore(refused, [*others, *(compared(person, text, "") for text in _forgotten(conversation))], person)


def _forgotten(conversation: Conversation) -> list[str]:
    """What was kept of this very conversation, and let go: a run that was undone is not done again by the next."""
    rows = Memory.objects.deleted().filter(
        space_id=conversation.space_id, person_id=conversation.person_id, source_conversation=conversation.id
    )
    return list(rows.order_by("-created_at").values_list("content", flat=True)[:LOOKED_BACK_AT])
