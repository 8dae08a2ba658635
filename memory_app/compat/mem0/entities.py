"""Users, agents, apps and runs: who there is, and the soft delete of all that is theirs."""

from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of
from memory_app.api.venue import existing_person
from memory_app.compat.client_api import read_key, write_key
from memory_app.compat.mem0.output import Json
from memory_app.compat.mem0.owners import KINDS, Owner
from memory_app.compat.mem0.reads import DEFAULT_PAGE_SIZE, page_json
from memory_app.compat.mem0.schemas import PageQuery
from memory_app.engine.deletion.clear import clear_all
from memory_app.engine.people.overview import PersonTotal, totals_by_person

router = Router(tags=["entities"])

Kind = Literal["user", "agent", "app", "run"]

DELETED = "Entity deleted successfully! Its memories can be restored for 30 days."


@router.get("/v1/entities/", auth=read_key)
def list_entities(request: HttpRequest, query: Query[PageQuery]) -> Json:
    """Everyone of whom the key reaches a memory, with how many there are."""
    number, size = query.page or 1, query.page_size or DEFAULT_PAGE_SIZE
    totals, count = totals_by_person(grant_of(request), timezone.now(), offset=(number - 1) * size, limit=size)
    items = [entity_json(total) for total in totals]
    answer = page_json(request, items, count, number, size).as_json
    here = {f"total_{kind}s": sum(item["type"] == kind for item in items) for kind in KINDS}
    return {**answer, **here}


@router.delete("/v1/entities/{kind}/{text:person}/", auth=write_key)
@router.delete("/v2/entities/{kind}/{text:person}/", auth=write_key)
def delete_entity(request: HttpRequest, kind: Kind, person: fields.Name) -> Json:
    """Soft delete of all that is theirs; the person stays, with their settings. Raises NotFound."""
    owner, now = Owner(kind, person), timezone.now()
    venue_context = existing_person(request, owner.person)
    clear_all(venue_context=venue_context, moment=now, author=author_of(request), now=now)
    return {"message": DELETED}


def entity_json(total: PersonTotal) -> Json:
    owner = Owner.of_person(total.name)
    return {
        "id": owner.id,
        "name": owner.id,
        "type": owner.kind,
        "total_memories": total.memories,
        "created_at": total.first,
        "updated_at": total.latest,
        "owner": "keepsake",
        "organization": "keepsake",
        "metadata": None,
    }
