"""Exports, summaries and profiles: documents of what is remembered. No model fills in a schema here: an export is the
memories themselves, and a summary is the profile, which always stands as memories do."""

from typing import Any

from django.core import signing
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import key_of
from memory_app.api.venue import existing_person
from memory_app.compat.client_api import read_key
from memory_app.compat.mem0.output import Json, memories_json
from memory_app.compat.mem0.schemas import ClientModel, FilterTree, OwnerFields
from memory_app.compat.mem0.views import Narrowing, views_of
from memory_app.engine.memories.pages import page_of_memories
from memory_app.engine.summaries.profile import profile_text
from memory_app.errors import Invalid, NotAllowed, NotFound

router = Router(tags=["documents"])

EXPORT_SALT = "compat.mem0.export"
MOST_EXPORTED = 10_000
MOST_SUMMARISED = 10
"""People of one summary: a profile of each."""

JOB = "profile"
PROFILES_ARE_ON = "Profiles are always on here, and made of all memories: there is nothing to set."


class ExportIn(OwnerFields):
    filters: FilterTree | None = None
    memory_export_id: str | None = Field(None, max_length=10_000)


class SummaryIn(OwnerFields):
    filters: FilterTree | None = None


class ProfileJobIn(ClientModel):
    operation: str = Field("trigger", max_length=50)
    entity_id: fields.Name | None = None


class ProfileSettingsIn(ClientModel):
    enabled: bool | None = None
    entities: dict[str, Any] | None = None


@router.post("/v1/exports/", auth=read_key, response={201: dict[str, Any]})
def create_export(request: HttpRequest, payload: ExportIn) -> Status[Json]:
    """Nothing is stored: the id holds what is asked for, and is good for this key."""
    narrowing = Narrowing(payload.ids, payload.filters)
    views_of(request, narrowing)
    asked = {"ids": payload.ids, "filters": payload.filters, "key": str(key_of(request).id)}
    return Status(201, {"message": "The export is ready.", "id": signing.dumps(asked, salt=EXPORT_SALT)})


@router.post("/v1/exports/get/", auth=read_key)
def read_export(request: HttpRequest, payload: ExportIn) -> Json:
    """The memories themselves, the newest first; a schema is not filled in."""
    ids, filters = payload.ids, payload.filters
    if payload.memory_export_id:
        asked = _export(request, payload.memory_export_id)
        ids, filters = asked["ids"], asked["filters"]
    now = timezone.now()
    rows, count = page_of_memories(views_of(request, Narrowing(ids, filters)), offset=0, limit=MOST_EXPORTED, now=now)
    return {"count": count, "memories": memories_json(request, rows, now)}


@router.post("/v1/summary/", auth=read_key)
def read_summary(request: HttpRequest, payload: SummaryIn) -> Json:
    """The profiles of those who are named."""
    views = [
        view for view in views_of(request, Narrowing(payload.ids, payload.filters)) if not view.venue_context.is_unknown
    ]
    if len(views) > MOST_SUMMARISED:
        raise Invalid("filters", f"A summary is of at most {MOST_SUMMARISED} users; name fewer.")
    now = timezone.now()
    return {"summary": "\n\n".join(profile_text(view.venue_context, now) for view in views)}


@router.get("/v2/entities/user/{text:person}/profile/", auth=read_key)
def read_profile(request: HttpRequest, person: fields.Name) -> Json:
    """What is known of a person as one document. Raises NotFound."""
    venue_context = existing_person(request, person)
    now = timezone.now()
    return {
        "profile": profile_text(venue_context, now),
        "status": "succeeded",
        "entity_type": "user",
        "entity_id": person,
        "updated_at": now,
        "generation_count": 1,
    }


@router.get("/v2/profiles/settings/", auth=read_key)
def read_profile_settings(request: HttpRequest) -> Json:
    return {"enabled": True, "capabilities": {"user": True}, "entities": {"user": {}}}


@router.post("/v2/profiles/settings/", auth=read_key)
def change_profile_settings(request: HttpRequest, payload: ProfileSettingsIn) -> Json:
    if payload.enabled is False or payload.entities:
        raise NotAllowed(PROFILES_ARE_ON)
    return read_profile_settings(request)


@router.post("/v2/profiles/jobs/", auth=read_key)
def start_profile_job(request: HttpRequest, payload: ProfileJobIn) -> Json:
    """Nothing is left to do: profiles always stand as memories do."""
    if payload.entity_id:
        existing_person(request, payload.entity_id)
    named = [payload.entity_id] if payload.entity_id else []
    return {
        "job_id": JOB,
        "status": "succeeded",
        "status_url": f"/v2/profiles/jobs/{JOB}/",
        "operation": payload.operation,
        "entity_type": "user",
        "entity_count_reserved": len(named),
        "entity_ids": named,
        "sampled": 0,
        "event_id": None,
        "replayed": False,
    }


@router.get("/v2/profiles/jobs/{name}/", auth=read_key)
def read_profile_job(request: HttpRequest, name: str) -> Json:
    if name != JOB:
        raise NotFound
    counts = {"total": 0, "completed": 0, "succeeded": 0, "failed": 0, "skipped": 0}
    return {"job": {"job_id": JOB, "status": "succeeded", "enumeration_complete": True, **counts}}


def _export(request: HttpRequest, token: str) -> Json:
    """What an export asked for. Raises NotFound for what is no export of this key."""
    try:
        asked: Json = signing.loads(token, salt=EXPORT_SALT)
    except signing.BadSignature:
        raise NotFound from None
    if asked.get("key") != str(key_of(request).id):
        raise NotFound
    return asked
