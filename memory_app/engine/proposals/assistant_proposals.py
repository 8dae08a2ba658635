"""Put up what an assistant's own model noticed: checked, weighed against what is kept, and waiting for the person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.audit.request_log import note_decision
from memory_app.engine.conversations.add_turns import conversation_parts
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.save import preview_relations
from memory_app.engine.proposals.assistant_items import AssistantItem, find_evidence, item_fault
from memory_app.engine.proposals.proposal_history import ProposalHistory, expire_repeated, load_history
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.errors import Invalid, NotFound
from memory_app.models import Conversation, ExtractionPolicy, Memory, Person, Proposal, Role, SourceType, Turn
from memory_app.models.person import lock_writers
from memory_app.models.proposal import Evidence, build_proposal
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.decide import same_statements
from memory_app.rules.visibility import Visibility

CONFIDENCE = 0.7
"""Of an item whose assistant does not say how sure it is: what the policy `auto` would just keep."""

SEARCHED_TURNS = 500
"""The last turns of a conversation in which a quote that names no turn is looked for: as many as one request sends."""

OPERATION_NAME = "assistant_propose"
"""What the log calls it."""

MEMORY_PAUSED = "Memory is paused for this person."
PROPOSALS_OFF = "This person wants nothing proposed."
ALREADY_KNOWN = "This is known already."
ALREADY_PROPOSED = "This was put to the person before."
REPEATED_ITEM = "Another item of this request says the same."

COPIED_FIELDS = ("type", "category", "key", "summary", "content", "keywords", "event_time", "event_end", "confidence")
"""What a proposal takes over from the memory that it may become."""


@dataclass(frozen=True, slots=True)
class RefusedItem:
    """An item that is not put to the person, and why, in words for whoever sent it."""

    reason: str


Answer = Proposal | RefusedItem


@dataclass
class _Item:
    """One item while it is read: the turns it rests on, and the memory it may become. answer: once it has one."""

    item_sent: AssistantItem
    vector: Vectors
    evidence: Evidence = ()
    memory: Memory | None = None
    answer: Answer | None = None

    @property
    def final_answer(self) -> Answer:
        assert self.answer is not None  # `_answer_by_relation` answers all that is left
        return self.answer

    @property
    def stored_at(self) -> datetime | None:
        return max((turn.created_at for turn, _ in self.evidence), default=None)

    @property
    def said_at(self) -> datetime | None:
        return max((turn.time_spoken for turn, _ in self.evidence), default=None)


@dataclass(frozen=True, slots=True)
class _Request:
    """What all items share. conversation: where they were noticed; a stand-in, if the request names none."""

    venue_context: VenueContext
    conversation: Conversation
    author: Author
    now: datetime
    encoder: Encoder

    @property
    def conversation_id(self) -> UUID | None:
        """The id of the conversation that the request names."""
        return None if self.conversation._state.adding else self.conversation.id


def propose_items(
    *,
    venue_context: VenueContext,
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
    _check_venue(venue_context, conversation)
    venue_context = conversation_venue(conversation, venue_context.grant) if conversation else venue_context
    request = _Request(venue_context, conversation or _unsaved_conversation(venue_context), author, now, encoder)
    faults = [item_fault(item) for item in items]
    good = [item for item, fault in zip(items, faults, strict=True) if not fault]
    reading = _embed_items(good, encoder)
    with allowed_spaces(venue_context.venue.spaces):
        # Only now are other writers of this person locked out; embedding takes long.
        lock_writers(venue_context.person.id)
        refusal = _refusal(request)
        if not refusal:
            _answer_items(request, reading)
        final_answer = iter(reading)
        answers = [
            RefusedItem(refusal or fault) if refusal or fault else next(final_answer).final_answer for fault in faults
        ]
        _log_answers(request, answers)
    return answers


def _embed_items(items: Sequence[AssistantItem], encoder: Encoder) -> list[_Item]:
    if not items:
        return []
    vectors = encoder.documents([item.content.strip() for item in items])
    return [_Item(item, vector) for item, vector in zip(items, vectors, strict=True)]


def _check_venue(venue_context: VenueContext, conversation: Conversation | None) -> None:
    if conversation is None:
        return
    if conversation.person_id != venue_context.person.id:
        raise NotFound
    # Where no space is named, the conversation says where it was.
    if venue_context.place.space and conversation.placed != _unsaved_conversation(venue_context).placed:
        raise Invalid("venue", "This conversation was held in another venue: leave the venue out, or name that one.")


def _unsaved_conversation(venue_context: VenueContext) -> Conversation:
    """For the conversation of what was noticed in none; it is never stored."""
    level = venue_context.venue.level
    stand_in = Conversation(
        space=venue_context.space_row(venue_context.venue.lives_in(level) or venue_context.venue.home),
        person=venue_context.person,
        visibility=level.value,
    )
    if level is Visibility.CHANNEL and venue_context.channel:
        stand_in.channel = venue_context.channel
    return stand_in


def _refusal(request: _Request) -> str:
    """Why nothing is proposed to this person now; "" if it may be. Raises NotFound where the conversation has passed to
    someone else, or is gone."""
    person = Person.objects.get(id=request.venue_context.person.id)
    if request.conversation_id:
        here = Conversation.objects.filter(
            space_id=request.conversation.space_id, id=request.conversation_id, person=person
        )
        if not here.exists():
            raise NotFound
    if not person.is_memory_on:
        return MEMORY_PAUSED
    return PROPOSALS_OFF if person.extraction_policy == ExtractionPolicy.OFF else ""


def _answer_items(request: _Request, items: Sequence[_Item]) -> None:
    """Answers each item, and stores what is put to the person."""
    _find_evidence(request, items)
    history = load_history(request.conversation, request.encoder.name)
    contents: list[str] = []
    for item in items:
        if item.answer is None:
            _build(request, item)
            _refuse_repeated(request, item, history, contents)
            contents.append(item.item_sent.content)
    _answer_by_relation(request, [item for item in items if item.answer is None])
    proposals = [item.answer for item in items if isinstance(item.answer, Proposal)]
    _number_proposals(request, proposals)
    Proposal.objects.bulk_create(proposals)


def _find_evidence(request: _Request, items: Sequence[_Item]) -> None:
    rows = (
        Turn.objects.searchable().visible_from(request.venue_context.venue).filter(person=request.venue_context.person)
    )
    if request.conversation_id:
        rows = rows.filter(conversation_id__in=[part.id for part in conversation_parts(request.conversation)])
    known = {turn.id: turn for turn in rows.filter(id__in={turn for item in items for turn in item.item_sent.turns})}
    last: list[Turn] = []
    if request.conversation_id and any(item.item_sent.quote and not item.item_sent.turns for item in items):
        last = list(rows.filter(role=Role.USER).order_by("-created_at", "-position")[:SEARCHED_TURNS])
    for item in items:
        found = find_evidence(item.item_sent, known, last)
        if isinstance(found, str):
            item.answer = RefusedItem(found)
        else:
            item.evidence = found


def _build(request: _Request, item: _Item) -> None:
    """As it would be kept. A phrase of time in it means what it meant when it was said."""
    item.memory = build_memory(request.venue_context, _input_for(request, item), item.said_at or request.now).memory


def _input_for(request: _Request, item: _Item) -> MemoryInput:
    item_sent = item.item_sent
    return MemoryInput(
        content=item_sent.content,
        type=item_sent.type,
        category=item_sent.category,
        key=item_sent.key,
        event_time=item_sent.event_time,
        source=MemorySource(
            SourceType.EXTRACTED.value, request.conversation_id, turns=tuple(turn.id for turn, _ in item.evidence)
        ),
        confidence=CONFIDENCE if item_sent.confidence is None else item_sent.confidence,
        said_at=item.said_at,
    )


def _refuse_repeated(request: _Request, item: _Item, history: ProposalHistory, contents: Sequence[str]) -> None:
    """Refuses what was put to the person before, or stands twice in this request."""
    content = item.item_sent.content.strip()
    if any(same_statements(content, contents)):
        item.answer = RefusedItem(REPEATED_ITEM)
    elif history.contains(content, item.vector, item.stored_at or request.now):
        item.answer = RefusedItem(ALREADY_PROPOSED)
    else:
        expire_repeated(history.waiting(content), request.conversation, request.author, request.now)


def _answer_by_relation(request: _Request, items: Sequence[_Item]) -> None:
    """Answers what is left: by what it would do to what is kept, and as refused where that says it already."""
    if not items:
        return
    vectors = np.stack([item.vector for item in items])
    inputs = [_input_for(request, item) for item in items]
    expected = preview_relations(request.venue_context, inputs, vectors, request.now, request.encoder.name)
    for item, found in zip(items, expected, strict=True):
        refused = found.relation == "duplicate"
        item.answer = (
            RefusedItem(ALREADY_KNOWN) if refused else _build_proposal(request, item, found.relation, found.target)
        )


def _build_proposal(request: _Request, item: _Item, relation: str, target: UUID | None) -> Proposal:
    return build_proposal(
        request.conversation,
        item.evidence,
        reason="Noticed by the assistant itself",
        extractor=f"assistant {request.author.name.partition(' ')[2]}".strip()[:100],
        relation=relation,
        target_id=target,
        embedding=item.vector,
        embedding_model=request.encoder.name,
        now=request.now,
        **{name: getattr(item.memory, name) for name in COPIED_FIELDS},
    )


def _number_proposals(request: _Request, proposals: Sequence[Proposal]) -> None:
    """Numbered on from those that wait already. Once the question was put they have no number until it is put again:
    the person's "yes" is about what they were asked."""
    if not request.conversation_id or request.conversation.ended_at:
        return
    here = Proposal.objects.filter(space_id=request.conversation.space_id, conversation_id=request.conversation_id)
    for number, proposal in enumerate(proposals, here.filter(status="pending").count() + 1):
        proposal.number = number


def _log_answers(request: _Request, answers: Sequence[Answer]) -> None:
    """Each proposal; and of what is refused why, with the entry of the request."""
    for answer in answers:
        if isinstance(answer, RefusedItem):
            note_decision(OPERATION_NAME, {"decision": "refused", "reason": answer.reason})
        else:
            detail = {"proposal": str(answer.id), "relation": answer.relation, "confidence": answer.confidence}
            contents = {**detail, "extractor": answer.extractor}
            log_event(
                OPERATION_NAME,
                contents,
                author=request.author,
                now=request.now,
                space=answer.space_id,
                person=answer.person_id,
            )
