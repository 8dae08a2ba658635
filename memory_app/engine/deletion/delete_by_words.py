"""Forget by words: what an utterance such as "forget about the blue tile" asks to forget, or asks about first.

What the person has just had kept goes at once; all else is a question, and its token fits only the person, the place
and the memories it was issued for. `confirm_deletion` reads the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import structlog
from django.db import transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.deletion.clear import OtherCounts, count_other_rows, deletable_memories, ids_digest
from memory_app.engine.deletion.references import find_described_notes, mentions_notes, resolve_reference
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import check_own_conversation
from memory_app.engine.retrieval.query import RecallQuery, memory_results
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.summaries.notes import delete_note
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import may_write
from memory_app.llm.model import ModelError, model_for_request
from memory_app.llm.prompts.forget import read_delete_request
from memory_app.models import Memory, Note, Status, Token
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.commands.forget import ForgetRequest, forget_request, refers_to_own_words
from memory_app.nlp.commands.replies import read_choice, refers_by_position
from memory_app.nlp.locales import request_in_english
from memory_app.nlp.privacy.sensitive import mask_sensitive
from memory_app.rules.gate import match_description
from memory_app.rules.visibility import VenueClass

DeletionStatus = Literal["done", "confirm", "choose", "none"]

MAX_RESULTS_READ = 50
"""Results among which the person's own are looked for."""

MAX_CHOICES = 5
"""How many are offered: a list read out to someone is not longer than they keep in mind."""

REQUEST_OPERATION = "forget_request"
"""What the log calls words that were read as a request to forget."""

DECISIONS = {"done": "forgotten", "confirm": "asked whether", "choose": "asked which", "none": "nothing forgotten"}

_log = structlog.get_logger(__name__)

NO_REQUEST = "This asks for nothing to be forgotten."
UNSURE = "I'm not sure what you want me to forget."
NOTHING_LIKE_IT = "I couldn't find a memory of yours about that."
NOTHING_TO_DELETE = "There is nothing of yours here to forget."


@dataclass(frozen=True, slots=True)
class DeletionReply:
    """What became of a request to forget. candidates: what the message speaks of, as it numbers them.

    token: to be sent back with the person's answer, where there is a question. Of an answer: everything, whether it was
    to a question about all of it; paused, whether memory is.
    """

    status: DeletionStatus
    message: str
    candidates: Sequence[Memory | Note] = ()
    token: str | None = None
    everything: bool = False
    paused: bool = False


