"""/commands: what a person types in chat, such as /memory, /remember and /forget."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key, require_scope
from memory_app.api.forget import forget_out
from memory_app.api.idempotency import idempotent
from memory_app.api.venue import PersonInVenue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.request_log import note_query
from memory_app.engine.chat_commands import CHANGING_COMMANDS, CommandResult, run_command
from memory_app.engine.deletion.delete_by_words import DeletionReply
from memory_app.engine.deletion.delete_confirmed import confirm_deletion
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Memory, Scope
from memory_app.models.person import add_pause_notice
from memory_app.nlp.commands.slash import Command, read_command
from memory_app.serializers import OutputModel
from memory_app.serializers.memory import memory_out

router = Router(tags=["commands"])


class CommandIn(PersonInVenue):
    """token: of a question that a command was answered with; then `text` is the person's answer to it."""

    text: fields.Query = Field(min_length=1)
    conversation: UUID | None = None
    token: str | None = Field(None, min_length=1, max_length=200)


class CommandOut(OutputModel):
    """message: what to say to the person. data: the same for a program, by command."""

    message: fields.Message
    data: dict[str, Any]


@router.post("/commands", response={200: CommandOut}, auth=read_key)
@idempotent
def post_command(request: HttpRequest, payload: CommandIn) -> Status[CommandOut]:
    """Carries out a command of a person, or what they ask in plain words: to remember or forget something, or what is
    known. What changes anything takes a key with the scope write."""
    now = timezone.now()
    venue_context = resolve_venue(
        person=payload.person, place=payload.place, grant=grant_of(request), allow_unknown=True, follow_merges=True
    )
    parsed = read_command(payload.text, venue_context.person.language) if payload.token is None else Command("forget")
    if parsed.name in CHANGING_COMMANDS:
        require_scope(request, Scope.WRITE)
        venue_context = resolve_venue(
            person=payload.person, place=payload.place, grant=grant_of(request), follow_merges=True
        )
    if payload.token is not None:
        return Status(200, _delete_confirmed(request, payload, payload.token, now))
    result = run_command(
        venue_context=venue_context,
        command=parsed,
        conversation=payload.conversation,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    if result.command != "remember":  # its words are a memory's: they stand there, and are erased there
        note_query(payload.text)
    return Status(200, CommandOut(message=result.message, data=_result_data(result, now)))


def _delete_confirmed(request: HttpRequest, payload: CommandIn, token: str, now: datetime) -> CommandOut:
    forgetting = confirm_deletion(
        person=payload.person,
        token=token,
        choice=payload.text,
        conversation=payload.conversation,
        grant=grant_of(request),
        author=author_of(request),
        now=now,
    )
    data = {"command": "clear" if forgetting.everything else "forget", "memory_enabled": not forgetting.paused}
    message = add_pause_notice(forgetting.message, paused=forgetting.paused)
    return CommandOut(message=message, data={**data, **_delete_data(forgetting)})


def _result_data(result: CommandResult, now: datetime) -> dict[str, Any]:
    data: dict[str, Any] = {"command": result.command, "memory_enabled": not result.paused}
    match result.command:
        case "view":
            counts = result.counts or {}
            data |= {"memories": sum(counts.values()), "by_type": counts, "proposals_pending": result.waiting}
            data |= {"profile": _memories_data(result.memories, now)}
            data |= {"latest": _memories_data(result.latest, now)}
        case "list":
            data |= {"items": _memories_data(result.memories, now)}
        case "search":
            data |= {
                "results": [
                    {"memory": _memory_data(scored.row, now), "score": round(scored.score, 4)}
                    for scored in result.results
                ]
            }
        case "remember" if result.saved:
            data |= {"memory": _memory_data(result.saved.memory, now), "outcome": result.saved.outcome}
            data["others"] = [
                {"memory": _memory_data(one.memory, now), "outcome": one.outcome} for one in result.others
            ]
        case "forget" | "clear" if result.forgetting:
            data |= _delete_data(result.forgetting)
    return data


def _delete_data(forgetting: DeletionReply) -> dict[str, Any]:
    return forget_out(forgetting).model_dump(mode="json", exclude={"message"})


def _memories_data(memories: Iterable[Memory], now: datetime) -> list[dict[str, Any]]:
    return [_memory_data(memory, now) for memory in memories]


def _memory_data(memory: Memory, now: datetime) -> dict[str, Any]:
    return memory_out(memory, now).model_dump(mode="json")
