"""Requests to remember inside turns: what a person asks for as they speak is kept at once, under every policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.audit.request_log import note_decision
from memory_app.engine.conversations.add_turns import AddTurnsResult, TurnInput, add_turns, find_conversation
from memory_app.engine.memories.memory_input import NO_ADDITIONS, Additions, names_of_person
from memory_app.engine.memories.remember import REMEMBER_REQUEST, remember_on_request
from memory_app.engine.memories.save import SaveResult
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.errors import KeepsakeError
from memory_app.models import Conversation, Mode, Role, Turn, TurnOutcome
from memory_app.models.person import lock_writers
from memory_app.nlp.commands.remember import remember_requests
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.locales import WORDINGS, request_in_english
from memory_app.rules.grant import EVERYTHING, Grant

LONGEST_REQUEST = 4_000
"""Characters: a longer turn was pasted, and asks for nothing (nlp/locales/wording.py reads no longer ones either)."""


@dataclass(frozen=True, slots=True)
class RememberedTurn:
    """What one turn asked to be remembered, and what became of it."""

    turn: Turn
    saved: Sequence[SaveResult]


def add_turns_and_remember(
    *,
    conversation: UUID,
    turns: Sequence[TurnInput],
    now: datetime,
    grant: Grant = EVERYTHING,
    author: Author,
    encoder: Encoder,
    additions: Additions = NO_ADDITIONS,
) -> tuple[AddTurnsResult, list[RememberedTurn]]:
    """Stores turns, as `add_turns` does, and saves what the person asks in them to remember. Without such a request
    nobody waits for more than the turns. additions: to what is saved. Raises the errors of `add_turns`; what may not be
    saved is not, and the turn stays."""
    if not any(_may_be_request(one) for one in turns):
        return add_turns(conversation=conversation, turns=turns, now=now, grant=grant), []
    with transaction.atomic():
        # First the person, then the conversation: in this order it is read, too.
        found = _lock_conversation(conversation, grant)
        result = add_turns(conversation=conversation, turns=turns, now=now, grant=grant)
        venue_context, remembered = conversation_venue(found, grant), []
        for one, turn in zip(turns, result.turns, strict=True):
            if turn and _may_be_request(one) and one.speaker.casefold() in names_of_person(found.person):
                saved = _remember_turn(venue_context, turn, author, now, encoder, additions)
                remembered += [RememberedTurn(turn, saved)] if saved else []
    return result, remembered


def _may_be_request(turn: TurnInput) -> bool:
    """Whether a turn is spoken by a user and, in some language, asks for something to be remembered."""
    by_user = (turn.role, turn.mode, turn.outcome) == (Role.USER, Mode.CONVERSATION, TurnOutcome.OK)
    if not by_user or len(turn.content) > LONGEST_REQUEST:
        return False
    in_english = [request_in_english(turn.content, language) for language in WORDINGS]
    asks = bool(remember_requests(turn.content)) or any(text != turn.content for text in in_english)
    return asks and not is_hostile(turn.content)


def _lock_conversation(conversation: UUID, grant: Grant) -> Conversation:
    """The conversation, with no other writer of its person: it may have passed to someone else before."""
    while True:
        found = find_conversation(conversation=conversation, grant=grant)
        lock_writers(found.person_id)
        if find_conversation(conversation=conversation, grant=grant).person_id == found.person_id:
            return found


def _remember_turn(
    venue_context: VenueContext, turn: Turn, author: Author, now: datetime, encoder: Encoder, additions: Additions
) -> Sequence[SaveResult]:
    """What became of it; nothing where it asks for nothing in their language, or may not be kept."""
    try:
        return remember_on_request(
            venue_context=venue_context,
            utterance=turn.content,
            conversation=turn.conversation_id,
            turn=turn,
            said_at=turn.time_spoken,
            author=author,
            now=now,
            encoder=encoder,
            additions=additions,
        )
    except KeepsakeError as error:
        note_decision(
            REMEMBER_REQUEST, {"decision": "nothing kept", "reason": type(error).__name__, "turn": str(turn.id)}
        )
        return ()
