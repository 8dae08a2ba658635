"""Propose: read what was said since the last time, notice what is worth keeping, and put it up for the person."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.noticed import given_of, heard_at, said_at
from memory_app.engine.keeping.weigh import Weighed, weigh
from memory_app.engine.listening.hear import PAGE, Heard, Noticed, hear, notice
from memory_app.engine.listening.put_before import let_go, put_before
from memory_app.engine.listening.unasked import keep_or_note
from memory_app.engine.speaking import speaking
from memory_app.language.extract import Found
from memory_app.models import Conversation, ExtractionPolicy, ExtractionRun, Proposal, Role, Trigger, Turn
from memory_app.models.conversation import FEWEST_TURNS
from memory_app.models.scope import within

EXTRACTOR = "local-8"
"""Which extractor made a proposal; a new number when the same turns would give other ones."""

BY_PAGES = f"{EXTRACTOR} by pages"


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a run put up for the person (or kept by itself), and its record; None when there was nothing to read."""

    proposals: Sequence[Proposal] = ()
    run: ExtractionRun | None = None


@dataclass
class _Reading:
    """One run while it goes on: of the conversation, or of a page of it."""

    conversation: Conversation
    entered: Entered
    noticed: Noticed
    run: ExtractionRun
    author: Author
    now: datetime
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def by_position(self) -> dict[int, Turn]:
        return {turn.position: turn for turn in self.noticed.turns}


def propose(
    *,
    space: UUID,
    conversation: UUID,
    trigger: Trigger,
    author: Author,
    now: datetime,
    encoder: Encoder,
    by_pages: bool = False,
) -> Proposed:
    """Reads the turns that no run has read, and writes what it noticed in one transaction: run again, or killed and
    run again, it finds nothing new to read. What is said meanwhile, or kept of the person, need not wait for what is
    noticed: only what is written of it holds others off.

    by_pages: reads all of a conversation longer than a page once more, page by page, for what was passed over when it
    was read as a whole, and marks it as consolidated. What was put up before, whatever became of it, is not put up
    again.
    """
    started = time.perf_counter()
    here = _conversations().filter(space_id=space, id=conversation)
    while True:
        with within([space]):
            seen = here.first()
            if seen is None or not _to_be_read(seen, by_pages):
                return Proposed()
            heard = hear(seen, by_pages)
        noticed = notice(heard, encoder)
        with within([space]):
            one_writer(seen.person_id)
            held = here.first()
            if held and _to_be_read(held, by_pages) and heard.stands(held):
                run = _run(held, heard, trigger, now)
                proposals = _weighed(held, noticed, run, author, encoder)
                run.milliseconds = int((time.perf_counter() - started) * 1000)
                _finish(held, run, proposals, gone_through=now if by_pages else None)
                return Proposed(proposals, run)


def _weighed(
    conversation: Conversation, noticed: Sequence[Noticed], run: ExtractionRun, author: Author, encoder: Encoder
) -> list[Proposal]:
    """What is to be put up of what was noticed, unsaved. By their person's policy it may be kept or noted instead."""
    entered = speaking(conversation)
    # What a job does has no request to tie it together: the run does.
    author = replace(author, request=author.request or str(run.id), run=str(run.id))
    proposals: list[Proposal] = []
    with within(entered.venue.spaces):
        for page in noticed:
            _read(_Reading(conversation, entered, page, run, author, run.started_at, proposals), encoder)
    return proposals


def _conversations() -> QuerySet[Conversation]:
    return Conversation.objects.select_related("person__space", "space", "channel")


def _to_be_read(conversation: Conversation, by_pages: bool) -> bool:
    person, count = conversation.person, conversation.turn_count
    wanted = person.is_remembered and person.extraction_policy != ExtractionPolicy.OFF and count >= FEWEST_TURNS
    again = by_pages and count > PAGE and conversation.consolidated_at is None
    return wanted and (conversation.extracted_to < count or again)


def _run(conversation: Conversation, heard: Heard, trigger: Trigger, now: datetime) -> ExtractionRun:
    return ExtractionRun(
        space_id=conversation.space_id,
        conversation_id=conversation.id,
        person_id=conversation.person_id,
        trigger=trigger,
        from_position=heard.start,
        to_position=heard.end,
        read=len(heard.unread),
        extractor=BY_PAGES if heard.again else EXTRACTOR,
        started_at=now,
    )


