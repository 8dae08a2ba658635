"""Propose: read what was said since the last time, notice what is worth keeping, and put it up for the person."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...language.extract import Found, extract
from ...models import Conversation, ExtractionPolicy, ExtractionRun, Proposal, Role, Trigger, Turn
from ...models.scope import within
from ...rules.sensitive import sensitive_kinds
from ..author import Author
from ..change import one_writer
from ..enter import Entered
from ..keeping.noticed import as_said, given_of
from ..keeping.weigh import Weighed, weigh
from ..speaking import speaking
from .put_before import put_before
from .unasked import keep_or_note

EXTRACTOR = "local-6"
"""Which extractor made a proposal; a new number when the same turns would give other ones."""

FEWEST_TURNS = 4
"""A conversation shorter than this holds nothing to notice (design: "Fewer than 4 turns: nothing")."""

AT_MOST = 5
"""Proposals of one conversation: more would not be read (bench/extraction.py has what 5 and 8 cover)."""

LISTENED_TO = 100
"""The last turns of a conversation that are heard again, so that what is unread is measured against them: two turns
after a run are too few to be read alone. What is unread is read however long it is."""

PAGE = 30
"""Turns of a page, where all of a long conversation is read once more (seed: 30 a page). Each may yield `AT_MOST`."""

BY_PAGES = f"{EXTRACTOR} by pages"


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a run put up for the person (or kept by itself), and its record; None when there was nothing to read."""

    proposals: Sequence[Proposal] = ()
    run: ExtractionRun | None = None


@dataclass
class _Reading:
    """One run while it goes on. `turns` are those heard, `unread` the positions of those that are new."""

    conversation: Conversation
    entered: Entered
    turns: Sequence[Turn]
    unread: frozenset[int]
    run: ExtractionRun
    author: Author
    now: datetime
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def by_position(self) -> dict[int, Turn]:
        return {turn.position: turn for turn in self.turns}


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
    """Reads the turns that no run has read, in one transaction: run again, or killed and run again, it finds nothing
    new to read.

    by_pages: reads all of a conversation longer than a page once more, page by page, for what was passed over when it
    was read as a whole. What was put up before, whatever became of it, is not put up again.
    """
    started = time.perf_counter()
    with within([space]):
        held = _held(space, conversation)
        if held is None or not _to_be_read(held, by_pages):
            return Proposed()
        entered = speaking(held)
        with within(entered.venue.spaces):
            one_writer(held.person_id)
            reading = _reading(held, entered, trigger, author, now, by_pages)
            for page in _pages(reading):
                _read(page, encoder)
            reading.run.milliseconds = int((time.perf_counter() - started) * 1000)
            _finish(reading)
    return Proposed(reading.proposals, reading.run)


def _held(space: UUID, conversation: UUID) -> Conversation | None:
    """The conversation, held against other runs until the transaction ends."""
    rows = Conversation.objects.select_for_update(of=("self",)).select_related("person__space", "space", "channel")
    return rows.filter(space_id=space, id=conversation).first()


def _to_be_read(conversation: Conversation, by_pages: bool) -> bool:
    person, count = conversation.person, conversation.turn_count
    wanted = person.memory_enabled and person.extraction_policy != ExtractionPolicy.OFF and count >= FEWEST_TURNS
    return wanted and (conversation.extracted_to < count or (by_pages and count > PAGE))


def _reading(
    conversation: Conversation, entered: Entered, trigger: Trigger, author: Author, now: datetime, by_pages: bool
) -> _Reading:
    again = by_pages and conversation.turn_count > PAGE
    start = 0 if again else conversation.extracted_to
    turns = _heard(conversation, start)
    unread = frozenset(turn.position for turn in turns if turn.position >= start)
    run = ExtractionRun(
        space_id=conversation.space_id,
        conversation_id=conversation.id,
        person_id=conversation.person_id,
        trigger=trigger,
        from_position=start,
        to_position=conversation.turn_count,
        read=len(unread),
        extractor=BY_PAGES if again else EXTRACTOR,
        started_at=now,
    )
    # What a job does has no request to tie it together: the run does.
    author = replace(author, request=author.request or str(run.id), run=str(run.id))
    return _Reading(conversation, entered, turns, unread, run, author, now)