def delete_by_words(
    *,
    venue_context: VenueContext,
    utterance: str,
    conversation: UUID | None,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> DeletionReply:
    """Forgets what was just made, asks about what is described or was mentioned, or says that there is no such memory.
    Only the person's own memories that are seen from the venue can be meant. Raises NotFound for a conversation that is
    not theirs: what "that" is, it does not tell."""
    if conversation is not None:
        check_own_conversation(conversation=conversation, venue_context=venue_context)
    utterance = request_in_english(utterance, venue_context.person.language)
    request = forget_request(utterance)
    understood = request is not None
    if request is None and (about := _read_by_model(utterance)):
        request = ForgetRequest(query=about, explicit=False)
    if request is not None and request.everything:
        return ask_to_clear(venue_context, conversation, author, now)
    interpretation = _interpret(request, utterance, venue_context, conversation, now, encoder)
    if request and not understood:
        interpretation = replace(interpretation, reason=f"{interpretation.reason}, as the language model reads it")
    with transaction.atomic():
        reply = _carry_out(interpretation, venue_context, conversation, author, now)
        log_decision(REQUEST_OPERATION, reply, interpretation.reason, venue_context, author, now)
    return reply


def _read_by_model(utterance: str) -> str:
    """What a language model says, in time, that words the grammar does not understand ask to forget, in these words;
    "" for nothing. Whatever it says, the person is asked before anything goes."""
    model = model_for_request()
    if model is None:
        return ""
    try:
        return read_delete_request(model, utterance)
    except ModelError as error:
        _log.warning("request to forget not read", model=model.name, why=f"{type(error).__name__}: {error}")
        return ""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What an utterance means. reason: how its memories were found, or why there are none. at_once: they are deleted
    without a question. unmet_reply: the answer where there are none."""

    reason: str
    memories: Sequence[Memory | Note] = ()
    at_once: bool = False
    unmet_reply: str = ""


def _interpret(
    request: ForgetRequest | None,
    utterance: str,
    venue_context: VenueContext,
    conversation: UUID | None,
    now: datetime,
    encoder: Encoder,
) -> Interpretation:
    if request is None:
        return Interpretation("no request", unmet_reply=NO_REQUEST)
    if not request.immediate:
        if pointed := _chosen_by_place(venue_context, request.query, conversation, now):
            return Interpretation("mentioned", pointed)
        return _interpret_description(venue_context, request.query, utterance, now, encoder)
    only_made = refers_to_own_words(utterance)
    reference = resolve_reference(venue_context=venue_context, conversation=conversation, only_made=only_made, now=now)
    if reference.just_made:
        return Interpretation("just made", reference.memories, at_once=True)
    return (
        Interpretation("made or mentioned", reference.memories)
        if reference.memories
        else Interpretation("not plain what", unmet_reply=UNSURE)
    )


def _interpret_description(
    venue_context: VenueContext, query: str, utterance: str, now: datetime, encoder: Encoder
) -> Interpretation:
    """Memories, and notes where no memory is meant; who speaks of a note means one, if there is one."""
    notes = find_described_notes(venue_context, query, now, encoder) if mentions_notes(utterance) else []
    found = (
        notes
        or _find_described(venue_context, query, now, encoder)
        or find_described_notes(venue_context, query, now, encoder)
    )
    return (
        Interpretation("described", found) if found else Interpretation("nothing like it", unmet_reply=NOTHING_LIKE_IT)
    )


def _carry_out(
    interpretation: Interpretation,
    venue_context: VenueContext,
    conversation: UUID | None,
    author: Author,
    now: datetime,
) -> DeletionReply:
    if not interpretation.memories:
        return DeletionReply("none", interpretation.unmet_reply)
    if not interpretation.at_once:
        return _ask_which(venue_context, interpretation.memories, conversation, now)
    deleted = [delete_row(memory, author, now) for memory in interpretation.memories]
    return DeletionReply("done", deleted_message(venue_context, deleted), deleted)


def delete_row(row: Memory | Note, author: Author, now: datetime) -> Memory | Note:
    """To tier 2. Raises NotFound for what is not kept."""
    if isinstance(row, Note):
        return delete_note(home=row.space_id, note=row.id, author=author, now=now)
    return delete_memory(at=MemoryRef(row.space_id, row.id), author=author, now=now)


def log_decision(
    operation: str, reply: DeletionReply, reason: str, venue_context: VenueContext, author: Author, now: datetime
) -> None:
    """Tells the log what became of a request to forget, or of the answer to a question: which memories, and why."""
    ids = [row.id for row in reply.candidates if isinstance(row, Memory)]
    notes = [str(row.id) for row in reply.candidates if isinstance(row, Note)]
    detail: dict[str, Any] = {"decision": DECISIONS[reply.status], "reason": reason}
    detail |= {"memories": [str(id) for id in ids], **({"notes": notes} if notes else {})}
    only = ids[0] if len(ids) == 1 else None
    home, person = venue_context.venue.home, venue_context.person.id
    log_event(operation, detail, author=author, now=now, space=home, person=person, memory=only)


def _chosen_by_place(venue_context: VenueContext, query: str, conversation: UUID | None, now: datetime) -> list[Memory]:
    """Of what was last mentioned here, those meant by place: "the second one", "number 2", "both", "all of them"."""
    if not refers_by_position(query):
        return []
    mentioned = resolve_reference(
        venue_context=venue_context, conversation=conversation, only_made=False, now=now
    ).memories
    choice = read_choice(query, [memory.summary for memory in mentioned])
    return [mentioned[at] for at in sorted(choice.accepted)]


def _ask_which(
    venue_context: VenueContext, memories: Sequence[Memory | Note], conversation: UUID | None, now: datetime
) -> DeletionReply:
    """The question whether, or which of these, to forget."""
    offered = memories[:MAX_CHOICES]
    token = _new_token(venue_context, conversation, now, memories=[[str(row.space_id), str(row.id)] for row in offered])
    lines = [describe(venue_context, memory) for memory in offered]
    if len(lines) == 1:
        return DeletionReply("confirm", f"Do you want me to forget “{lines[0]}”?", offered, token)
    numbered = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    more = len(memories) - len(offered)
    rest = [f"There {'is 1 more' if more == 1 else f'are {more} more'} like these."] if more else []
    return DeletionReply("choose", "\n".join(["Which of these should I forget?", *numbered, *rest]), offered, token)


def describe(venue_context: VenueContext, memory: Memory | Note) -> str:
    """A memory or a note by its summary, in one line. What is sensitive is not said where others may hear it, and
    nothing is to who may not read."""
    day = f"{memory.created_at.astimezone(venue_context.person.zone):%-d %B %Y}"
    if not venue_context.grant.reads:
        return f"a {'note' if isinstance(memory, Note) else 'memory'} of {day}"
    if isinstance(memory, Note):
        return mask_sensitive(memory.summary)
    if memory.sensitive and venue_context.venue.kind is not VenueClass.PRIVATE:
        return f"something sensitive of {day}"
    return " ".join(memory.summary.split())


def deleted_message(venue_context: VenueContext, memories: Sequence[Memory | Note]) -> str:
    if len(memories) == 1:
        return f"I've forgotten “{describe(venue_context, memories[0])}”."
    return f"I've forgotten {len(memories)} {'notes' if isinstance(memories[0], Note) else 'memories'}."


def ask_to_clear(
    venue_context: VenueContext, conversation: UUID | None, author: Author, now: datetime
) -> DeletionReply:
    """The question whether to forget all that is the person's own here."""
    with transaction.atomic():
        reply = _clear_question(venue_context, conversation, now)
        log_decision(REQUEST_OPERATION, reply, "everything", venue_context, author, now)
    return reply


def _clear_question(venue_context: VenueContext, conversation: UUID | None, now: datetime) -> DeletionReply:
    with allowed_spaces(venue_context.venue.spaces):
        memories = list(deletable_memories(venue_context).values_list("id", flat=True))
        others = count_other_rows(venue_context, now)
    if not memories and not others:
        return DeletionReply("none", NOTHING_TO_DELETE)
    token = _new_token(venue_context, conversation, now, everything=ids_digest(memories))
    return DeletionReply("confirm", f"Do you want me to forget {_everything_text(len(memories), others)}?", token=token)


def _everything_text(memories: int, others: OtherCounts) -> str:
    if not others:
        return f"all {memories} memories I have of you here" if memories > 1 else "the one memory I have of you here"
    counted = [f"{memories} {'memory' if memories == 1 else 'memories'}"] if memories else []
    return f"all I have of you here: {join_phrases([*counted, *others.descriptions])}"


def join_phrases(parts: Sequence[str]) -> str:
    """Such as "3 memories, 2 notes and 1 proposal"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _find_described(venue_context: VenueContext, query: str, now: datetime, encoder: Encoder) -> list[Memory]:
    """The person's own memories that the words describe, best first; one that another replaced is not meant."""
    recall_results = recall(
        venue_context=venue_context,
        recall_query=RecallQuery(query, limit=MAX_RESULTS_READ),
        now=now,
        encoder=encoder,
    )
    own = [
        result
        for result in memory_results(recall_results.results)
        if result.row.person_id == venue_context.person.id
        and result.row.status == Status.ACTIVE
        and may_write(venue_context.grant, result.row, removes=True)
    ]
    return [own[at].row for at in match_description([result.signals for result in own], recall_results.statistics)]


def _new_token(
    venue_context: VenueContext,
    conversation: UUID | None,
    now: datetime,
    memories: Sequence[Sequence[str]] = (),
    everything: str = "",
) -> str:
    """everything: the digest of all there is, where that is what was asked about."""
    place = venue_context.place
    question = Token(
        space_id=venue_context.venue.home,
        person=venue_context.person,
        conversation=conversation,
        place={"space": place.space, "channel": place.channel, "restricted": venue_context.venue.restricted},
        memories=[everything] if everything else list(memories),
        everything=bool(everything),
    )
    with allowed_spaces([venue_context.venue.home]):
        return question.issue(now)
