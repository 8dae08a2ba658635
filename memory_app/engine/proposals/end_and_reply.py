"""End a conversation: put what waits of it to the person, and carry out what they answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import structlog

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import conversation_parts, find_conversation, mark_ended
from memory_app.engine.memories.memory_input import NO_ADDITIONS, Additions
from memory_app.engine.proposals.accept_proposal import AcceptResult, accept
from memory_app.engine.proposals.propose import propose
from memory_app.engine.proposals.refine_proposals import refine_now_or_later
from memory_app.engine.proposals.review import reject
from memory_app.llm.model import ModelError, configured_model, model_for_request
from memory_app.llm.prompts.reply import read_reply
from memory_app.models import Conversation, Proposal, ProposalStatus, Trigger
from memory_app.models.conversation import MIN_TURNS
from memory_app.models.person import with_pause_notice
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.commands.replies import Choice, is_decisive, postpones_decision, read_choice, texts_to_repeat
from memory_app.nlp.commands.reply_corrections import ReplyCorrection, read_correction
from memory_app.rules.grant import EVERYTHING, Grant

SPOKEN_CHARACTERS = 200
"""Of one proposal read aloud; of a longer one its summary is."""

QUESTION = "Should I remember anything from our conversation? I noticed:"
INSTRUCTION = "Say 'yes', 'no', or the numbers you'd like me to remember."
STILL_WAITING = "say 'yes', 'no', or which of them to remember."
UNCLEAR_CORRECTION = "I am not sure what to change. Which text should I keep? Say 'yes' to keep all of it as it is."
"""Told who corrects something, where it is not certain what."""

WAITING = "Okay, that can wait: you find it in your inbox."


_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ReplyResult:
    """What a person's answer did, and the sentence to say to them."""

    accepted: Sequence[AcceptResult] = field(default=())
    rejected: Sequence[Proposal] = field(default=())
    message: str = ""


def question_text(proposals: Sequence[Proposal]) -> str:
    """The sentence an assistant puts to the person; empty when nothing was noticed. What a yes keeps is told in full,
    unless it is too long to be listened to."""
    if not proposals:
        return ""
    lines = [f"{proposal.number}. {quoted_proposal(proposal)}" for proposal in proposals]
    return "\n".join([QUESTION, *lines, INSTRUCTION])


def quoted_proposal(proposal: Proposal) -> str:
    """Its words in quotation marks, with who said them and on which day, after what they answer or whom they are about.
    What a language model worded is no quotation."""
    if not any(" ".join(proposal.content.split()) in " ".join(quote["text"].split()) for quote in proposal.quotes):
        return _spoken_text(proposal)
    day = f", {proposal.said_at.astimezone(proposal.person.zone):%-d %B %Y}" if proposal.said_at else ""
    before = f"{' '.join(proposal.context.split())} – " if proposal.context else ""
    return f"{before}“{_spoken_text(proposal)}” ({proposal.speaker or proposal.person}{day})"


def _spoken_text(proposal: Proposal) -> str:
    content = " ".join(proposal.content.split())
    return content if len(content) <= SPOKEN_CHARACTERS else proposal.summary


def present_proposals(*, conversation: Conversation, now: datetime) -> list[Proposal]:
    """What waits of a conversation, numbered from 1 as it is put to the person now; what is put off is left out."""
    with allowed_spaces([conversation.space_id]):
        here = Proposal.objects.filter(space_id=conversation.space_id, conversation_id=conversation.id)
        here.update(number=0)
        rows = here.select_related("person", "space", "conversation")
        waiting = list(rows.waiting(now).order_by("created_at", "id"))
        for number, proposal in enumerate(waiting, 1):
            proposal.number = number
        Proposal.objects.bulk_update(waiting, ["number"])
    return waiting


def reply(
    *, conversation: Conversation, text: str, grant: Grant = EVERYTHING, author: Author, now: datetime, encoder: Encoder
) -> ReplyResult:
    """Carries out what a person answered to the question: "yes", "no", "1 and 3", "all but the second". "Yes, but on
    the 4th" keeps it as corrected, if it is certain what is; "read me the second again" is told it, and nothing more.

    Numbers are those of the question, whatever was decided elsewhere since it was put. A language model, if one is set,
    is asked what is meant where the grammar does not understand it; no transaction is open meanwhile.
    """
    with allowed_spaces([conversation.space_id]):
        presented = _presented(conversation)
    if not any(proposal.status == ProposalStatus.PENDING for proposal in presented):
        return ReplyResult(message="There is nothing waiting for an answer.")
    if postpones_decision(text):
        return ReplyResult(message=WAITING)
    texts = [_spoken_text(proposal) for proposal in presented]
    if repeated_numbers := texts_to_repeat(text, texts):
        return ReplyResult(message="\n".join([*(f"{at + 1}. {texts[at]}" for at in repeated_numbers), INSTRUCTION]))
    contents = [" ".join(proposal.content.split()) for proposal in presented]
    correction = read_correction(text, contents)
    found = correction or ReplyCorrection(read_choice(text, texts))
    understood = found if found.choice.clear else _read_by_model(text, contents)
    if understood is None:
        return ReplyResult(message=UNCLEAR_CORRECTION if correction else _unclear_message(presented))
    return _apply_reply(conversation, presented, understood, grant, author, now, encoder)


