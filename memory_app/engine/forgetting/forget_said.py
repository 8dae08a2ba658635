"""Forget by words: what an utterance such as "forget about the blue tile" asks to forget, or asks about first.

What the person has just had kept goes at once; all else is a question, and its token fits only the person, the place
and the memories it was issued for. `forget_confirmed` reads the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import structlog
from django.db import transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.edit import At
from memory_app.engine.enter import Entered
from memory_app.engine.forgetting.clear import digest, removable_own
from memory_app.engine.forgetting.clear_others import Others, count_others
from memory_app.engine.forgetting.described_notes import described_notes, names_notes
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.forgetting.referred import referred
from memory_app.engine.locate import check_own_conversation
from memory_app.engine.logbook.event import event
from memory_app.engine.notes.change_note import delete_note
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import recall
from memory_app.engine.write_access import may_write
from memory_app.language.sensitive import masked
from memory_app.llm.model import ModelError, configured_in_time
from memory_app.llm.tasks.read_forget import read_forget
from memory_app.models import Memory, Note, Status, Token
from memory_app.models.scope import within
from memory_app.rules.meant import meant
from memory_app.rules.replies import chosen, points_by_place
from memory_app.rules.tongues import asked_in_english
from memory_app.rules.triggers.forget import ForgetRequest, forget_request, names_what_was_told
from memory_app.rules.visibility import VenueClass

Answer = Literal["done", "confirm", "choose", "none"]

LOOKED_AT = 50
"""Results among which the person's own are looked for."""

CHOICES = 5
"""How many are offered: a list read out to someone is not longer than they keep in mind."""

ASKED = "forget_request"
"""What the log calls words that were read as a request to forget."""

DECIDED = {"done": "forgotten", "confirm": "asked whether", "choose": "asked which", "none": "nothing forgotten"}

_log = structlog.get_logger(__name__)

