"""Refine: have a language model read what the local extractor read, in the background.

Without an answer, or with a bad one, what was proposed locally stays as it is, and the run says so.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.conf import settings

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...language.extract import Found, Quote, Said
from ...language.extract.hostile import is_hostile
from ...language.local import understand
from ...llm.model import Model, ModelError
from ...llm.tasks.conversation_reading import ConversationReading, KnownMemory, ReadItem
from ...llm.tasks.read_conversation import read_conversation
from ...models import Conversation, ExtractionPolicy, ExtractionRun, Proposal, ProposalStatus, Turn
from ...models.scope import within
from ..author import Author
from ..enter import Entered
from ..keeping.noticed import given_of, heard_at, said_at
from ..keeping.weigh import weigh
from ..speaking import speaking
from .hand import Handed, hand
from .put_before import put_before
from .unasked import keep_or_note


def refine(*, space: UUID, run: UUID, model: Model, now: datetime, encoder: Encoder) -> ExtractionRun | None:
    """Asks the model about the turns of a run; no transaction is open while it thinks. Returns the record of it.

    What was erased or passed to another person meanwhile is handed over anew as it is then, and asked about once more:
    what the model said was of other words, or of someone else. None where nothing is left to read.

    What the person was asked about already is never changed under their hands: then items are only added. By the policy
    `auto` an item is kept or noted unasked, as what is noticed locally is, where nothing speaks against it.
    """
    started, tokens = time.perf_counter(), 0
    while read := hand(space=space, run=run):
        refined, error, spent = _asked(read, model)
        tokens += spent
        with within([read.conversation.space_id]):
            if not read.stands():
                continue
            record = _recorded(read, model, refined, now, error=error, tokens=tokens)
            if refined is not None:
                _carry_out(read, refined, record, now, encoder)
            record.milliseconds = int((time.perf_counter() - started) * 1000)
            record.save(force_insert=True)
            return record
    return None


def _asked(read: Handed, model: Model) -> tuple[ConversationReading | None, str, int]:
    """What came of asking, what went wrong, and the tokens that it took either way."""
    person = read.conversation.person
    try:
        refined = read_conversation(
            model,
            [_said(turn) for turn in read.turns],
            [_found(proposal) for proposal in read.proposals],
            [KnownMemory(memory.content) for memory in read.memories],
            person=str(person),
            timezone=person.zone,
            limit=settings.KEEPSAKE_PROPOSALS,
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
        context=proposal.context,
        speaker=proposal.speaker,
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
    read: Handed, model: Model, refined: ConversationReading | None, now: datetime, *, error: str, tokens: int
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


def _carry_out(
    read: Handed, refined: ConversationReading, record: ExtractionRun, now: datetime, encoder: Encoder
) -> None:
    here = Conversation.objects.filter(space_id=record.space_id, id=record.conversation_id)
    asked_already = here.exclude(ended_at=None).exists()
    fresh = [item for item in refined.items if item.local is None]
    if not asked_already:
        _say_better(read, refined, record, encoder)
    _add(read, fresh, record, now, encoder, asked_already=asked_already)


def _say_better(read: Handed, refined: ConversationReading, record: ExtractionRun, encoder: Encoder) -> None:
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
        "context": found.context,
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
    read: Handed,
    items: Sequence[ReadItem],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    asked_already: bool,
) -> None:
    """New findings, by the person's policy; what was ever proposed at this level is not proposed again."""
    if not items:
        return
    vectors = encoder.documents([item.found.content for item in items])
    before, turns = put_before(read.conversation, encoder.name), {turn.position: turn for turn in read.turns}
    entered = speaking(read.conversation)
    to_ask: list[tuple[ReadItem, Vectors]] = []
    with within(entered.venue.spaces):
        for item, vector in zip(items, vectors, strict=True):
            quotes = [(str(turns[quote.index].id), quote.text) for quote in item.found.quotes]
            known = before.holds(item.found.content, vector, heard_at(item.found, turns), quotes)
            if known or before.was_remembered(quotes):
                record.duplicates += 1
                continue
            if not _settled(read, entered, item, vector, record, now, encoder):
                to_ask.append((item, vector))
    _ask(read, to_ask, record, now, encoder, asked_already=asked_already)


def _settled(
    read: Handed,
    entered: Entered,
    item: ReadItem,
    vector: Vectors,
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
) -> bool:
    """Whether an item needs no asking: by the policy `auto` it was kept or noted, or is there already."""
    turns = {turn.position: turn for turn in read.turns}
    if entered.person.extraction_policy != ExtractionPolicy.AUTO or not _is_safe(item, turns):
        return False
    found = replace(item.found, key=_own_key(item.found, entered, now))
    given = given_of(found, read.conversation.id, turns)
    relation = weigh(entered, [given], vector[np.newaxis], now, encoder.name)[0].relation
    if relation == "conflict":  # which of the two holds is the person's to choose
        return False
    if relation == "duplicate":
        record.duplicates += 1
        return True
    done = keep_or_note(
        entered=entered,
        found=found,
        conversation=read.conversation.id,
        turns=turns,
        author=Author("model", record.extractor, request=str(record.id), run=str(record.id)),
        now=now,
        encoder=encoder,
    )
    record.kept += done == "kept"
    record.noted += done == "noted"
    record.duplicates += done == "known"
    return True


def _is_safe(item: ReadItem, turns: Mapping[int, Turn]) -> bool:
    """Whether an item that passed all checks may be kept unasked: it touches no memory that it was shown, and no turn
    that it quotes holds anything like an instruction."""
    return item.relation is None and not any(is_hostile(turns[quote.index].content) for quote in item.found.quotes)


def _own_key(found: Found, entered: Entered, now: datetime) -> str:
    """The key only where our own rules read it too: a model must not name the slot whose value is replaced."""
    return found.key if understand(found.content, at=now, timezone=entered.person.zone).key == found.key else ""


def _ask(
    read: Handed,
    items: Sequence[tuple[ReadItem, Vectors]],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    asked_already: bool,
) -> None:
    """New proposals, numbered on from those there are. Once the question was put they have no number: the person's
    "yes" is about what they were asked."""
    here = Proposal.objects.filter(space_id=record.space_id, conversation_id=record.conversation_id)
    turns = {turn.position: turn for turn in read.turns}
    made = [
        Proposal(
            space_id=record.space_id,
            person_id=record.person_id,
            visibility=read.conversation.visibility,
            channel_id=read.conversation.channel_id,
            conversation_id=record.conversation_id,
            run_id=record.id,
            number=0 if asked_already else number,
            **_words(item.found),
            speaker=item.found.speaker[:200],
            said_at=max(said_at(turns[quote.index]) for quote in item.found.quotes),
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
        for number, (item, vector) in enumerate(items, here.count() + 1)
    ]
    Proposal.objects.bulk_create(made)
    record.proposed = len(made)
