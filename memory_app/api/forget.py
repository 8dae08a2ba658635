"""/forget: take back in words, after a question where it is not plain what is meant."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router
from pydantic import BeforeValidator, Field

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, write_key
from memory_app.api.fields import InputModel
from memory_app.api.venue import PersonInVenue, writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.deletion.delete_by_words import DeletionReply, delete_by_words
from memory_app.engine.deletion.delete_confirmed import confirm_deletion
from memory_app.models import Note
from memory_app.serializers import OutputModel

router = Router(tags=["forget"])


def _choice_text(value: object) -> object:
    """2 is "2", and [1, 3] is "1 and 3"."""
    if isinstance(value, list) and value and all(isinstance(item, int) for item in value):
        return " and ".join(str(item) for item in value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class ForgetIn(PersonInVenue):
    utterance: fields.Content
    conversation: UUID | None = None


class ConfirmIn(InputModel):
    """choice: a number, several, or words such as "the first two", "all", "none". Left out, it agrees."""

    person: fields.Name
    token: str = Field(min_length=1, max_length=200)
    choice: Annotated[fields.Query | None, BeforeValidator(_choice_text)] = Field(
        None,
        json_schema_extra={"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "array"}, {"type": "null"}]},
    )
    conversation: UUID | None = None


class CandidateOut(OutputModel):
    number: int
    id: UUID
    summary: str
    type: str
    created_at: datetime


class ForgetOut(OutputModel):
    """candidates: what the message speaks of; with `done`, what is gone."""

    status: Literal["done", "confirm", "choose", "none"]
    message: fields.Message
    candidates: list[CandidateOut]
    token: str | None = None


@router.post("/forget", response=ForgetOut, auth=write_key)
def forget_by_words(request: HttpRequest, payload: ForgetIn) -> ForgetOut:
    """Forgets what an utterance such as "forget that" means, or asks which memory is meant."""
    forgetting = delete_by_words(
        venue_context=writing_venue(request, payload),
        utterance=payload.utterance,
        conversation=payload.conversation,
        author=author_of(request),
        now=timezone.now(),
        encoder=current_encoder(),
    )
    return forget_out(forgetting, in_words=grant_of(request).reads)


@router.post("/forget/confirm", response=ForgetOut, auth=write_key)
def confirm_forget(request: HttpRequest, payload: ConfirmIn) -> ForgetOut:
    """Answers the question. A token is good once, for ten minutes, and only for the person it was issued for."""
    forgetting = confirm_deletion(
        person=payload.person,
        token=payload.token,
        choice=payload.choice,
        conversation=payload.conversation,
        grant=grant_of(request),
        author=author_of(request),
        now=timezone.now(),
    )
    return forget_out(forgetting, in_words=grant_of(request).reads)


def forget_out(forgetting: DeletionReply, *, in_words: bool = True) -> ForgetOut:
    """in_words: whether the summaries of what may be forgotten are told; if not, its type and time are."""
    candidates = [
        CandidateOut(
            number=number,
            id=row.id,
            summary=row.summary if in_words else "",
            type="note" if isinstance(row, Note) else row.type,
            created_at=row.created_at,
        )
        for number, row in enumerate(forgetting.candidates, 1)
    ]
    return ForgetOut(
        status=forgetting.status, message=forgetting.message, candidates=candidates, token=forgetting.token
    )
