"""/people: who is remembered, their settings and numbers; export, merge and erasure of all that is theirs."""

from datetime import date as Day
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from ninja import Query, Router, Status

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, key_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.pagination import Order, page
from memory_app.engine.erasure.erase_person import erase_person
from memory_app.engine.memory_counts import count_memories
from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.people.settings import change_settings
from memory_app.engine.people.unmerge_people import unmerge_people
from memory_app.engine.transfer.export import export_json_lines
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.engine.write_access import check_all_of, check_settings
from memory_app.jobs import continue_erasure
from memory_app.models import DailyRun, Merge, Person, Scope
from memory_app.models.person_merge import UNDO_PERIOD
from memory_app.models.row_security import allowed_spaces
from memory_app.serializers import OutputModel, Page
from memory_app.serializers.erasure import ErasureOut, erasure_out

router = Router(tags=["people"])

JSON_LINES = "application/x-ndjson"
EXPORT_RESPONSES = {"responses": {200: {"content": {JSON_LINES: {"schema": {"type": "string"}}}}}}
"""The answer is JSON, but a line each, which Ninja does not know."""


@router.get("/people/{text:person}/export", response={200: None}, auth=read_key, openapi_extra=EXPORT_RESPONSES)
def export_person(request: HttpRequest, person: fields.Name) -> StreamingHttpResponse:
    """What is kept of a person, as far as the key reaches: a JSON object a line. To a key with the scope admin all of
    it, also what is sensitive and what was forgotten: `manage.py memory import` reads that back with nothing lost.
    """
    venue_context = resolve_venue(person=person, grant=grant_of(request), create=False)
    named = content_disposition_header(as_attachment=True, filename=f"{person}.jsonl") or "attachment"
    lines = export_json_lines(venue_context, whole=key_of(request).has(Scope.ADMIN))
    return StreamingHttpResponse(lines, content_type=JSON_LINES, headers={"Content-Disposition": named})


class MergeIn(InputModel):
    into: fields.Name


class MergeOut(OutputModel):
    """counts: rows that passed, by kind; of the memories among them, how many were duplicates or were replaced."""

    id: UUID
    person: str
    into: str
    at: datetime
    undo_until: datetime
    undone_at: datetime | None
    counts: dict[str, int]


@router.post("/people/{text:person}/merge/undo", response=MergeOut, auth=write_key)
def undo_merge(request: HttpRequest, person: fields.Name, payload: MergeIn) -> MergeOut:
    """Takes the last merge of the two back: what passed goes back as it was then."""
    grant = grant_of(request)
    of, into = (resolve_venue(person=name, grant=grant, create=False) for name in (person, payload.into))
    merge = unmerge_people(person=of, into=into, author=author_of(request), now=timezone.now())
    return _merge_out(merge, person, payload.into)


@router.post("/people/{text:person}/merge", response=MergeOut, auth=write_key)
def merge_person(request: HttpRequest, person: fields.Name, payload: MergeIn) -> MergeOut:
    """Passes all that is kept of a person to another, who may come into being here. Needs a key that may write for both
    in private: whoever may read and write for both could carry each memory over by hand, and this can be undone."""
    grant = grant_of(request)
    of = resolve_venue(person=person, grant=grant, create=False)
    into = resolve_venue(person=payload.into, grant=grant)
    merge = merge_people(person=of, into=into, author=author_of(request), now=timezone.now())
    return _merge_out(merge, person, payload.into)


def _merge_out(merge: Merge, person: str, into: str) -> MergeOut:
    return MergeOut.of(merge, person=person, into=into, undo_until=merge.at + UNDO_PERIOD)


class PersonOut(OutputModel):
    person: str
    display_name: str
    timezone: str
    language: str
    memory_enabled: bool
    extraction_policy: str
    sensitive_policy: str
    created_at: datetime


class PersonPatch(InputModel):
    display_name: fields.Name | None = None
    timezone: fields.Name | None = None
    language: fields.Word | None = None
    memory_enabled: bool | None = None
    extraction_policy: Literal["ask", "auto", "off"] | None = None
    sensitive_policy: Literal["private", "sealed", "refused"] | None = None

    @property
    def changes(self) -> dict[str, Any]:
        return {name: value for name in self.model_fields_set if (value := getattr(self, name)) is not None}


class MemoryCounts(OutputModel):
    total: int
    by_type: dict[str, int]
    by_tier: dict[str, int]
    superseded: int


class StatsOut(OutputModel):
    person: str
    memories: MemoryCounts
    turns: int
    proposals_pending: int
    embeddings_pending: int
    latest: datetime | None


class DailyRunOut(OutputModel):
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


DailyRunPage = Page[DailyRunOut]


@router.get("/people/{text:person}/runs", response=DailyRunPage, auth=read_key)
def list_daily_runs(request: HttpRequest, person: fields.Name, query: Query[PageQuery]) -> DailyRunPage:
    """The daily batch of a person, the latest day first: what it found, and how it ended."""
    venue_context = _existing_person(request, person)
    with allowed_spaces([venue_context.venue.home]):
        rows = DailyRun.objects.filter(space_id=venue_context.venue.home, person_id=venue_context.person.id)
        found, following = page(rows, Order("created_at"), query.limit, query.cursor)
    return DailyRunPage(items=[_daily_run_out(run) for run in found], next_cursor=following)


@router.get("/people/{text:person}/stats", response=StatsOut, auth=read_key)
def read_stats(request: HttpRequest, person: fields.Name) -> StatsOut:
    counts = count_memories(_existing_person(request, person))
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


@router.get("/people/{text:person}", response=PersonOut, auth=read_key)
def read_person(request: HttpRequest, person: fields.Name) -> PersonOut:
    return _person_out(_existing_person(request, person).person)


@router.patch("/people/{text:person}", response=PersonOut, auth=write_key)
def change_person(request: HttpRequest, person: fields.Name, payload: PersonPatch) -> PersonOut:
    """Settings of a person, who comes into being here if nothing was said of them yet."""
    grant = grant_of(request)
    venue_context = resolve_venue(person=person, grant=grant)
    check_settings(grant, venue_context.person)
    return _person_out(
        change_settings(
            person=venue_context.person, changes=payload.changes, author=author_of(request), now=timezone.now()
        )
    )


@router.delete("/people/{text:person}", response={200: ErasureOut, 202: ErasureOut}, auth=admin_key)
def delete_person(request: HttpRequest, response: HttpResponse, person: fields.Name) -> Status[ErasureOut]:
    """Erases a person: all that was kept, noticed and said of them, everywhere. Answers the receipt.

    Of very much, 202: from now on nobody can speak for them, and a job removes all; `Location` tells how far it is.
    """
    check_all_of(grant_of(request), person)
    author = author_of(request)
    erasure = erase_person(name=person, author=author, now=timezone.now())
    continue_erasure(erasure, author.label)
    response["Location"] = f"/api/v1/admin/erasures/{erasure.id}"
    return Status(200 if erasure.finished_at else 202, erasure_out(erasure))


def _existing_person(request: HttpRequest, person: fields.Name) -> VenueContext:
    """A person who was spoken of before. Raises NotFound."""
    return resolve_venue(person=person, grant=grant_of(request), create=False)


def _person_out(person: Person) -> PersonOut:
    return PersonOut.of(person, person=person.name)


def _daily_run_out(run: DailyRun) -> DailyRunOut:
    return DailyRunOut.of(run, error=run.error or None, at=run.created_at)
