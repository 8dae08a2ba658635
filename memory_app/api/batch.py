"""/memories/batch: keep many at once, each answered by itself."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import ValidationError

from memory_app.api.auth import author_of, write_key
from memory_app.api.idempotency import idempotent
from memory_app.api.redaction import memory_out_for
from memory_app.api.requests import replace_unstorable
from memory_app.api.schemas import BatchAnswer, BatchIn, BatchOut, MemoryIn
from memory_app.api.venue import writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.remember import remember_many
from memory_app.engine.memories.save import SaveResult
from memory_app.engine.venue_context import VenueNames
from memory_app.errors import Invalid, KeepsakeError

router = Router(tags=["memories"])


@router.post("/memories/batch", response={201: BatchOut}, auth=write_key)
@idempotent
def create_memories(request: HttpRequest, payload: BatchIn) -> Status[BatchOut]:
    """Keeps up to 1,000 memories. Each is answered by itself, in order: a bad one does not keep the others out."""
    answers: list[BatchAnswer | None] = [None] * len(payload.items)
    groups: dict[tuple[str, VenueNames], list[tuple[int, MemoryIn]]] = {}
    for index, item in enumerate(payload.items):
        try:
            memory_input = MemoryIn.model_validate(item)
            groups.setdefault((memory_input.person, memory_input.place), []).append((index, memory_input))
        except ValidationError as error:
            answers[index] = BatchAnswer(error=_validation_problem(error))
    # In one order in every request, so that two that write for the same people never wait for each other.
    for _, group in sorted(groups.items(), key=lambda pair: pair[0][0]):
        for (index, _), answer in zip(
            group, _save_group(request, [memory_input for _, memory_input in group]), strict=True
        ):
            answers[index] = answer
    return Status(201, BatchOut(items=[answer for answer in answers if answer]))


def _save_group(request: HttpRequest, inputs: list[MemoryIn]) -> list[BatchAnswer]:
    """Keeps what one person said in one venue."""
    now = timezone.now()
    kept: list[SaveResult | KeepsakeError]
    try:
        venue_context = writing_venue(request, inputs[0])
        kept = remember_many(
            venue_context=venue_context,
            inputs=[memory_input.memory_input for memory_input in inputs],
            author=author_of(request),
            now=now,
            encoder=current_encoder(),
        )
    except KeepsakeError as error:
        kept = [error for _ in inputs]
    return [
        _batch_answer(request, item, memory_input.content, now) for item, memory_input in zip(kept, inputs, strict=True)
    ]


def _batch_answer(
    request: HttpRequest, item: SaveResult | KeepsakeError, request_text: str, now: datetime
) -> BatchAnswer:
    if isinstance(item, KeepsakeError):
        problem: dict[str, Any] = {"title": item.title, "status": item.status, "detail": str(item)}
        if isinstance(item, Invalid):
            problem["errors"] = [{"field": item.field, "message": str(item)}]
        return BatchAnswer(error=problem)
    return BatchAnswer(
        memory=memory_out_for(request, item.memory, now, request_text=request_text), outcome=item.outcome
    )


def _validation_problem(error: ValidationError) -> dict[str, Any]:
    errors = [
        {
            "field": replace_unstorable(".".join(map(str, item["loc"]))),
            "message": item["msg"].removeprefix("Value error, "),
        }
        for item in error.errors(include_input=False, include_url=False)
    ]
    detail = "; ".join(f"{item['field']}: {item['message']}" for item in errors)
    return {"title": "Bad input", "status": 422, "detail": detail, "errors": errors}
