"""/conflicts: two memories that may not both hold, and the person's answer."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.pagination import Order, page
from memory_app.api.redaction import memory_out_for
from memory_app.api.venue import ViewerQuery
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conflicts.answer import answer, conflicts_of, find_conflict, reopen
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import Invalid
from memory_app.models import Conflict, ConflictAnswer, Memory
from memory_app.models.row_security import allowed_spaces
from memory_app.serializers import OutputModel, Page
from memory_app.serializers.memory import MemoryOut


class ConflictOut(OutputModel):
    """Two memories that may not both hold. answer: what the person said; null while it waits."""

    id: UUID
    person: str
    older: MemoryOut
    newer: MemoryOut
    reason: str
    answer: str | None
    opened_at: datetime
    answered_at: datetime | None


def conflict_out(conflict: Conflict, older: MemoryOut, newer: MemoryOut) -> ConflictOut:
    """Expects the person to be loaded with it. older, newer: its memories, as whoever asked may be told them."""
    return ConflictOut.of(
        conflict, person=conflict.person.name, older=older, newer=newer, answer=conflict.answer or None
    )


class AnsweredOut(OutputModel):
    conflict: UUID
    answer: str
    memory: MemoryOut


router = Router(tags=["conflicts"])

NEWEST_FIRST = Order("opened_at", descending=True)


ConflictPage = Page[ConflictOut]


class ConflictQuery(ViewerQuery, PageQuery):
    status: Literal["open", "answered"] = "open"
    memory: UUID | None = None


class AnswerIn(InputModel):
    """keep: the memory that holds, both of them, or one text for both, which is the content."""

    keep: Literal["newest", "oldest", "both", "merged"]
    content: fields.Content | None = Field(None, description="the text that says both, with `merged`")


@router.get("/conflicts", response=ConflictPage, auth=read_key)
def list_conflicts(request: HttpRequest, query: Query[ConflictQuery]) -> ConflictPage:
    """The conflicts of a person: by default those that wait for their answer."""
    if not query.person:
        raise Invalid("person", "Name the person whose conflicts to list.")
    venue_context = resolve_venue(person=query.person, grant=grant_of(request), create=False)
    with allowed_spaces(venue_context.venue.spaces):
        rows = conflicts_of(venue_context, memory=query.memory)
        rows = rows.open() if query.status == "open" else rows.exclude(answer="")
        found, following = page(rows, NEWEST_FIRST, query.limit, query.cursor)
        return ConflictPage(items=conflicts_out(request, found), next_cursor=following)


@router.post("/conflicts/{uuid:conflict_id}/answer", response=AnsweredOut, auth=write_key)
def answer_conflict(request: HttpRequest, conflict_id: UUID, payload: AnswerIn) -> AnsweredOut:
    """Says which of the two holds: the other one is replaced or deleted, and can be brought back."""
    now = timezone.now()
    answered = answer(
        conflict=find_conflict(conflict=conflict_id, grant=grant_of(request)),
        holds=ConflictAnswer(payload.keep),
        content=payload.content,
        grant=grant_of(request),
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    found = answered.conflict
    return AnsweredOut(conflict=found.id, answer=found.answer, memory=memory_out_for(request, answered.memory, now))


@router.post("/conflicts/{uuid:conflict_id}/reopen", response=ConflictOut, auth=write_key)
def reopen_conflict(request: HttpRequest, conflict_id: UUID) -> ConflictOut:
    """Undoes an answer: both memories are as they were, and the conflict waits again."""
    grant = grant_of(request)
    conflict = find_conflict(conflict=conflict_id, grant=grant)
    reopened = reopen(conflict=conflict, grant=grant, author=author_of(request), now=timezone.now())
    with allowed_spaces([reopened.space_id]):
        return conflicts_out(request, [reopened])[0]


def conflicts_out(request: HttpRequest, conflicts: list[Conflict]) -> list[ConflictOut]:
    """As the caller may see them. Expects their spaces to be allowed. Their memories are read in one statement."""
    now = timezone.now()
    ids = {memory for conflict in conflicts for memory in (conflict.older_id, conflict.newer_id)}
    spaces = {conflict.space_id for conflict in conflicts}
    rows = Memory.objects.select_related(*WITH_NAMES).filter(space_id__in=spaces, id__in=ids)
    memories = {memory.id: memory_out_for(request, memory, now) for memory in rows}
    return [conflict_out(conflict, memories[conflict.older_id], memories[conflict.newer_id]) for conflict in conflicts]
