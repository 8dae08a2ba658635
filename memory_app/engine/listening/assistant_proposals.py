"""Put up what an assistant's own model noticed: checked, weighed against what is kept, and waiting for the person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import Given, Source, compose
from memory_app.engine.keeping.noticed import said_at
from memory_app.engine.keeping.weigh import weigh
from memory_app.engine.listening.assistant_items import AssistantItem, Evidence, evidence_of, fault_of
from memory_app.engine.listening.finish import parts
from memory_app.engine.listening.put_before import PutBefore, let_go, put_before
from memory_app.engine.logbook.event import event
from memory_app.engine.logbook.spoken_of import note_decision
from memory_app.engine.speaking import speaking
from memory_app.errors import Invalid, NotFound
from memory_app.models import Conversation, ExtractionPolicy, Memory, Person, Proposal, Role, SourceType, Turn
from memory_app.models.scope import within
from memory_app.rules.repeats import say_the_same
from memory_app.rules.visibility import Visibility

CONFIDENCE = 0.7
"""Of an item whose assistant does not say how sure it is: what the policy `auto` would just keep."""

SEARCHED_TURNS = 500
"""The last turns of a conversation in which a quote that names no turn is looked for: as many as one request sends."""

PROPOSE = "assistant_propose"
"""What the log calls it."""

PAUSED = "Memory is paused for this person."
OFF = "This person wants nothing proposed."
KNOWN = "This is known already."
PUT_BEFORE = "This was put to the person before."
TWICE = "Another item of this request says the same."

COMPOSED = ("type", "category", "key", "summary", "content", "keywords", "event_time", "event_end", "confidence")
"""What a proposal takes over from the memory that it may become."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An item that is not put to the person, and why, in words for whoever sent it."""

    reason: str


Answer = Proposal | Refused


@dataclass
class _Item:
    """One item while it is read: the turns it rests on, and the memory it may become. answer: once it has one."""

    sent: AssistantItem
    vector: Vectors
    evidence: Evidence = ()
    memory: Memory | None = None
    answer: Answer | None = None

    @property
    def answered(self) -> Answer:
        assert self.answer is not None  # `_weigh` answers all that is left
        return self.answer

    @property
    def heard(self) -> datetime | None:
        return max((turn.created_at for turn, _ in self.evidence), default=None)

    @property
    def said(self) -> datetime | None:
        return max((said_at(turn) for turn, _ in self.evidence), default=None)


@dataclass(frozen=True, slots=True)
class _Request:
    """What all items share. conversation: where they were noticed; a stand-in, if the request names none."""

    entered: Entered
    conversation: Conversation
    author: Author
    now: datetime
    encoder: Encoder

    @property
    def named(self) -> UUID | None:
        """The id of the conversation that the request names."""
        return None if self.conversation._state.adding else self.conversation.id


