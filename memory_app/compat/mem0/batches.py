"""Several memories changed or deleted at once: all of them, or none. Feedback on one."""

from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router
from pydantic import Field

from memory_app.api.auth import author_of
from memory_app.compat.auth import write_key
from memory_app.compat.mem0.output import Json
from memory_app.compat.mem0.schemas import BatchIn, ClientModel
from memory_app.compat.mem0.writes import delete_many, own_memory, update_many
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.feedback import note_feedback

router = Router(tags=["memories"])


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
