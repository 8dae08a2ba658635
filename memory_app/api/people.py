"""/people: who is remembered, how, and how much."""

from datetime import date as Day
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Status

from memory_app.api import fields
from memory_app.api.auth import administers, author_of, grant_of, reads, writes
from memory_app.api.erasures import ErasureOut, shown_erasure
from memory_app.api.paging import Order, page
from memory_app.api.schemas import Shown, Strict
from memory_app.engine.count import count
from memory_app.engine.enter import Entered, enter
from memory_app.engine.erasing.erase_person import erase_person
from memory_app.engine.settle import settle
from memory_app.engine.write_access import check_all_of, check_settings
from memory_app.jobs import erase_on
from memory_app.models import DailyRun, Person
from memory_app.models.scope import within

router = Router(tags=["people"])


class PersonOut(Shown):
    person: str
    display_name: str
    timezone: str
    language: str
    memory_enabled: bool
    extraction_policy: str
    sensitive_policy: str
    created_at: datetime


class PersonPatch(Strict):
    display_name: fields.Name | None = None
    timezone: fields.Name | None = None
    language: fields.Word | None = None
    memory_enabled: bool | None = None
    extraction_policy: Literal["ask", "auto", "off"] | None = None
    sensitive_policy: Literal["private", "sealed", "refused"] | None = None

    @property
    def changes(self) -> dict[str, Any]:
        return {name: value for name in self.model_fields_set if (value := getattr(self, name)) is not None}


class MemoryCounts(Shown):
    total: int
    by_type: dict[str, int]
    by_tier: dict[str, int]
    superseded: int


class StatsOut(Shown):
    person: str
    memories: MemoryCounts
    turns: int
    proposals_pending: int
    embeddings_pending: int
    latest: datetime | None


class DailyRunOut(Shown):
    date: Day
    status: str
    error: str | None
    turns: int
    conversations: int
    written: int
    updated: int
    proposed: int
    tokens: int
    milliseconds: int
    at: datetime


class DailyRunQuery(Strict):
    limit: fields.Limit = 20
    cursor: str | None = None


class DailyRunPage(Shown):
    items: list[DailyRunOut]
    next_cursor: str | None


@router.get("/people/{text:person}/runs", response=DailyRunPage, auth=reads)
def list_daily_runs(request: HttpRequest, person: fields.Name, query: Query[DailyRunQuery]) -> DailyRunPage:
    """The daily batch of a person, the latest day first: what it found, and how it ended."""
    entered = _known(request, person)
    with within([entered.venue.home]):
        rows = DailyRun.objects.filter(space_id=entered.venue.home, person_id=entered.person.id)
        found, following = page(rows, Order("created_at"), query.limit, query.cursor)
    return DailyRunPage(items=[_shown_run(run) for run in found], next_cursor=following)


@router.get("/people/{text:person}/stats", response=StatsOut, auth=reads)
def read_stats(request: HttpRequest, person: fields.Name) -> StatsOut:
    counts = count(_known(request, person))
    active, deleted = sum(counts.active.values()), sum(counts.deleted.values())
    return StatsOut(
        person=person,
        memories=MemoryCounts(
            total=active,
            by_type=counts.active,
            by_tier={"active": active, "deleted": deleted},
            superseded=counts.superseded,
        ),
        turns=counts.turns,
        proposals_pending=counts.proposals_pending,
        embeddings_pending=counts.embeddings_pending,
        latest=counts.latest,
    )


@router.get("/people/{text:person}", response=PersonOut, auth=reads)
def read_person(request: HttpRequest, person: fields.Name) -> PersonOut:
    return _shown(_known(request, person).person)


@router.patch("/people/{text:person}", response=PersonOut, auth=writes)
def change_person(request: HttpRequest, person: fields.Name, payload: PersonPatch) -> PersonOut:
    """Settings of a person, who comes into being here if nothing was said of them yet."""
    grant = grant_of(request)
    entered = enter(person=person, grant=grant)
    check_settings(grant, entered.person)
    return _shown(settle(person=entered.person, changes=payload.changes, author=author_of(request), now=timezone.now()))


@router.delete("/people/{text:person}", response={200: ErasureOut, 202: ErasureOut}, auth=administers)
def delete_person(request: HttpRequest, response: HttpResponse, person: fields.Name) -> Status[ErasureOut]:
    """Erases a person: all that was kept, noticed and said of them, everywhere. Answers the receipt.

    Of very much, 202: from now on nobody can speak for them, and a job removes all; `Location` tells how far it is.
    """
    check_all_of(grant_of(request), person)
    author = author_of(request)
    erasure = erase_person(name=person, author=author, now=timezone.now())
    erase_on(erasure, author.label)
    response["Location"] = f"/api/v1/admin/erasures/{erasure.id}"
    return Status(200 if erasure.finished_at else 202, shown_erasure(erasure))


def _known(request: HttpRequest, person: fields.Name) -> Entered:
    """A person who was spoken of before. Raises NotFound."""
    return enter(person=person, grant=grant_of(request), create=False)


def _shown(person: Person) -> PersonOut:
    return PersonOut(
        person=person.name,
        display_name=person.display_name,
        timezone=person.timezone,
        language=person.language,
        memory_enabled=person.memory_enabled,
        extraction_policy=person.extraction_policy,
        sensitive_policy=person.sensitive_policy,
        created_at=person.created_at,
    )


def _shown_run(run: DailyRun) -> DailyRunOut:
    return DailyRunOut(
        date=run.date,
        status=run.status,
        error=run.error or None,
        turns=run.turns,
        conversations=run.conversations,
        written=run.written,
        updated=run.updated,
        proposed=run.proposed,
        tokens=run.tokens,
        milliseconds=run.milliseconds,
        at=run.created_at,
    )