def propose_items(
    *,
    entered: Entered,
    conversation: Conversation | None,
    items: Sequence[AssistantItem],
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> list[Answer]:
    """One answer for each item, in order: the proposal that waits now, or why there is none. Nothing is kept unasked,
    whatever the person's policy: these are not their own words.

    conversation: where it was noticed; without one, the venue is. Raises NotFound for a conversation of someone else's,
    Invalid for one that was held in another venue than the one named.
    """
    _check_place(entered, conversation)
    entered = speaking(conversation, entered.grant) if conversation else entered
    request = _Request(entered, conversation or _stand_in(entered), author, now, encoder)
    faults = [fault_of(item) for item in items]
    good = [item for item, fault in zip(items, faults, strict=True) if not fault]
    reading = _embedded(good, encoder)
    with within(entered.venue.spaces):
        # Only now are other writers of this person locked out; embedding takes long.
        one_writer(entered.person.id)
        unwanted = _unwanted(request)
        if not unwanted:
            _put_up(request, reading)
        answered = iter(reading)
        answers = [Refused(unwanted or fault) if unwanted or fault else next(answered).answered for fault in faults]
        _log(request, answers)
    return answers


def _embedded(items: Sequence[AssistantItem], encoder: Encoder) -> list[_Item]:
    if not items:
        return []
    vectors = encoder.documents([item.content.strip() for item in items])
    return [_Item(item, vector) for item, vector in zip(items, vectors, strict=True)]


def _check_place(entered: Entered, conversation: Conversation | None) -> None:
    if conversation is None:
        return
    if conversation.person_id != entered.person.id:
        raise NotFound
    # Where no space is named, the conversation says where it was.
    if entered.place.space and conversation.placed != _stand_in(entered).placed:
        raise Invalid("venue", "This conversation was held in another venue: leave the venue out, or name that one.")


def _stand_in(entered: Entered) -> Conversation:
    """For the conversation of what was noticed in none; it is never stored."""
    level = entered.venue.level
    stand_in = Conversation(
        space=entered.room(entered.venue.lives_in(level) or entered.venue.home),
        person=entered.person,
        visibility=level.value,
    )
    if level is Visibility.CHANNEL and entered.channel:
        stand_in.channel = entered.channel
    return stand_in


def _unwanted(request: _Request) -> str:
    """Why nothing is proposed to this person now; "" if it may be. Raises NotFound where the conversation has passed to
    someone else, or is gone."""
    person = Person.objects.get(id=request.entered.person.id)
    if request.named:
        here = Conversation.objects.filter(space_id=request.conversation.space_id, id=request.named, person=person)
        if not here.exists():
            raise NotFound
    if not person.is_remembered:
        return PAUSED
    return OFF if person.extraction_policy == ExtractionPolicy.OFF else ""


def _put_up(request: _Request, items: Sequence[_Item]) -> None:
    """Answers each item, and stores what is put to the person."""
    _find_evidence(request, items)
    before = put_before(request.conversation, request.encoder.name)
    told: list[str] = []
    for item in items:
        if item.answer is None:
            _compose(request, item)
            _refuse_repeated(request, item, before, told)
            told.append(item.sent.content)
    _weigh(request, [item for item in items if item.answer is None])
    proposals = [item.answer for item in items if isinstance(item.answer, Proposal)]
    _number(request, proposals)
    Proposal.objects.bulk_create(proposals)


def _find_evidence(request: _Request, items: Sequence[_Item]) -> None:
    rows = Turn.objects.spoken().visible_from(request.entered.venue).filter(person=request.entered.person)
    if request.named:
        rows = rows.filter(conversation_id__in=[part.id for part in parts(request.conversation)])
    known = {turn.id: turn for turn in rows.filter(id__in={turn for item in items for turn in item.sent.turns})}
    last: list[Turn] = []
    if request.named and any(item.sent.quote and not item.sent.turns for item in items):
        last = list(rows.filter(role=Role.USER).order_by("-created_at", "-position")[:SEARCHED_TURNS])
    for item in items:
        found = evidence_of(item.sent, known, last)
        if isinstance(found, str):
            item.answer = Refused(found)
        else:
            item.evidence = found


def _compose(request: _Request, item: _Item) -> None:
    """As it would be kept. A phrase of time in it means what it meant when it was said."""
    item.memory = compose(request.entered, _given(request, item), item.said or request.now)


def _given(request: _Request, item: _Item) -> Given:
    sent = item.sent
    return Given(
        content=sent.content,
        type=sent.type,
        category=sent.category,
        key=sent.key,
        event_time=sent.event_time,
        source=Source(SourceType.EXTRACTED.value, request.named, turns=tuple(turn.id for turn, _ in item.evidence)),
        confidence=CONFIDENCE if sent.confidence is None else sent.confidence,
        told_at=item.said,
    )


def _refuse_repeated(request: _Request, item: _Item, before: PutBefore, told: Sequence[str]) -> None:
    """Refuses what was put to the person before, or stands twice in this request."""
    content = item.sent.content.strip()
    if any(say_the_same(content, other) for other in told):
        item.answer = Refused(TWICE)
    elif before.holds(content, item.vector, item.heard or request.now):
        item.answer = Refused(PUT_BEFORE)
    else:
        let_go(before.waiting(content), request.conversation, request.author, request.now)


def _weigh(request: _Request, items: Sequence[_Item]) -> None:
    """Answers what is left: by what it would do to what is kept, and as refused where that says it already."""
    if not items:
        return
    vectors = np.stack([item.vector for item in items])
    givens = [_given(request, item) for item in items]
    weighed = weigh(request.entered, givens, vectors, request.now, request.encoder.name)
    for item, found in zip(items, weighed, strict=True):
        refused = found.relation == "duplicate"
        item.answer = Refused(KNOWN) if refused else _proposal(request, item, found.relation, found.target)


def _proposal(request: _Request, item: _Item, relation: str, target: UUID | None) -> Proposal:
    conversation = request.conversation
    return Proposal(
        space=conversation.space,
        person=request.entered.person,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        conversation_id=request.named,
        quotes=[{"turn": str(turn.id), "position": turn.position, "text": text} for turn, text in item.evidence],
        reason="Noticed by the assistant itself",
        extractor=f"assistant {request.author.name.partition(' ')[2]}".strip()[:100],
        relation=relation,
        target_id=target,
        said_at=item.said,
        created_at=request.now,
        embedding=item.vector,
        embedding_model=request.encoder.name,
        **{name: getattr(item.memory, name) for name in COMPOSED},
    )


def _number(request: _Request, proposals: Sequence[Proposal]) -> None:
    """Numbered on from those that wait already. Once the question was put they have no number until it is put again:
    the person's "yes" is about what they were asked."""
    if not request.named or request.conversation.ended_at:
        return
    here = Proposal.objects.filter(space_id=request.conversation.space_id, conversation_id=request.named)
    for number, proposal in enumerate(proposals, here.filter(status="pending").count() + 1):
        proposal.number = number


def _log(request: _Request, answers: Sequence[Answer]) -> None:
    """Each proposal; and of what is refused why, with the entry of the request."""
    for answer in answers:
        if isinstance(answer, Refused):
            note_decision(PROPOSE, {"decision": "refused", "reason": answer.reason})
        else:
            detail = {"proposal": str(answer.id), "relation": answer.relation, "confidence": answer.confidence}
            told = {**detail, "extractor": answer.extractor}
            event(PROPOSE, told, author=request.author, now=request.now, space=answer.space_id, person=answer.person_id)
