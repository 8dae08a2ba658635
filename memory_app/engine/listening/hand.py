"""Hand: what a language model is given of a run, read in one go; and whether it is still so when the model is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from ...models import Conversation, ExtractionPolicy, ExtractionRun, Memory, Proposal, ProposalStatus, Turn
from ...models.scope import every_space, within
from ..change import one_writer

KNOWN = 40
"""Memories shown to the model beside a conversation, the latest first, so that it need not notice them again."""


@dataclass(frozen=True, slots=True)
class Handed:
    """One run's turns, what was found in them locally, and what is known already."""

    conversation: Conversation
    run: ExtractionRun
    turns: Sequence[Turn]
    proposals: Sequence[Proposal]
    memories: Sequence[Memory]

    def stands(self) -> bool:
        """Whether the conversation is the same person's still, who still wants it read, and neither a turn nor a memory
        of all this was erased or said otherwise. Expects its scope; holds off whoever writes memories of theirs, then
        the conversation, in that order, as reading it does."""
        one_writer(self.run.person_id)
        space, conversation = self.run.space_id, self.run.conversation_id
        rows = Conversation.objects.select_related("person").select_for_update(of=("self",))
        held = rows.filter(space_id=space, id=conversation).first()
        if held is None or held.person_id != self.run.person_id or not _wanted(held):
            return False
        now = _turns(self.run).values_list("id", "content")
        if list(now) != [(turn.id, turn.content) for turn in self.turns]:
            return False
        known = Memory.objects.filter(space_id=space, id__in=[memory.id for memory in self.memories])
        return dict(known.values_list("id", "content")) == {memory.id: memory.content for memory in self.memories}


def hand(*, space: UUID, run: UUID) -> Handed | None:
    """What a model is given of a run, wherever it is by now; None where it is gone, or its person wants none of it."""
    with within([space]):
        found = ExtractionRun.objects.filter(space_id=space, id=run).first()
    if found is None:
        with every_space():  # passed to another person, in a space of theirs
            found = ExtractionRun.objects.filter(id=run).first()
    if found is None:
        return None
    with within([found.space_id]):
        return _read(found)


def _read(run: ExtractionRun) -> Handed | None:
    rows = Conversation.objects.select_related("person__space", "space", "channel")
    conversation = rows.filter(space_id=run.space_id, id=run.conversation_id).first()
    if conversation is None or not _wanted(conversation):  # since the run
        return None
    proposals = Proposal.objects.filter(space_id=run.space_id, run_id=run.id, status=ProposalStatus.PENDING)
    like = Memory(
        space_id=run.space_id,
        person_id=conversation.person_id,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
    )
    memories = Memory.objects.beside(like).told().kept().filter(sensitive=False).order_by("-created_at")[:KNOWN]
    return Handed(conversation, run, list(_turns(run)), list(proposals.order_by("number")), list(memories))


def _wanted(conversation: Conversation) -> bool:
    return conversation.person.is_remembered and conversation.person.extraction_policy != ExtractionPolicy.OFF


def _turns(run: ExtractionRun) -> QuerySet[Turn]:
    said = Turn.objects.spoken().filter(space_id=run.space_id, conversation_id=run.conversation_id)
    return said.filter(position__gte=run.from_position, position__lt=run.to_position).order_by("position")
