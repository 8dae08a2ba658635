"""Banks, which are people, and what a client asks of the server itself."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from memory_app.api import api as main_api
from memory_app.api import fields
from memory_app.api.auth import grant_of
from memory_app.api.venue import PersonInVenue, existing_person, writing_venue
from memory_app.compat.client_api import any_key, read_key, write_key
from memory_app.compat.hindsight.facts import clear_bank
from memory_app.compat.hindsight.output import Json, fact_type
from memory_app.compat.hindsight.schemas import BANK, PageQuery
from memory_app.engine.memory_counts import count_memories
from memory_app.engine.people.overview import PersonTotal, totals_by_person
from memory_app.errors import NotAllowed
from memory_app.models import Person

router = Router(tags=["banks"])

NEUTRAL = {"skepticism": 3, "literalism": 3, "empathy": 3}
"""A disposition is a model's, and none speaks here."""

NO_SETTINGS = "A bank has no settings here; what there is to set of a person is at /api/v1/people/{person}."

FEATURES = dict.fromkeys(
    ("observations", "mcp", "worker", "bank_config_api", "bank_llm_health", "file_upload_api", "document_export_api",
     "document_import_api", "audit_log", "llm_trace", "store_document_text"), False,
) | {"observations": True, "mcp": True, "worker": True, "audit_log": True}  # fmt: skip


@router.get("/version", auth=any_key)
def read_version(request: HttpRequest) -> Json:
    return {"api_version": main_api.version, "server": "keepsake", "features": FEATURES}


@router.get("/health", auth=any_key)
def read_health(request: HttpRequest) -> Json:
    return {"status": "healthy"}


@router.get("/v1/default/banks", auth=read_key)
def list_banks(request: HttpRequest, query: Query[PageQuery]) -> Json:
    """Everyone of whom the key reaches a memory."""
    totals, total = totals_by_person(grant_of(request), timezone.now(), offset=query.offset, limit=query.limit)
    return {"banks": [_bank(one) for one in totals], "total": total, "limit": query.limit, "offset": query.offset}


@router.get(f"{BANK}/stats", auth=read_key)
def read_stats(request: HttpRequest, person: fields.Name) -> Json:
    venue_context = existing_person(request, person)
    counts = count_memories(venue_context)
    by_fact_type: dict[str, int] = {}
    for name, number in counts.active.items():
        by_fact_type[fact_type(name)] = by_fact_type.get(fact_type(name), 0) + number
    links: dict[str, Any] = {"links_by_link_type": {}, "links_by_fact_type": {}, "links_breakdown": {}}
    return {
        "bank_id": person,
        "total_nodes": sum(counts.active.values()),
        "total_links": 0,
        "total_documents": 0,
        "nodes_by_fact_type": by_fact_type,
        **links,
        "pending_operations": 0,
        "failed_operations": 0,
        "last_memory_write_at": counts.latest,
    }


@router.get(f"{BANK}/config", auth=read_key)
def read_config(request: HttpRequest, person: fields.Name) -> Json:
    existing_person(request, person)
    return {"bank_id": person, "config": {}, "overrides": {}}


@router.api_operation(["PATCH", "DELETE"], f"{BANK}/config", auth=write_key)
def change_config(request: HttpRequest, person: fields.Name) -> None:
    raise NotAllowed(NO_SETTINGS)


@router.get(f"{BANK}/profile", auth=read_key)
def read_bank(request: HttpRequest, person: fields.Name) -> Json:
    return _profile(existing_person(request, person).person)


@router.put(BANK, auth=write_key)
def create_bank(request: HttpRequest, person: fields.Name) -> Json:
    """The person, who comes into being here if nothing was said of them yet. Missions and dispositions are passed over:
    they are a model's, and none speaks here."""
    return _profile(writing_venue(request, PersonInVenue(person=person)).person)


@router.patch(BANK, auth=write_key)
def update_bank(request: HttpRequest, person: fields.Name) -> Json:
    """As `create_bank`, of someone who is there already. Raises NotFound."""
    return read_bank(request, person)


@router.delete(BANK, auth=write_key)
def delete_bank(request: HttpRequest, person: fields.Name) -> Json:
    """Soft delete of all memories; the person stays. To erase one is the API's, with a key for it."""
    return clear_bank(request, person)


def _profile(person: Person) -> Json:
    return {
        "bank_id": person.name,
        "name": person.display_name or person.name,
        "disposition": NEUTRAL,
        "mission": "",
        "background": None,
    }


def _bank(total: PersonTotal) -> Json:
    return {
        "bank_id": total.name,
        "name": total.name,
        "disposition": NEUTRAL,
        "mission": "",
        "fact_count": total.memories,
        "created_at": total.first,
        "updated_at": total.latest,
    }