def _read_by_model(text: str, contents: Sequence[str]) -> ReplyCorrection | None:
    """What a language model understands, in time; None where none is waited for, or it does not understand it either
    or cannot be believed: then the person is asked again."""
    model = model_for_request() if is_decisive(text) else None
    if model is None:
        return None
    try:
        read = read_reply(model, text, contents)
    except ModelError as error:
        _log.warning("reply not read", model=model.name, why=f"{type(error).__name__}: {error}")
        return None
    return ReplyCorrection(Choice(read.accepted, read.rejected), read.edits) if read else None


def _apply_reply(
    conversation: Conversation,
    presented_before: Sequence[Proposal],
    found: ReplyCorrection,
    grant: Grant,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> ReplyResult:
    """Keeps and refuses what was chosen, where what was put to the person is still the same."""
    choice = found.choice
    with allowed_spaces([conversation.space_id]):
        presented = _presented(conversation)
        if [(one.id, one.content) for one in presented] != [(one.id, one.content) for one in presented_before]:
            return ReplyResult(
                message=question_text([one for one in presented if one.status == ProposalStatus.PENDING])
            )
        edits = {presented[at].id: {"content": edited} for at, edited in found.edits.items()}
        accepted = [
            accept(
                proposal=proposal, edits=edits.get(proposal.id), grant=grant, author=author, now=now, encoder=encoder
            )
            for proposal in _still_pending(presented, choice.accepted)
        ]
        rejected = [
            reject(proposal=proposal, author=author, now=now) for proposal in _still_pending(presented, choice.rejected)
        ]
        decided = choice.accepted | choice.rejected
        still_waiting = [
            at for at, proposal in enumerate(presented) if at not in decided and _is_waiting(proposal, now)
        ]
    return ReplyResult(
        accepted, rejected, _done_message(len(accepted), len(rejected), [at + 1 for at in still_waiting])
    )


def _presented(conversation: Conversation) -> list[Proposal]:
    """What was last put to the person: of the conversation, or of the follow-up in which it went on."""
    rows = Proposal.objects.select_related("person", "space", "conversation")
    here = rows.filter(space_id=conversation.space_id, number__gt=0)
    for part in reversed(conversation_parts(conversation)):
        presented = list(here.filter(conversation_id=part.id).order_by("number", "id"))
        if presented:
            return presented
    return []


def _is_waiting(proposal: Proposal, now: datetime) -> bool:
    """Whether it is still to be answered, and not put off."""
    put_off = proposal.snoozed_until is not None and proposal.snoozed_until > now
    return proposal.status == ProposalStatus.PENDING and not put_off


def _still_pending(presented: Sequence[Proposal], chosen: Iterable[int]) -> list[Proposal]:
    return [presented[index] for index in sorted(chosen) if presented[index].status == ProposalStatus.PENDING]


def _unclear_message(presented: Sequence[Proposal]) -> str:
    """Asks again, naming the numbers that still wait."""
    numbers = [number for number, proposal in enumerate(presented, 1) if proposal.status == ProposalStatus.PENDING]
    if len(numbers) == 1:
        return f"I did not understand that. There is one, number {numbers[0]}: say 'yes' or 'no'."
    return f"I did not understand that. There are {_join_numbers(numbers)}. {INSTRUCTION}"


def _done_message(accepted: int, rejected: int, waiting: Sequence[int]) -> str:
    """What was done, and by their numbers in the question which were not spoken of and still wait."""
    if accepted:
        done = "Got it, I'll remember that." if accepted == 1 else f"Got it, I'll remember those {accepted} things."
    elif not rejected:
        done = "Okay."
    elif waiting:
        done = "Okay, I won't remember that." if rejected == 1 else f"Okay, I won't remember those {rejected} things."
    else:
        done = "Okay, I won't remember any of that."
    if not waiting:
        return done
    still = "Number {} still waits" if len(waiting) == 1 else "Numbers {} still wait"
    return f"{done} {still.format(_join_numbers(waiting))}: {STILL_WAITING}"


def _join_numbers(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


@dataclass(frozen=True, slots=True)
class EndResult:
    """What waits for the person's answer, and the sentence that asks for it."""

    proposals: Sequence[Proposal]
    message: str


def end_and_ask(
    *,
    conversation: UUID,
    grant: Grant = EVERYTHING,
    author: Author,
    now: datetime,
    encoder: Encoder,
    min_turns: int = MIN_TURNS,
    additions: Additions = NO_ADDITIONS,
) -> EndResult:
    """Ends a conversation; ending it twice asks again. Expects no transaction, for a language model may be waited for.
    min_turns, additions: as for `propose`.

    Raises NotFound where the grant does not reach it, NotAllowed where it may not write there.
    """
    ended = mark_ended(conversation=find_conversation(conversation=conversation, grant=grant), now=now)
    proposed = propose(
        space=ended.space_id,
        conversation=ended.id,
        trigger=Trigger.END,
        author=author,
        now=now,
        encoder=encoder,
        min_turns=min_turns,
        additions=additions,
    )
    if proposed.run and configured_model():
        refine_now_or_later(space=ended.space_id, run=proposed.run.id, now=now, encoder=encoder)
    waiting = present_proposals(conversation=ended, now=now)
    return EndResult(waiting, with_pause_notice(ended.person, question_text(waiting)))
