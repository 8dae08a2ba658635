"""Change and delete: one memory, several, or all of someone's. Deleting is soft throughout."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from memory_app.api.auth import author_of, grant_of
from memory_app.api.redaction import version_out
from memory_app.compat.mem0.output import Json, end_of_day
from memory_app.compat.mem0.owners import ids_of
from memory_app.compat.mem0.schemas import BatchItem, UpdateIn
from memory_app.compat.mem0.views import Narrowing, views_of
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.clear import ClearResult, clear_all, clear_memories
from memory_app.engine.memories.delete_and_restore import delete_memories, delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.find import find_memory, find_own_memory
from memory_app.engine.memories.pages import MemoryView, ids_of_view
from memory_app.engine.memories.versions import list_versions
from memory_app.errors import NotFound
from memory_app.models import Memory
from memory_app.rules.filters import NO_FILTERS


def update_one(request: HttpRequest, memory: UUID, payload: UpdateIn, now: datetime) -> Memory:
    """Raises NotFound, NotAllowed, Invalid."""
    found = _own(request, memory)
    changes: dict[str, Any] = {}
    if payload.text is not None:
        changes["content"] = payload.text
    if payload.timestamp is not None:
        changes["event_time"] = payload.timestamp
    if "expiration_date" in payload.model_fields_set:
        day = payload.expiration_date
        changes["expires_at"] = end_of_day(day, found.person.zone) if day else None
    return _edited(request, found, changes, payload.metadata, now)


def update_many(request: HttpRequest, items: Sequence[BatchItem]) -> int:
    """All of them, or none: how many. Raises NotFound, NotAllowed."""
    now = timezone.now()
    with transaction.atomic():
        found = _own_many(request, items)
        pairs = sorted(zip(found, items, strict=True), key=lambda pair: (pair[0].person_id, pair[0].id))
        for memory, item in pairs:
            changes = {} if item.text is None else {"content": item.text}
            _edited(request, memory, changes, item.metadata, now)
    return len(items)


def delete_one(request: HttpRequest, memory: UUID) -> None:
    found = _own(request, memory, removes=True)
    delete_memory(at=MemoryRef(found.space_id, found.id), author=author_of(request), now=timezone.now())


def delete_many(request: HttpRequest, items: Sequence[BatchItem]) -> int:
    """All of them, or none: how many. Raises NotFound, NotAllowed."""
    with transaction.atomic():
        found = _own_many(request, items, removes=True)
        return len(delete_memories(memories=found, author=author_of(request), now=timezone.now()))


def delete_all(request: HttpRequest, narrowing: Narrowing) -> int:
    """Soft delete of all that is meant: how many memories. Of whoever is named without more, also what could become
    one goes: proposals, notes, documents, what is not read yet. Raises NoOwner where nobody is named."""
    now, deleted = timezone.now(), 0
    views = [view for view in views_of(request, narrowing) if not view.venue_context.is_unknown]
    for view in sorted(views, key=lambda view: view.venue_context.person.id):
        deleted += _clear(view, author_of(request), now).deleted
    return deleted


def _clear(view: MemoryView, author: Author, now: datetime) -> ClearResult:
    """Without filters all of it, also what was replaced or has expired."""
    if view.filters == NO_FILTERS:
        return clear_all(venue_context=view.venue_context, moment=now, author=author, now=now).memories
    ids = ids_of_view(view, now)
    return clear_memories(venue_context=view.venue_context, memories=ids, author=author, now=now)


def history(request: HttpRequest, memory: UUID) -> list[Json]:
    """Each wording that a memory had, oldest first, with the metadata and ids that it had then."""
    found = find_memory(memory=memory, venue_context=None, grant=grant_of(request))
    entries, before = list[Json](), None
    for version in list_versions(found):
        past = version_out(request, found, version)
        content = str(past.state.get("content", ""))
        if content == before:
            continue
        attributes = past.state.get("attributes") or {}
        entries.append(
            {
                "id": str(uuid5(found.id, str(version.number))),
                "memory_id": str(found.id),
                "input": [],
                "old_memory": before,
                "new_memory": content,
                **ids_of(found.person.name, attributes),
                "event": "ADD" if before is None else "UPDATE",
                "metadata": attributes.get("metadata") or {},
                "created_at": found.created_at,
                "updated_at": version.changed_at,
            }
        )
        before = content
    return entries


def _edited(
    request: HttpRequest, memory: Memory, changes: dict[str, Any], metadata: dict[str, Any] | None, now: datetime
) -> Memory:
    if metadata is not None:
        changes = {**changes, "attributes": {**memory.attributes, "metadata": metadata}}
    if not changes:
        return memory
    return edit(
        at=MemoryRef(memory.space_id, memory.id),
        changes=changes,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )


def _own(request: HttpRequest, memory: UUID, *, removes: bool = False) -> Memory:
    return find_own_memory(memory=memory, venue_context=None, grant=grant_of(request), removes=removes)


def _own_many(request: HttpRequest, items: Sequence[BatchItem], *, removes: bool = False) -> list[Memory]:
    return [own_memory(request, item.memory_id, removes=removes) for item in items]


def own_memory(request: HttpRequest, identifier: str, *, removes: bool = False) -> Memory:
    """By an id that a body holds; what is no id is as if missing. Raises NotFound, NotAllowed."""
    try:
        return _own(request, UUID(identifier), removes=removes)
    except ValueError:
        raise NotFound from None