def _pages(reading: _Reading) -> list[_Reading]:
    """The reading as it is, or one of each page, measured against the turns around it. All write to the same record."""
    if reading.run.extractor != BY_PAGES:
        return [reading]
    pages = []
    for start in range(0, reading.run.to_position, PAGE):
        end = start + PAGE
        heard = [turn for turn in reading.turns if end - LISTENED_TO <= turn.position < end]
        unread = frozenset(turn.position for turn in heard if turn.position >= start)
        pages.append(replace(reading, turns=heard, unread=unread))
    return pages


def _heard(conversation: Conversation, start: int) -> list[Turn]:
    first = min(start, conversation.turn_count - LISTENED_TO)
    rows = Turn.objects.spoken().filter(space_id=conversation.space_id, conversation_id=conversation.id)
    return list(rows.filter(position__gte=first).order_by("position"))


def _read(reading: _Reading, encoder: Encoder) -> None:
    found = [item for item in _noticed(reading) if not sensitive_kinds(item.content)]
    if not found:
        return
    vectors = encoder.documents([item.content for item in found])
    fresh = _not_repeated(reading, found, vectors, encoder.name)
    conversation, turns = reading.conversation.id, reading.by_position
    givens = [given_of(found[index], conversation, turns) for index in fresh]
    weighed = weigh(reading.entered, givens, vectors[fresh], reading.now, encoder)
    for index, item in zip(fresh, weighed, strict=True):
        if item.relation == "duplicate":
            reading.run.duplicates += 1
            continue
        _dispose(reading, found[index], item, vectors[index], encoder)


def _noticed(reading: _Reading) -> Sequence[Found]:
    person = reading.entered.person
    return extract(
        as_said(reading.turns),
        person=str(person),
        timezone=person.zone,
        limit=AT_MOST,
        unread=reading.unread,
        language=person.language,
    )


def _not_repeated(reading: _Reading, found: Sequence[Found], vectors: Vectors, model: str) -> list[int]:
    """Indexes of what was not put to the person before."""
    before = put_before(reading.conversation, model)
    fresh = [index for index, item in enumerate(found) if not before.holds(item.content, vectors[index])]
    reading.run.duplicates += len(found) - len(fresh)
    return fresh


def _dispose(reading: _Reading, found: Found, weighed: Weighed, vector: Vectors, encoder: Encoder) -> None:
    """By the person's policy: asked, or kept if sure and noted if not."""
    if reading.entered.person.extraction_policy == ExtractionPolicy.ASK:
        reading.proposals.append(_proposal(reading, found, weighed, vector, encoder.name))
        return
    kept = keep_or_note(
        entered=reading.entered,
        found=found,
        conversation=reading.conversation.id,
        turns=reading.by_position,
        author=reading.author,
        now=reading.now,
        encoder=encoder,
    )
    reading.run.kept += kept
    reading.run.noted += not kept


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


def _finish(reading: _Reading) -> None:
    """Writes the run and its proposals, numbered on from those that wait already, and marks the turns as read."""
    conversation = reading.conversation
    waiting = Proposal.objects.filter(
        space_id=conversation.space_id, conversation_id=conversation.id, status="pending"
    ).count()
    for number, proposal in enumerate(reading.proposals, waiting + 1):
        proposal.number = number
    reading.run.proposed = len(reading.proposals)
    reading.run.save(force_insert=True)
    Proposal.objects.bulk_create(reading.proposals)
    unread = Turn.objects.filter(
        space_id=conversation.space_id,
        conversation_id=conversation.id,
        position__gte=reading.run.to_position,
        role=Role.USER,
    ).count()
    conversation.extracted_to, conversation.user_turns_unread = reading.run.to_position, unread
    conversation.save(update_fields=["extracted_to", "user_turns_unread"])