NO_REQUEST = "This asks for nothing to be forgotten."
UNSURE = "I'm not sure what you want me to forget."
NOTHING_LIKE_IT = "I couldn't find a memory of yours about that."
NOTHING_KEPT = "There is nothing of yours here to forget."


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What became of a request to forget. candidates: what the message speaks of, as it numbers them.

    token: to be sent back with the person's answer, where there is a question. Of an answer: everything, whether it was
    to a question about all of it; paused, whether memory is.
    """

    status: Answer
    message: str
    candidates: Sequence[Memory | Note] = ()
    token: str | None = None
    everything: bool = False
    paused: bool = False


def forget_said(
    *, entered: Entered, utterance: str, conversation: UUID | None, author: Author, now: datetime, encoder: Encoder
) -> Forgetting:
    """Forgets what was just made, asks about what is described or was mentioned, or says that there is no such memory.
    Only the person's own memories that are seen from the venue can be meant. Raises NotFound for a conversation that is
    not theirs: what "that" is, it does not tell."""
    if conversation is not None:
        check_own_conversation(conversation=conversation, entered=entered)
    utterance = asked_in_english(utterance, entered.person.language)
    request = forget_request(utterance)
    understood = request is not None
    if request is None and (about := _as_the_model_reads(utterance)):
        request = ForgetRequest(query=about, explicit=False)
    if request is not None and request.everything:
        return ask_about_everything(entered, conversation, author, now)
    read = _read(request, utterance, entered, conversation, now, encoder)
    if request and not understood:
        read = replace(read, reason=f"{read.reason}, as the language model reads it")
    with transaction.atomic():
        forgetting = _answered(read, entered, conversation, author, now)
        log_decision(ASKED, forgetting, read.reason, entered, author, now)
    return forgetting


def _as_the_model_reads(utterance: str) -> str:
    """What a language model says, in time, that words the grammar does not understand ask to forget, in these words;
    "" for nothing. Whatever it says, the person is asked before anything goes."""
    model = configured_in_time()
    if model is None:
        return ""
    try:
        return read_forget(model, utterance)
    except ModelError as error:
        _log.warning("request to forget not read", model=model.name, why=f"{type(error).__name__}: {error}")
        return ""


@dataclass(frozen=True, slots=True)
class Read:
    """What an utterance was read as. reason: how the memories it means were found, or why there are none. at_once:
    they go without a question; unmet: what is said where there are none."""

    reason: str
    memories: Sequence[Memory | Note] = ()
    at_once: bool = False
    unmet: str = ""


def _read(
    request: ForgetRequest | None,
    utterance: str,
    entered: Entered,
    conversation: UUID | None,
    now: datetime,
    encoder: Encoder,
) -> Read:
    if request is None:
        return Read("no request", unmet=NO_REQUEST)
    if not request.immediate:
        if pointed := _pointed_at(entered, request.query, conversation, now):
            return Read("mentioned", pointed)
        return _read_description(entered, request.query, utterance, now, encoder)
    told = names_what_was_told(utterance)
    that = referred(entered=entered, conversation=conversation, told=told, now=now)
    if that.just_made:
        return Read("just made", that.memories, at_once=True)
    return Read("made or mentioned", that.memories) if that.memories else Read("not plain what", unmet=UNSURE)


def _read_description(entered: Entered, query: str, utterance: str, now: datetime, encoder: Encoder) -> Read:
    """Memories, and notes where no memory is meant; who speaks of a note means one, if there is one."""
    notes = described_notes(entered, query, now, encoder) if names_notes(utterance) else []
    found = notes or _described(entered, query, now, encoder) or described_notes(entered, query, now, encoder)
    return Read("described", found) if found else Read("nothing like it", unmet=NOTHING_LIKE_IT)


def _answered(read: Read, entered: Entered, conversation: UUID | None, author: Author, now: datetime) -> Forgetting:
    if not read.memories:
        return Forgetting("none", read.unmet)
    if not read.at_once:
        return _ask(entered, read.memories, conversation, now)
    gone = [delete(memory, author, now) for memory in read.memories]
    return Forgetting("done", said_gone(entered, gone), gone)


def delete(row: Memory | Note, author: Author, now: datetime) -> Memory | Note:
    """To tier 2. Raises NotFound for what is not kept."""
    if isinstance(row, Note):
        return delete_note(home=row.space_id, note=row.id, author=author, now=now)
    return forget(at=At(row.space_id, row.id), author=author, now=now)


def log_decision(
    operation: str, forgetting: Forgetting, reason: str, entered: Entered, author: Author, now: datetime
) -> None:
    """Tells the log what became of a request to forget, or of the answer to a question: which memories, and why."""
    ids = [row.id for row in forgetting.candidates if isinstance(row, Memory)]
    notes = [str(row.id) for row in forgetting.candidates if isinstance(row, Note)]
    told: dict[str, Any] = {"decision": DECIDED[forgetting.status], "reason": reason}
    told |= {"memories": [str(one) for one in ids], **({"notes": notes} if notes else {})}
    only = ids[0] if len(ids) == 1 else None
    home, person = entered.venue.home, entered.person.id
    event(operation, told, author=author, now=now, space=home, person=person, memory=only)


def _pointed_at(entered: Entered, query: str, conversation: UUID | None, now: datetime) -> list[Memory]:
    """Of what was last mentioned here, those meant by place: "the second one", "number 2", "both", "all of them"."""
    if not points_by_place(query):
        return []
    mentioned = referred(entered=entered, conversation=conversation, told=False, now=now).memories
    choice = chosen(query, [memory.summary for memory in mentioned])
    return [mentioned[at] for at in sorted(choice.accepted)]


def _ask(entered: Entered, memories: Sequence[Memory | Note], conversation: UUID | None, now: datetime) -> Forgetting:
    """The question whether, or which of these, to forget."""
    offered = memories[:CHOICES]
    token = _token(entered, conversation, now, memories=[[str(row.space_id), str(row.id)] for row in offered])
    lines = [named(entered, memory) for memory in offered]
    if len(lines) == 1:
        return Forgetting("confirm", f"Do you want me to forget “{lines[0]}”?", offered, token)
    numbered = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    more = len(memories) - len(offered)
    untold = [f"There {'is 1 more' if more == 1 else f'are {more} more'} like these."] if more else []
    return Forgetting("choose", "\n".join(["Which of these should I forget?", *numbered, *untold]), offered, token)


def named(entered: Entered, memory: Memory | Note) -> str:
    """A memory or a note by its summary, in one line. What is sensitive is not said where others may hear it, and
    nothing is to who may not read."""
    day = f"{memory.created_at.astimezone(entered.person.zone):%-d %B %Y}"
    if not entered.grant.reads:
        return f"a {'note' if isinstance(memory, Note) else 'memory'} of {day}"
    if isinstance(memory, Note):
        return masked(memory.summary)
    if memory.sensitive and entered.venue.kind is not VenueClass.PRIVATE:
        return f"something sensitive of {day}"
    return " ".join(memory.summary.split())


def said_gone(entered: Entered, memories: Sequence[Memory | Note]) -> str:
    if len(memories) == 1:
        return f"I've forgotten “{named(entered, memories[0])}”."
    return f"I've forgotten {len(memories)} {'notes' if isinstance(memories[0], Note) else 'memories'}."


def ask_about_everything(entered: Entered, conversation: UUID | None, author: Author, now: datetime) -> Forgetting:
    """The question whether to forget all that is the person's own here."""
    with transaction.atomic():
        forgetting = _ask_about_everything(entered, conversation, now)
        log_decision(ASKED, forgetting, "everything", entered, author, now)
    return forgetting


