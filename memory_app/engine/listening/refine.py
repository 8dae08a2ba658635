"""Refine: have a language model read what the local extractor read, in the background.

Without an answer, or with a bad one, what was proposed locally stays as it is, and the run says so.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ...embedding.encoder import Encoder
from ...language.extract import Found, Quote, Said
from ...language.model import Model, ModelError
from ...language.refine.extraction import refine_extraction
from ...language.refine.refined import KnownMemory, Refined, RefinedItem
from ...models import Conversation, ExtractionRun, Memory, Proposal, ProposalStatus, Turn
from ...models.scope import within
from ..speaking import speaking
from .propose import AT_MOST
from .put_before import put_before

KNOWN = 40
"""Memories shown to the model beside a conversation, the latest first, so that it need not notice them again."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What the model is given: one run's turns, and what was found in them locally."""

    conversation: Conversation
    run: ExtractionRun
    turns: Sequence[Turn]
    proposals: Sequence[Proposal]
    memories: Sequence[Memory]


def refine(*, space: UUID, run: UUID, model: Model, now: datetime, encoder: Encoder) -> ExtractionRun | None:
    """Asks the model once about the turns of a run; no transaction is open while it thinks. Returns the record of it.

    What the person was asked about already is never changed under their hands: then items are only added.
    """
    read = _read(space, run)
    if read is None:
        return None
    started = time.perf_counter()
    refined, error, tokens = _asked(read, model)
    with within([space]):
        record = _recorded(read, model, refined, now, error=error, tokens=tokens)
        if refined is not None:
            _carry_out(read, refined, record, now, encoder)
        record.milliseconds = int((time.perf_counter() - started) * 1000)
        record.save(force_insert=True)
    return record


def _read(space: UUID, run: UUID) -> _Read | None:
    with within([space]):
        found = ExtractionRun.objects.filter(space_id=space, id=run).first()
        if found is None:
            return None
        rows = Conversation.objects.select_related("person__space", "space", "channel")
        conversation = rows.get(space_id=space, id=found.conversation_id)
        if not conversation.person.memory_enabled:  # paused since the run
            return None
        said = Turn.objects.spoken().filter(space_id=space, conversation_id=conversation.id)
        said = said.filter(position__gte=found.from_position, position__lt=found.to_position)
        proposals = Proposal.objects.filter(space_id=space, run_id=run, status=ProposalStatus.PENDING)
        like = Memory(
            space_id=space,
            person_id=conversation.person_id,
            visibility=conversation.visibility,
            channel_id=conversation.channel_id,
        )
        memories = Memory.objects.beside(like).kept().filter(sensitive=False).order_by("-created_at")[:KNOWN]
        return _Read(
            conversation, found, list(said.order_by("position")), list(proposals.order_by("number")), list(memories)
        )


def _asked(read: _Read, model: Model) -> tuple[Refined | None, str, int]:
    """What came of asking, what went wrong, and the tokens that it took either way."""
    person = read.conversation.person
    try:
        refined = refine_extraction(
            model,
            [_said(turn) for turn in read.turns],
            [_found(proposal) for proposal in read.proposals],
            [KnownMemory(memory.content) for memory in read.memories],
            person=str(person),
            timezone=person.zone,
            limit=AT_MOST,
        )
    except ModelError as error:
        return None, f"{type(error).__name__}: {error}"[:500], error.tokens_in + error.tokens_out
    return refined, "", refined.made.tokens_in + refined.made.tokens_out


def _said(turn: Turn) -> Said:
    return Said(turn.position, turn.role, turn.content, turn.speaker, turn.spoken_at, turn.mode, turn.outcome)


def _found(proposal: Proposal) -> Found:
    """A local finding, as it was before it became a proposal."""
    return Found(
        summary=proposal.summary,
        content=proposal.content,
        speaker="",
        type=proposal.type,
        category=proposal.category,
        key=proposal.key,
        keywords=tuple(proposal.keywords),
        confidence=proposal.confidence,
        quotes=tuple(Quote(quote["position"], quote["text"]) for quote in proposal.quotes),
        reason=proposal.reason,
        event_time=proposal.event_time,
        event_end=proposal.event_end,
    )


