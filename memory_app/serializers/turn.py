"""A turn as it is shown."""

from datetime import datetime
from uuid import UUID

from memory_app.engine.conversations.add_turns import TurnInput
from memory_app.models import Conversation, Turn
from memory_app.serializers import OutputModel


class TurnOut(OutputModel):
    """A turn as it is shown. Ambient words are not stored: they have no id."""

    id: UUID | None
    conversation: UUID
    position: int | None
    role: str
    speaker: str
    content: str
    spoken_at: datetime
    mode: str
    intent: str | None
    outcome: str
    stored: bool


def turn_out(turn: Turn) -> TurnOut:
    return TurnOut(
        id=turn.id,
        conversation=turn.conversation_id,
        position=turn.position,
        role=turn.role,
        speaker=turn.speaker or turn.role,
        content=turn.content,
        spoken_at=turn.spoken_at,
        mode=turn.mode,
        intent=turn.intent or None,
        outcome=turn.outcome,
        stored=True,
    )


def unstored_turn_out(conversation: Conversation, said: TurnInput, now: datetime) -> TurnOut:
    return TurnOut(
        id=None,
        conversation=conversation.id,
        position=None,
        role=said.role,
        speaker=said.speaker or said.role,
        content=said.content,
        spoken_at=said.spoken_at or now,
        mode=said.mode,
        intent=said.intent or None,
        outcome=said.outcome,
        stored=False,
    )
