"""The hosted API's memories, as its clients of three generations call it."""

from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from memory_app.api.auth import author_of, grant_of
from memory_app.compat.client_api import read_key, write_key
from memory_app.compat.mem0.add import PENDING, Event, add, find_event
from memory_app.compat.mem0.output import Json, memory_json
from memory_app.compat.mem0.reads import list_page, search_memories
from memory_app.compat.mem0.schemas import (
    AddIn,
    BatchIn,
    ClientModel,
    DeleteQuery,
    ListQuery,
    NarrowedIn,
    PageQuery,
    SearchIn,
    UpdateIn,
)
from memory_app.compat.mem0.views import Narrowing, narrowing_in_address, require_all_read
from memory_app.compat.mem0.writes import (
    delete_all,
    delete_many,
    delete_one,
    history,
    own_memory,
    update_many,
    update_one,
)
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.feedback import note_feedback
from memory_app.engine.memories.find import find_memory

router = Router(tags=["memories"])

DELETED = "Memory deleted successfully! It can be restored for 30 days."
ALL_DELETED = "Memories deleted successfully! They can be restored for 30 days."


@router.post("/v3/memories/add/", auth=write_key)
def add_v3(request: HttpRequest, payload: AddIn) -> Json:
    """Answers with an event; what is kept at once is told with it."""
    return _event_json(request, add(request, payload))


@router.post("/v1/memories/", auth=write_key)
def add_v1(request: HttpRequest, payload: AddIn) -> Any:
    """Answers with results: what is kept at once, else the event that is still to come."""
    event = add(request, payload)
    answer: list[Json] = [{**one, "status": event.status} for one in event.results(request)]
    if not answer:
        answer = [{"message": event.message, "status": event.status, "event_id": str(event.id)}]
    return {"results": answer} if payload.output_format == "v1.1" else answer


@router.post("/v3/memories/", auth=read_key)
def list_v3(request: HttpRequest, payload: NarrowedIn, query: Query[PageQuery]) -> Json:
    return list_page(request, Narrowing.of(payload), query, expired=payload.show_expired).as_json


@router.post("/v2/memories/", auth=read_key)
def list_v2(request: HttpRequest, payload: NarrowedIn, query: Query[PageQuery]) -> Any:
    """A bare list, unless a page is asked for."""
    return _as_asked(list_page(request, Narrowing.of(payload), query, expired=payload.show_expired), query)


@router.get("/v1/memories/", auth=read_key)
def list_v1(request: HttpRequest, query: Query[ListQuery]) -> Any:
    narrowing = narrowing_in_address(query)
    sized = query.model_copy(update={"page_size": query.page_size or query.top_k or query.limit})
    return _as_asked(list_page(request, narrowing, sized, expired=query.show_expired), query)


@router.post("/v3/memories/search/", auth=read_key)
def search_v3(request: HttpRequest, payload: SearchIn) -> Json:
    return {"results": search_memories(request, payload)}


@router.post("/v2/memories/search/", auth=read_key)
@router.post("/v1/memories/search/", auth=read_key)
def search_v2(request: HttpRequest, payload: SearchIn) -> Any:
    """A bare list, unless the later format is asked for."""
    found = search_memories(request, payload)
    return {"results": found, "relations": []} if payload.output_format == "v1.1" else found


@router.delete("/v1/memories/", auth=write_key)
def delete_all_of(request: HttpRequest, query: Query[DeleteQuery]) -> Json:
    """Soft delete of all that is meant; nothing is erased. Somebody must be named, and a parameter that would not be
    read is refused."""
    require_all_read(request)
    delete_all(request, narrowing_in_address(query))
    return {"message": ALL_DELETED, "event_id": None}


@router.get("/v1/memories/{uuid:memory_id}/", auth=read_key)
def read_one(request: HttpRequest, memory_id: UUID) -> Json:
    found = find_memory(memory=memory_id, venue_context=None, grant=grant_of(request))
    return memory_json(request, found, timezone.now())


@router.put("/v1/memories/{uuid:memory_id}/", auth=write_key)
def update(request: HttpRequest, memory_id: UUID, payload: UpdateIn) -> Json:
    now = timezone.now()
    return memory_json(request, update_one(request, memory_id, payload, now), now, request_text=payload.text)


@router.delete("/v1/memories/{uuid:memory_id}/", auth=write_key)
def delete(request: HttpRequest, memory_id: UUID) -> Json:
    """Soft delete of this memory alone, whatever it is linked to."""
    delete_one(request, memory_id)
    return {"message": DELETED, "cascade_count": 0}


@router.get("/v1/memories/{uuid:memory_id}/history/", auth=read_key)
def read_history(request: HttpRequest, memory_id: UUID) -> list[Json]:
    return history(request, memory_id)


@router.get("/v1/event/{uuid:event_id}/", auth=read_key)
def read_event(request: HttpRequest, event_id: UUID) -> Json:
    """What became of an addition by now."""
    return _event_json(request, find_event(event_id, grant_of(request)))


def _event_json(request: HttpRequest, event: Event) -> Json:
    results = event.results(request)
    answer = {"message": event.message, "status": event.status, "event_id": str(event.id)}
    return answer if event.status == PENDING and not results else {**answer, "results": results}


def _as_asked(page: Any, query: PageQuery) -> Any:
    return page.as_json if query.page or query.page_size else page.items


class FeedbackIn(ClientModel):
    """The reason is passed over: the log holds no words of anyone's."""

    memory_id: str = Field(max_length=200)
    feedback: Literal["POSITIVE", "NEGATIVE", "VERY_NEGATIVE"] | None = None


@router.put("/v1/batch/", auth=write_key)
def update_batch(request: HttpRequest, payload: BatchIn) -> Json:
    return {"message": f"Successfully updated {update_many(request, payload.memories)} memories"}


@router.delete("/v1/batch/", auth=write_key)
def delete_batch(request: HttpRequest, payload: BatchIn) -> Json:
    return {"message": f"Successfully deleted {delete_many(request, payload.memories)} memories"}


@router.post("/v1/feedback/", auth=write_key)
def give_feedback(request: HttpRequest, payload: FeedbackIn) -> Json:
    """Noted in the log; it changes nothing of the memory."""
    found = own_memory(request, payload.memory_id)
    word = payload.feedback or "WITHDRAWN"
    note_feedback(at=MemoryRef(found.space_id, found.id), feedback=word, author=author_of(request), now=timezone.now())
    return {"message": "Feedback noted", "memory_id": str(found.id), "feedback": payload.feedback}