def _recorded(
    read: _Read, model: Model, refined: Refined | None, now: datetime, *, error: str, tokens: int
) -> ExtractionRun:
    made = refined.made if refined else None
    return ExtractionRun(
        space_id=read.run.space_id,
        conversation_id=read.run.conversation_id,
        person_id=read.run.person_id,
        trigger=read.run.trigger,
        from_position=read.run.from_position,
        to_position=read.run.to_position,
        read=len(read.turns),
        tokens=tokens,
        extractor=(made.extractor if made else model.name)[:100],
        error=error,
        dropped=dict(refined.dropped) if refined else {},
        started_at=now,
    )


def _carry_out(read: _Read, refined: Refined, record: ExtractionRun, now: datetime, encoder: Encoder) -> None:
    held = Conversation.objects.select_for_update().get(space_id=record.space_id, id=record.conversation_id)
    asked_already = held.ended_at is not None
    fresh = [item for item in refined.items if item.local is None]
    if not asked_already:
        _say_better(read, refined, record, encoder)
    _add(read, fresh, record, now, encoder, asked_already=asked_already)


def _say_better(read: _Read, refined: Refined, record: ExtractionRun, encoder: Encoder) -> None:
    """Proposals that the model words better take its words; those it dismisses are let go."""
    better = [(item, read.proposals[item.local]) for item in refined.items if item.local is not None]
    for item, proposal in better:
        vector = encoder.documents([item.found.content])[0]
        still = Proposal.objects.filter(space_id=proposal.space_id, id=proposal.id, status=ProposalStatus.PENDING)
        still.update(**_words(item.found), extractor=record.extractor, embedding=vector, embedding_model=encoder.name)
    for place in refined.dismissed:
        dismissed = read.proposals[place]
        rows = Proposal.objects.filter(space_id=dismissed.space_id, id=dismissed.id, status=ProposalStatus.PENDING)
        rows.update(status=ProposalStatus.EXPIRED, decided_at=record.started_at, decided_by=f"model:{record.extractor}")


def _words(found: Found) -> dict[str, object]:
    return {
        "summary": found.summary,
        "content": found.content,
        "type": found.type,
        "category": found.category,
        "key": found.key,
        "keywords": list(found.keywords),
        "confidence": found.confidence,
        "reason": found.reason[:300],
        "event_time": found.event_time,
        "event_end": found.event_end,
    }


def _add(
    read: _Read,
    items: Sequence[RefinedItem],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    asked_already: bool,
) -> None:
    """New proposals, numbered on from those there are; what was ever proposed at this level is not proposed again.

    Once the question was put they have no number: the person's "yes" is about what they were asked.
    """
    if not items:
        return
    entered = speaking(read.conversation)
    vectors = encoder.documents([item.found.content for item in items])
    here = Proposal.objects.filter(space_id=record.space_id, person_id=record.person_id)
    here = here.filter(visibility=read.conversation.visibility, channel_id=read.conversation.channel_id)
    before = put_before(read.conversation, encoder.name)
    number = here.filter(conversation_id=record.conversation_id).count()
    turns = {turn.position: turn for turn in read.turns}
    made = []
    for item, vector in zip(items, vectors, strict=True):
        if before.holds(item.found.content, vector):
            record.duplicates += 1
            continue
        number += 1
        made.append(
            Proposal(
                space_id=record.space_id,
                person=entered.person,
                visibility=read.conversation.visibility,
                channel_id=read.conversation.channel_id,
                conversation_id=record.conversation_id,
                run_id=record.id,
                number=0 if asked_already else number,
                **_words(item.found),
                quotes=[
                    {"turn": str(turns[quote.index].id), "position": quote.index, "text": quote.text}
                    for quote in item.found.quotes
                ],
                extractor=record.extractor,
                relation=item.relation.kind if item.relation else "new",
                target_id=read.memories[item.relation.known].id if item.relation else None,
                created_at=now,
                embedding=vector,
                embedding_model=encoder.name,
            )
        )
    Proposal.objects.bulk_create(made)
    record.proposed = len(made)
