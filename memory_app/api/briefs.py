"""/briefs: what assistants were told of a person, brief by brief. What one held is in its receipt."""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router

from memory_app.api import fields
from memory_app.api.auth import grant_of, reads
from memory_app.api.paging import Order, page
from memory_app.api.schemas import Shown, Strict
from memory_app.engine.enter import user_of
from memory_app.engine.recalling.receipt import BriefFilters, briefs_of
from memory_app.errors import NotGranted
from memory_app.models import Person, Receipt
from memory_app.models.scope import within

router = Router(tags=["recall"])


class BriefsQuery(Strict):
    person: fields.Name
    conversation: UUID | None = None
    memory: UUID | None = None
    since: fields.Moment | None = None
    limit: fields.Limit = 20
    cursor: str | None = None

    @property
    def filters(self) -> BriefFilters:
        return BriefFilters(self.conversation, self.memory, self.since)


class BriefOut(Shown):
    id: UUID
    person: str
    at: datetime
    query: str
    intent: str | None
    conversation: UUID | None
    tokens: int
    reason: str | None
    memories: list[UUID]


class BriefPage(Shown):
    items: list[BriefOut]
    next_cursor: str | None


@router.get("/briefs", response=BriefPage, auth=reads)
def read_briefs(request: HttpRequest, query: Query[BriefsQuery]) -> BriefPage:
    """What a person's assistants were told, the latest first. `reason` says why one was empty."""
    grant = grant_of(request)
    if not grant.speaks_for(query.person):
        raise NotGranted(f"This key may not speak for {query.person!r}.")
    found = Person.objects.filter(name=query.person).first()
    if found is None:
        return BriefPage(items=[], next_cursor=None)
    person = user_of(found, lambda user: grant.speaks_for(user.name))
    with within([person.space_id]):
        rows, following = page(briefs_of(person, query.filters, grant), Order("at"), query.limit, query.cursor)
    return BriefPage(items=[_shown(row, person) for row in rows], next_cursor=following)


def _shown(receipt: Receipt, person: Person) -> BriefOut:
    return BriefOut(
        id=receipt.id,
        person=person.name,
        at=receipt.at,
        query=receipt.query,
        intent=receipt.intent or None,
        conversation=receipt.conversation,
        tokens=receipt.tokens,
        reason=receipt.reason or None,
        memories=[item["memory"] for item in receipt.items],
    )
