"""/memories/batch: keep many at once, each answered by itself."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import ValidationError

from memory_app.api.answers import shown_to
from memory_app.api.auth import author_of, writes
from memory_app.api.body import replaced
from memory_app.api.entering import speaker
from memory_app.api.idempotency import idempotent
from memory_app.api.schemas import BatchAnswer, BatchIn, BatchOut, MemoryIn
from memory_app.embedding.encoder import current
from memory_app.engine.enter import Place
from memory_app.engine.keeping.keep import Kept
from memory_app.engine.keeping.remember import remember_all
from memory_app.errors import Invalid, KeepsakeError

router = Router(tags=["memories"])


@router.post("/memories/batch", response={201: BatchOut}, auth=writes)
@idempotent
def create_memories(request: HttpRequest, payload: BatchIn) -> Status[BatchOut]:
    """Keeps up to 1,000 memories. Each is answered by itself, in order: a bad one does not keep the others out."""
    answers: list[BatchAnswer | None] = [None] * len(payload.items)
    groups: dict[tuple[str, Place], list[tuple[int, MemoryIn]]] = {}
    for index, item in enumerate(payload.items):
        try:
            given = MemoryIn.model_validate(item)
            groups.setdefault((given.person, given.place), []).append((index, given))
        except ValidationError as error:
            answers[index] = BatchAnswer(error=_bad_item(error))
    # In one order in every request, so that two that write for the same people never wait for each other.
    for _, group in sorted(groups.items(), key=lambda pair: pair[0][0]):
        for (index, _), answer in zip(group, _keep_group(request, [given for _, given in group]), strict=True):
            answers[index] = answer
    return Status(201, BatchOut(items=[answer for answer in answers if answer]))


def _keep_group(request: HttpRequest, givens: list[MemoryIn]) -> list[BatchAnswer]:
    """Keeps what one person said in one venue."""
    now = timezone.now()
    kept: list[Kept | KeepsakeError]
    try:
        entered = speaker(request, givens[0])
        kept = remember_all(
            entered=entered,
            givens=[given.given for given in givens],
            author=author_of(request),
            now=now,
            encoder=current(),
        )
    except KeepsakeError as error:
        kept = [error for _ in givens]
    return [_batch_answer(request, item, given.content, now) for item, given in zip(kept, givens, strict=True)]


def _batch_answer(request: HttpRequest, item: Kept | KeepsakeError, sent: str, now: datetime) -> BatchAnswer:
    if isinstance(item, KeepsakeError):
        problem: dict[str, Any] = {"title": item.title, "status": item.status, "detail": str(item)}
        if isinstance(item, Invalid):
            problem["errors"] = [{"field": item.field, "message": str(item)}]
        return BatchAnswer(error=problem)
    return BatchAnswer(memory=shown_to(request, item.memory, now, sent=sent), outcome=item.outcome)


def _bad_item(error: ValidationError) -> dict[str, Any]:
    errors = [
        {"field": replaced(".".join(map(str, item["loc"]))), "message": item["msg"].removeprefix("Value error, ")}
        for item in error.errors(include_input=False, include_url=False)
    ]
    detail = "; ".join(f"{item['field']}: {item['message']}" for item in errors)
    return {"title": "Bad input", "status": 422, "detail": detail, "errors": errors}