def _read(reading: _Reading, encoder: Encoder) -> None:
    found, vectors = reading.noticed.found, reading.noticed.vectors
    fresh = _not_repeated(reading, found, vectors, encoder.name)
    conversation, turns = reading.conversation.id, reading.by_position
    givens = [given_of(found[index], conversation, turns) for index in fresh]
    weighed = weigh(reading.entered, givens, vectors[fresh], reading.now, encoder.name)
    for index, item in zip(fresh, weighed, strict=True):
        if item.relation == "duplicate":
            reading.run.duplicates += 1
            continue
        _dispose(reading, found[index], item, vectors[index], encoder)


def _not_repeated(reading: _Reading, found: Sequence[Found], vectors: Vectors, model: str) -> list[int]:
    """Indexes of what was not put to the person before, or was told otherwise since."""
    before, turns = put_before(reading.conversation, model), reading.by_position
    fresh = [
        index
        for index, item in enumerate(found)
        if not before.holds(item.content, vectors[index], heard_at(item, turns))
        and not before.was_remembered([(str(turns[quote.index].id), quote.text) for quote in item.quotes])
    ]
    again = [waiting for index in fresh for waiting in before.waiting(found[index].content)]
    let_go(again, reading.conversation, reading.author, reading.now)
    reading.run.duplicates += len(found) - len(fresh)
    return fresh


def _dispose(reading: _Reading, found: Found, weighed: Weighed, vector: Vectors, encoder: Encoder) -> None:
    """By the person's policy: asked, or kept if sure and noted if not."""
    if reading.entered.person.extraction_policy == ExtractionPolicy.ASK:
        reading.proposals.append(_proposal(reading, found, weighed, vector, encoder.name))
        return
    done = keep_or_note(
        entered=reading.entered,
        found=found,
        conversation=reading.conversation.id,
        turns=reading.by_position,
        author=reading.author,
        now=reading.now,
        encoder=encoder,
    )
    reading.run.kept += done == "kept"
    reading.run.noted += done == "noted"
    reading.run.duplicates += done == "known"


def _proposal(reading: _Reading, found: Found, weighed: Weighed, vector: Vectors, model: str) -> Proposal:
    turns = reading.by_position
    return Proposal(
        space_id=reading.conversation.space_id,
        person_id=reading.conversation.person_id,
        visibility=reading.conversation.visibility,
        channel_id=reading.conversation.channel_id,
        conversation_id=reading.conversation.id,
        run_id=reading.run.id,
        type=found.type,
        category=found.category,
        key=found.key,
        summary=found.summary,
        content=found.content,
        context=found.context,
        speaker=found.speaker[:200],
        said_at=max(said_at(turns[position]) for position in found.turns),
        keywords=list(found.keywords),
        event_time=found.event_time,
        event_end=found.event_end,
        confidence=found.confidence,
        reason=found.reason,
        quotes=[
            {"turn": str(turns[quote.index].id), "position": quote.index, "text": quote.text} for quote in found.quotes
        ],
        extractor=EXTRACTOR,
        relation=weighed.relation,
        target_id=weighed.target,
        created_at=reading.now,
        embedding=vector,
        embedding_model=model,
    )


def _finish(
    conversation: Conversation, run: ExtractionRun, proposals: Sequence[Proposal], gone_through: datetime | None
) -> None:
    """Writes the run and its proposals, numbered on from those that wait already, and marks the turns as read.

    The conversation is held last: whoever goes on speaking in it waits for no more than that it is marked.
    """
    here = {"space_id": conversation.space_id, "conversation_id": conversation.id}
    waiting = Proposal.objects.filter(**here, status="pending").count()
    for number, proposal in enumerate(proposals, waiting + 1):
        proposal.number = number
    run.proposed = len(proposals)
    run.save(force_insert=True)
    Proposal.objects.bulk_create(proposals)
    held = Conversation.objects.select_for_update().get(space_id=conversation.space_id, id=conversation.id)
    unread = Turn.objects.filter(**here, position__gte=run.to_position, role=Role.USER)
    held.extracted_to, held.user_turns_unread = run.to_position, unread.count()
    held.consolidated_at = gone_through or held.consolidated_at
    held.save(update_fields=["extracted_to", "user_turns_unread", "consolidated_at"])
