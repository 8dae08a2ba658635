"""Hand: what a language model is given of a run, read in one go; and whether it is still so when the model is done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.memories.neighbours import nearest_memories
from memory_app.models import (
    Conversation,
    ExtractionPolicy,
    ExtractionRun,
    Memory,
    Proposal,
    ProposalStatus,
    Role,
    Turn,
)
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces, every_space

MEMORIES_SHOWN = 40
"""Memories shown to the model beside a conversation: those nearest to what was said, then the latest."""

TEXTS_COMPARED = 12
"""The last of what people said in it that memories are looked for by, beside what was noticed locally."""


@dataclass(frozen=True, slots=True)
class ModelInput:
    """One run's turns, what was found in them locally, and what is known already."""

    conversation: Conversation
    run: ExtractionRun
    turns: Sequence[Turn]
    proposals: Sequence[Proposal]
    memories: Sequence[Memory]

    @property
    def by_position(self) -> dict[int, Turn]:
        return {turn.position: turn for turn in self.turns}

    def cosines(self, vector: Vectors) -> list[float]:
        """How close a text is to each of the memories."""
        known = [one.embedding for one in self.memories]
        return [0.0 if other is None else float(vector @ np.asarray([other], np.float32)[0]) for other in known]

    def is_current(self) -> bool:
        """Whether the conversation is the same person's still, who still wants it read, and neither a turn nor a memory
        of all this was erased or said otherwise. Expects its scope; holds off whoever writes memories of theirs, then
        the conversation, in that order, as reading it does."""
        lock_writers(self.run.person_id)
        space, conversation = self.run.space_id, self.run.conversation_id
        rows = Conversation.objects.select_related("person").select_for_update(of=("self",))
        conversation_now = rows.filter(space_id=space, id=conversation).first()
        if (
            conversation_now is None
            or conversation_now.person_id != self.run.person_id
            or not _is_wanted(conversation_now)
        ):
            return False
        now = _turns_of_run(self.run).values_list("id", "content")
        if list(now) != [(turn.id, turn.content) for turn in self.turns]:
            return False
        known = Memory.objects.filter(space_id=space, id__in=[memory.id for memory in self.memories])
        return dict(known.values_list("id", "content")) == {memory.id: memory.content for memory in self.memories}


def load_model_input(*, space: UUID, run: UUID, now: datetime, encoder: Encoder) -> ModelInput | None:
    """What a model is given of a run, wherever it is by now; None where it is gone, its person wants none of it, or it
    was cleared."""
    with allowed_spaces([space]):
        found = ExtractionRun.objects.filter(space_id=space, id=run).first()
    if found is None:
        with every_space():  # passed to another person, in a space of theirs
            found = ExtractionRun.objects.filter(id=run).first()
    if found is None:
        return None
    with allowed_spaces([found.space_id]):
        model_input = _load_run(found)
    if model_input is None:
        return None
    user_texts = [turn.content for turn in model_input.turns if turn.role == Role.USER][-TEXTS_COMPARED:]
    # Embedding takes long, so it holds no transaction.
    texts = [*(proposal.content for proposal in model_input.proposals), *user_texts]
    vectors = encoder.documents(texts) if texts else np.empty((0, 0), np.float32)
    with allowed_spaces([found.space_id]):
        return replace(model_input, memories=_memories_for_model(model_input.conversation, vectors, now, encoder.name))


def _memories_for_model(conversation: Conversation, vectors: Vectors, now: datetime, model: str) -> list[Memory]:
    """The memories of its person at its level that a model may be shown, the nearest first."""
    like = Memory(
        space_id=conversation.space_id,
        person_id=conversation.person_id,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        digest=b"",
    )
    known_memories = Memory.objects.same_level(like).originals().undeleted().filter(sensitive=False)
    found = [pair for vector in vectors for pair in nearest_memories(like, vector, now, model)]
    ids = list(dict.fromkeys(known.id for _, known in sorted(found, key=lambda pair: -pair[0])))[:MEMORIES_SHOWN]
    by_id = {memory.id: memory for memory in known_memories.filter(id__in=ids)}
    latest = known_memories.exclude(id__in=ids).order_by("-created_at")
    return [*(by_id[one] for one in ids if one in by_id), *latest[: MEMORIES_SHOWN - len(by_id)]]


def _load_run(run: ExtractionRun) -> ModelInput | None:
    rows = Conversation.objects.select_related("person__space", "space", "channel")
    conversation = rows.filter(space_id=run.space_id, id=run.conversation_id).first()
    if conversation is None or not _is_wanted(conversation):  # since the run
        return None
    proposals = Proposal.objects.filter(space_id=run.space_id, run_id=run.id, status=ProposalStatus.PENDING)
    turns = list(_turns_of_run(run))
    return ModelInput(conversation, run, turns, list(proposals.order_by("number")), []) if turns else None


def _is_wanted(conversation: Conversation) -> bool:
    return conversation.person.is_memory_on and conversation.person.extraction_policy != ExtractionPolicy.OFF


def _turns_of_run(run: ExtractionRun) -> QuerySet[Turn]:
    user_texts = Turn.objects.since_cleared().filter(space_id=run.space_id, conversation_id=run.conversation_id)
    return user_texts.filter(position__gte=run.from_position, position__lt=run.to_position).order_by("position")
