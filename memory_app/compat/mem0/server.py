"""The server that people run themselves: the same acts, at paths without a version or a slash at the end."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from memory_app.api import fields
from memory_app.api.auth import grant_of, key_of
from memory_app.compat.client_api import any_key, read_key, write_key
from memory_app.compat.mem0.add import add
from memory_app.compat.mem0.conditions import ANY_VALUE
from memory_app.compat.mem0.entities import Kind, delete_entity, entity_json
from memory_app.compat.mem0.output import Json, memory_json
from memory_app.compat.mem0.owners import ID_FIELDS
from memory_app.compat.mem0.reads import list_page, search_memories
from memory_app.compat.mem0.schemas import AddIn, DeleteQuery, ListQuery, SearchIn, UpdateIn
from memory_app.compat.mem0.views import narrowing_in_address, require_all_read
from memory_app.compat.mem0.writes import delete_all, delete_one, history, update_one
from memory_app.engine.memories.find import find_memory
from memory_app.engine.people.overview import totals_by_person
from memory_app.errors import NotAllowed
from memory_app.models import Scope

router = Router(tags=["self-hosted server"])

DELETED = "Memory deleted successfully"
ALL_DELETED = "All relevant memories deleted"
NO_RESET = "Keepsake resets nothing: delete the memories of one user at a time, or erase a person in the API."
NO_CONFIGURATION = "Keepsake is configured by its environment; docs/operations.md lists the settings."


@router.post("/memories", auth=write_key)
def add_memories(request: HttpRequest, payload: AddIn) -> Json:
    event = add(request, payload)
    return {
        "results": event.results(request),
        "message": event.message,
        "status": event.status,
        "event_id": str(event.id),
    }


@router.get("/memories", auth=read_key)
def list_memories(request: HttpRequest, query: Query[ListQuery]) -> Json:
    """With nobody named, everyone's, for a key with the scope admin."""
    narrowing = narrowing_in_address(query)
    if not narrowing.filters and not any(query.ids.values()) and key_of(request).has(Scope.ADMIN):
        narrowing = replace(narrowing, filters={"OR": [{field: ANY_VALUE} for field in ID_FIELDS]})
    sized = query.model_copy(update={"page_size": query.page_size or query.top_k or query.limit})
    return {"results": list_page(request, narrowing, sized, expired=query.show_expired).items}


@router.delete("/memories", auth=write_key)
def delete_memories(request: HttpRequest, query: Query[DeleteQuery]) -> Json:
    """Soft delete; somebody must be named, and a parameter that would not be read is refused."""
    require_all_read(request)
    delete_all(request, narrowing_in_address(query))
    return {"message": ALL_DELETED}


@router.post("/search", auth=read_key)
def search(request: HttpRequest, payload: SearchIn) -> Json:
    return {"results": search_memories(request, payload)}


@router.get("/memories/{uuid:memory_id}", auth=read_key)
def read_memory(request: HttpRequest, memory_id: UUID) -> Json:
    found = find_memory(memory=memory_id, venue_context=None, grant=grant_of(request))
    return memory_json(request, found, timezone.now())


@router.put("/memories/{uuid:memory_id}", auth=write_key)
def update_memory(request: HttpRequest, memory_id: UUID, payload: UpdateIn) -> Json:
    now = timezone.now()
    changed = update_one(request, memory_id, payload, now)
    return {"message": "Memory updated successfully!", **memory_json(request, changed, now, request_text=payload.text)}


@router.delete("/memories/{uuid:memory_id}", auth=write_key)
def delete_memory(request: HttpRequest, memory_id: UUID) -> Json:
    delete_one(request, memory_id)
    return {"message": DELETED}


@router.get("/memories/{uuid:memory_id}/history", auth=read_key)
def read_memory_history(request: HttpRequest, memory_id: UUID) -> list[Json]:
    return history(request, memory_id)


@router.get("/entities", auth=read_key)
def list_owners(request: HttpRequest) -> list[Json]:
    totals, _ = totals_by_person(grant_of(request), timezone.now())
    return [entity_json(total) for total in totals]


@router.delete("/entities/{kind}/{text:person}", auth=write_key)
def delete_owner(request: HttpRequest, kind: Kind, person: fields.Name) -> Json:
    return delete_entity(request, kind, person)


@router.post("/reset", auth=any_key)
def reset(request: HttpRequest) -> None:
    raise NotAllowed(NO_RESET)


@router.get("/configure", auth=any_key)
def read_configuration(request: HttpRequest) -> Json:
    """That there is nothing to configure by a key."""
    return {"version": "v1.1", "server": "keepsake", "message": NO_CONFIGURATION}


@router.post("/configure", auth=any_key)
def change_configuration(request: HttpRequest) -> None:
    raise NotAllowed(NO_CONFIGURATION)


@router.get("/configure/providers", auth=any_key)
def list_providers(request: HttpRequest) -> dict[str, list[Any]]:
    return {"llm": [], "embedder": [], "vector_store": []}
