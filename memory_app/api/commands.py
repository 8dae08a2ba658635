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
from memory_app.api.auth import author_of, grant_of, reads, requires
from memory_app.api.forget import shown_forgetting
from memory_app.api.idempotency import idempotent
from memory_app.api.schemas import Shown, Spoken, shown
from memory_app.embedding.encoder import current
from memory_app.engine.enter import enter
from memory_app.engine.forgetting.forget_confirmed import forget_confirmed
from memory_app.engine.forgetting.forget_said import Forgetting
from memory_app.engine.logbook.spoken_of import note_asked
from memory_app.engine.obey import CHANGES, Obeyed, obey
from memory_app.engine.paused import told_paused
from memory_app.models import Memory, Scope
from memory_app.rules.commands import Command, command

router = Router(tags=["commands"])


class CommandIn(Spoken):
    """token: of a question that a command was answered with; then `text` is the person's answer to it."""

    text: fields.Query = Field(min_length=1)
    conversation: UUID | None = None
    token: str | None = Field(None, min_length=1, max_length=200)


class CommandOut(Shown):
    """message: what to say to the person. data: the same for a program, by command."""

    message: fields.Message
    data: dict[str, Any]


@router.post("/commands", response={200: CommandOut}, auth=reads)
@idempotent
def give_command(request: HttpRequest, payload: CommandIn) -> Status[CommandOut]:
    """Carries out a command of a person, or what they ask in plain words: to remember or forget something, or what is
    known. What changes anything takes a key with the scope write."""
    now = timezone.now()
    entered = enter(person=payload.person, place=payload.place, grant=grant_of(request), visit=True, as_user=True)
    asked = command(payload.text, entered.person.language) if payload.token is None else Command("forget")
    if asked.name in CHANGES:
        requires(request, Scope.WRITE)
        entered = enter(person=payload.person, place=payload.place, grant=grant_of(request), as_user=True)
    if payload.token is not None:
        return Status(200, _answered(request, payload, payload.token, now))
    obeyed = obey(
        entered=entered,
        command=asked,
        conversation=payload.conversation,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    if obeyed.command != "remember":  # its words are a memory's: they stand there, and are erased there
        note_asked(payload.text)
    return Status(200, CommandOut(message=obeyed.message, data=_data(obeyed, now)))


def _answered(request: HttpRequest, payload: CommandIn, token: str, now: datetime) -> CommandOut:
    forgetting = forget_confirmed(
        person=payload.person,
        token=token,
        choice=payload.text,
        conversation=payload.conversation,
        grant=grant_of(request),
        author=author_of(request),
        now=now,
    )
    data = {"command": "clear" if forgetting.everything else "forget", "memory_enabled": not forgetting.paused}
    message = told_paused(forgetting.message, paused=forgetting.paused)
    return CommandOut(message=message, data={**data, **_question(forgetting)})


def _data(obeyed: Obeyed, now: datetime) -> dict[str, Any]:
    data: dict[str, Any] = {"command": obeyed.command, "memory_enabled": not obeyed.paused}
    match obeyed.command:
        case "view":
            counts = obeyed.counts or {}
            data |= {"memories": sum(counts.values()), "by_type": counts, "proposals_pending": obeyed.waiting}
            data |= {"profile": _memories(obeyed.memories, now)}
            data |= {"latest": _memories(obeyed.latest, now)}
        case "list":
            data |= {"items": _memories(obeyed.memories, now)}
        case "search":
            data |= {
                "results": [
                    {"memory": _memory(result.memory, now), "score": round(result.score, 4)}
                    for result in obeyed.results
                ]
            }
        case "remember" if obeyed.kept:
            data |= {"memory": _memory(obeyed.kept.memory, now), "outcome": obeyed.kept.outcome}
            data["others"] = [{"memory": _memory(one.memory, now), "outcome": one.outcome} for one in obeyed.others]
        case "forget" | "clear" if obeyed.forgetting:
            data |= _question(obeyed.forgetting)
    return data


def _question(forgetting: Forgetting) -> dict[str, Any]:
    return shown_forgetting(forgetting).model_dump(mode="json", exclude={"message"})


def _memories(memories: Iterable[Memory], now: datetime) -> list[dict[str, Any]]:
    return [_memory(memory, now) for memory in memories]


def _memory(memory: Memory, now: datetime) -> dict[str, Any]:
    return shown(memory, now).model_dump(mode="json")
