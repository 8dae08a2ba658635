"""Requests to remember inside turns: what a person asks for as they speak is kept at once, under every policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import own_names
from memory_app.engine.keeping.keep import Kept
from memory_app.engine.keeping.noticed import said_at
from memory_app.engine.keeping.remember import ASKED, remember_said
from memory_app.engine.listening.listen import Heard, Said, conversation_at, listen
from memory_app.engine.logbook.spoken_of import note_decision
from memory_app.engine.speaking import speaking
from memory_app.errors import KeepsakeError
from memory_app.language.extract.hostile import is_hostile
from memory_app.models import Conversation, Mode, Role, Turn, TurnOutcome
from memory_app.rules.grant import EVERYTHING, Grant
from memory_app.rules.tongues import WORDINGS, asked_in_english
from memory_app.rules.triggers.remember import remember_requests

LONGEST = 4_000
"""Characters: a longer turn was pasted, and asks for nothing (rules/tongues/wording.py reads no longer ones either)."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What one turn asked to be remembered, and what became of it."""

    turn: Turn
    kept: Sequence[Kept]


def listen_and_remember(
    *,
    conversation: UUID,
    said: Sequence[Said],
    now: datetime,
    grant: Grant = EVERYTHING,
    author: Author,
    encoder: Encoder,
) -> tuple[Heard, list[Remembered]]:
    """Stores turns, as `listen` does, and keeps what those of the person ask to remember. Without such a request no one
    waits for more than the turns. Raises the errors of `listen`; what may not be kept is not, and the turn stays."""
    if not any(_may_ask(one) for one in said):
        return listen(conversation=conversation, said=said, now=now, grant=grant), []
    with transaction.atomic():
        # First the person, then the conversation: in this order it is read, too.
        found = _held(conversation, grant)
        heard = listen(conversation=conversation, said=said, now=now, grant=grant)
        entered, remembered = speaking(found, grant), []
        for one, turn in zip(said, heard.turns, strict=True):
            if turn and _may_ask(one) and one.speaker.casefold() in own_names(found.person):
                kept = _remember(entered, turn, author, now, encoder)
                remembered += [Remembered(turn, kept)] if kept else []
    return heard, remembered


def _may_ask(said: Said) -> bool:
    """Whether a turn is spoken by a user and, in some language, asks for something to be remembered."""
    spoken = (said.role, said.mode, said.outcome) == (Role.USER, Mode.CONVERSATION, TurnOutcome.OK)
    if not spoken or len(said.content) > LONGEST:
        return False
    put = [asked_in_english(said.content, language) for language in WORDINGS]
    asks = bool(remember_requests(said.content)) or any(text != said.content for text in put)
    return asks and not is_hostile(said.content)


def _held(conversation: UUID, grant: Grant) -> Conversation:
    """The conversation, with no other writer of its person: it may have passed to someone else before."""
    while True:
        found = conversation_at(conversation=conversation, grant=grant)
        one_writer(found.person_id)
        if conversation_at(conversation=conversation, grant=grant).person_id == found.person_id:
            return found


def _remember(entered: Entered, turn: Turn, author: Author, now: datetime, encoder: Encoder) -> Sequence[Kept]:
    """What became of it; nothing where it asks for nothing in their language, or may not be kept."""
    try:
        return remember_said(
            entered=entered,
            utterance=turn.content,
            conversation=turn.conversation_id,
            turn=turn,
            told_at=said_at(turn),
            author=author,
            now=now,
            encoder=encoder,
        )
    except KeepsakeError as error:
        note_decision(ASKED, {"decision": "nothing kept", "reason": type(error).__name__, "turn": str(turn.id)})
        return ()