def _ask_about_everything(entered: Entered, conversation: UUID | None, now: datetime) -> Forgetting:
    with within(entered.venue.spaces):
        there = list(removable_own(entered).values_list("id", flat=True))
        others = count_others(entered, now)
    if not there and not others:
        return Forgetting("none", NOTHING_KEPT)
    token = _token(entered, conversation, now, everything=digest(there))
    return Forgetting("confirm", f"Do you want me to forget {_everything(len(there), others)}?", token=token)


def _everything(memories: int, others: Others) -> str:
    if not others:
        return f"all {memories} memories I have of you here" if memories > 1 else "the one memory I have of you here"
    counted = [f"{memories} {'memory' if memories == 1 else 'memories'}"] if memories else []
    return f"all I have of you here: {listed([*counted, *others.named])}"


def listed(parts: Sequence[str]) -> str:
    """Such as "3 memories, 2 notes and 1 proposal"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _described(entered: Entered, query: str, now: datetime, encoder: Encoder) -> list[Memory]:
    """The person's own memories that the words describe, best first; one that another replaced is not meant."""
    recalled = recall(entered=entered, asked=Asked(query=query, limit=LOOKED_AT), now=now, encoder=encoder)
    theirs = [
        result
        for result in recalled.results
        if result.memory.person_id == entered.person.id
        and result.memory.status == Status.ACTIVE
        and may_write(entered.grant, result.memory, removes=True)
    ]
    return [theirs[at].memory for at in meant([result.signals for result in theirs], recalled.statistics)]


def _token(
    entered: Entered,
    conversation: UUID | None,
    now: datetime,
    memories: Sequence[Sequence[str]] = (),
    everything: str = "",
) -> str:
    """everything: the digest of all there is, where that is what was asked about."""
    place = entered.place
    question = Token(
        space_id=entered.venue.home,
        person=entered.person,
        conversation=conversation,
        place={"space": place.space, "channel": place.channel, "restricted": entered.venue.restricted},
        memories=[everything] if everything else list(memories),
        everything=bool(everything),
    )
    with within([entered.venue.home]):
        return question.issue(now)
