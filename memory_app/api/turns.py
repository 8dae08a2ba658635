"""Turns over the API: as they are sent, one or many, and as they are shown."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field, model_validator

from memory_app.api import fields
from memory_app.api.fields import InputModel
from memory_app.engine.conversations.listen import TurnInput
from memory_app.models import Conversation, Turn
from memory_app.serializers import OutputModel


class TurnIn(InputModel):
    role: Literal["user", "assistant", "system"]
    content: fields.Content
    speaker: fields.Name | None = None
    spoken_at: fields.Moment | None = None
    mode: Literal["conversation", "command", "ambient"] = "conversation"
    intent: fields.Name | None = None
    outcome: Literal["ok", "failed", "cancelled"] = "ok"

    @property
    def said(self) -> TurnInput:
        return TurnInput(
            self.role, self.content, self.speaker or "", self.spoken_at, self.mode, self.intent or "", self.outcome
        )


class TurnsIn(InputModel):
    """One turn, or `turns` with up to 500 of them."""

    turns: list[TurnIn] | None = Field(None, min_length=1, max_length=500)
    role: Literal["user", "assistant", "system"] | None = None
    content: fields.Content | None = None
    speaker: fields.Name | None = None
    spoken_at: fields.Moment | None = None
    mode: Literal["conversation", "command", "ambient"] = "conversation"
    intent: fields.Name | None = None
    outcome: Literal["ok", "failed", "cancelled"] = "ok"

    @model_validator(mode="after")
    def _one_or_many(self) -> "TurnsIn":
        if (self.turns is None) == (self.role is None or self.content is None):
            raise ValueError("send either one turn (role and content) or turns: [...]")
        return self

    @property
    def said(self) -> list[TurnInput]:
        if self.turns is not None:
            return [turn.said for turn in self.turns]
        single = self.model_dump(exclude={"turns"})
        return [TurnIn(**single).said]


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
