"""Delete: one memory by its id, or in words, with the person's answer where it is not plain what they mean."""

from typing import Any, Self
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from pydantic import Field, model_validator

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of
from memory_app.api.forget import CandidateOut, forget_out
from memory_app.api.venue import writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.deletion.delete_by_words import DeletionReply, delete_by_words
from memory_app.engine.deletion.delete_confirmed import confirm_deletion
from memory_app.engine.memories import delete_and_restore
from memory_app.mcp.questions import Question
from memory_app.mcp.tool import PERSON, ToolArguments, ToolResult, tool
from memory_app.mcp.tools.memories import MemoryArguments, own_memory
from memory_app.models import Scope

DELETED = "It is deleted, and recalled no more. For 30 days the person finds it on the page /deleted/."


class AnswerArguments(ToolArguments):
    """The token of a question with the person's answer to it, or neither: no answer is taken for a yes."""

    token: str | None = Field(None, min_length=1, max_length=200, description="of the question that was answered")
    choice: fields.Query | None = Field(
        None, description='with a token, the person\'s answer: "yes", "2", "1 and 3", "all" or "none"'
    )

    @model_validator(mode="after")
    def _is_whole_answer(self) -> Self:
        if (self.choice is None) != (self.token is None):
            raise ValueError("`choice` answers a question: send it with the question's `token`")
        return self


class DeleteArguments(AnswerArguments):
    """One of three: the id of a memory, the person's words, or a token with their answer."""

    memory_id: UUID | None = Field(None, description="as search_memories tells it")
    utterance: fields.Content | None = Field(None, description='their words: "forget what I said about the blue tile"')

    @model_validator(mode="after")
    def _is_one_of_three(self) -> Self:
        if sum(value is not None for value in (self.memory_id, self.utterance, self.token)) != 1:
            raise ValueError("send one of `memory_id`, `utterance` and `token`")
        return self


class DeleteResult(ToolResult):
    """status: done; or confirm and choose, where `message` is a question to the person; or none, where nothing is
    deleted."""

    status: str
    message: str
    candidates: list[CandidateOut]
    token: str | None

    def question(self, arguments: dict[str, Any]) -> Question | None:
        if self.token is None:
            return None
        if self.status == "confirm":
            options = {"yes": "Yes, forget it", "no": "No, keep it"}
        else:
            options = {str(one.number): _title(one) for one in self.candidates}
            options |= {"all": "All of these", "none": "None of them"}
        named = {name: value for name, value in arguments.items() if name in (PERSON, "venue")}
        return Question(self.message, options, [*options][-1], {**named, "token": self.token})


def _title(candidate: CandidateOut) -> str:
    """A key that may only write is told no words."""
    return candidate.summary or f"{candidate.type} of {candidate.created_at:%Y-%m-%d}"


@tool("Delete a memory", scope=Scope.WRITE, removes=True)
def delete_memory(request: HttpRequest, arguments: DeleteArguments) -> DeleteResult:
    """Deletes what the person wants forgotten. Ask them before you delete, and delete nothing that they did not name.

    With `memory_id` that memory goes. With `utterance`, their own words, it is found for you; if it is not plain what
    they mean, nothing is deleted yet: `status` is confirm or choose, `message` is the question. Put it to them, and
    call again with `token` and their answer as `choice`; never answer it yourself."""
    if arguments.memory_id is not None:
        return _delete_one(request, arguments, arguments.memory_id)
    if arguments.utterance is not None:
        reply = delete_by_words(
            venue_context=writing_venue(request, arguments),
            utterance=arguments.utterance,
            conversation=None,
            author=author_of(request),
            now=timezone.now(),
            encoder=current_encoder(),
        )
    else:
        reply = _confirm(request, arguments)
    return DeleteResult.model_validate(forget_out(reply, in_words=grant_of(request).reads))


def _delete_one(request: HttpRequest, arguments: DeleteArguments, memory: UUID) -> DeleteResult:
    at = own_memory(request, arguments.passed_to(MemoryArguments, memory_id=memory), removes=True)
    delete_and_restore.delete_memory(at=at, author=author_of(request), now=timezone.now())
    return DeleteResult(status="done", message=DELETED, candidates=[], token=None)


def _confirm(request: HttpRequest, arguments: DeleteArguments) -> DeletionReply:
    return confirm_deletion(
        person=arguments.person,
        token=arguments.token or "",
        choice=arguments.choice,
        conversation=None,
        grant=grant_of(request),
        author=author_of(request),
        now=timezone.now(),
    )
