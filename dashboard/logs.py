"""`/logs/`: tier 3, who did what and when, with the trail of one memory or one request. For super users."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone

from dashboard import wording
from dashboard.access import SignedInRequest, get_view, requested_part, require_super_user
from dashboard.lists import Facet, FilterOption, ListFilters, Pagination, Pairs, facets_json, pagination_fields
from dashboard.responses import clean_text, page_or_json, parse_uuid
from dashboard.viewer import Viewer
from memory_app.engine.audit.log import LogFilters, search_log
from memory_app.engine.audit.request_log import REQUEST
from memory_app.jobs import JOBS
from memory_app.models import ExtractionRun, Operation, Person
from memory_app.serializers.operation import operation_out

PAGE_SIZE = 50
JOB_OPERATION = "job"
"""What the log calls a run of a job."""

PERIODS = {"day": ("Today", 1), "week": ("7 days", 7), "month": ("30 days", 30), "all": ("All", 0)}


@dataclass(frozen=True)
class LogPageFilters(ListFilters):
    """memory, request: show the trail of one, for all time."""

    memory: str = ""
    request: str = ""
    period: str = "week"

    columns: ClassVar[Mapping[str, str]] = {
        "what": "name",
        "decision": "detail__decision",
        "who": "author",
        "person": "person_id",
    }
    facet_labels: ClassVar[Mapping[str, str]] = {
        "what": "What",
        "decision": "Decided",
        "who": "Who",
        "person": "About",
    }

    @classmethod
    def read_settings(cls, url: QueryDict, query: str) -> dict[str, Any]:
        period = url.get("period", "week")
        return {
            "memory": str(parse_uuid(url.get("memory", "")) or ""),
            "request": clean_text(url.get("request", ""), 64),
            "period": period if period in PERIODS else "week",
        }

    @classmethod
    def known_values(cls, name: str, values: Sequence[str]) -> tuple[str, ...]:
        known = super().known_values(name, values)
        return tuple(value for value in known if parse_uuid(value)) if name == "person" else known

    @property
    def is_trail(self) -> bool:
        return bool(self.memory or self.request)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.is_trail)

    @property
    def setting_pairs(self) -> Pairs:
        return [("period", self.period)] if self.period != "week" else []

    @property
    def pairs(self) -> Pairs:
        trail = [(name, value) for name, value in (("memory", self.memory), ("request", self.request)) if value]
        return [*super().pairs, *trail]

    def rows(self, now: datetime) -> QuerySet[Operation]:
        """What is looked at, before any facet narrows it."""
        days = PERIODS[self.period][1]
        since = now - timedelta(days=days) if days and not self.is_trail else None
        memory = UUID(self.memory) if self.memory else None
        return search_log(LogFilters(memory=memory, request=self.request, since=since, text=self.query), now)

    def labels_of(self, name: str, values: Sequence[str]) -> Mapping[str, str]:
        if name == "person":
            return {str(identifier): text for identifier, text in person_names(set(map(UUID, values))).items()}
        if name == "who":
            return {value: wording.describe_author(value) for value in values}
        return {value: describe_log_operation(value) for value in values} if name == "what" else {}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry in words. details: labels and values. run: the address of the run, of an extraction or a job, that it
    belongs to."""

    row: Operation
    sentence: str
    about: str
    details: Sequence[tuple[str, str]]
    trail: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class LogListing(Pagination):
    entries: list[LogEntry]
    rows: list[Operation]
    names: dict[UUID, str]
    filters: LogPageFilters
    facets: list[Facet]
    periods: list[FilterOption]


def list_log(path: str, url: QueryDict, now: datetime) -> LogListing:
    """The page of the log that the URL asks for; to be evaluated where all spaces are open."""
    filters = LogPageFilters.read(path, url)
    rows = filters.rows(now)
    page = Paginator(filters.apply(rows).order_by("-at", "-id"), PAGE_SIZE).get_page(filters.page)
    found = list(page.object_list)
    names = person_names({row.person_id for row in found if row.person_id})
    runs = run_urls(found)
    return LogListing(
        entries=[_entry(row, names, filters, runs) for row in found],
        rows=found,
        names=names,
        filters=filters,
        facets=filters.facets(rows),
        periods=filters.options("period", {value: label for value, (label, _) in PERIODS.items()}),
        **pagination_fields(page, filters.pairs, path=path),
    )


def log_entry(row: Operation, names: Mapping[UUID, str], path: str, runs: Mapping[str, str]) -> LogEntry:
    """An entry outside of any view of the log. path: the address of the log; runs: as `run_urls`."""
    return _entry(row, names, LogPageFilters(path), runs)


def run_urls(rows: Sequence[Operation]) -> dict[str, str]:
    """The pages of the runs that entries name: of jobs, and of extractions that still exist."""
    rows_with_run = {str(row.detail["run"]): row for row in rows if parse_uuid(str(row.detail.get("run", "")))}
    extraction_runs = ExtractionRun.objects.filter(id__in=rows_with_run).values_list("id", flat=True)
    jobs = {run: row.detail.get("job", "") for run, row in rows_with_run.items() if row.name == JOB_OPERATION}
    return {
        **{str(run): reverse("run", args=[run]) for run in extraction_runs},
        **{run: f"{reverse('job', args=[job])}#run-{run}" for run, job in jobs.items() if job in JOBS},
    }


def _entry(row: Operation, names: Mapping[UUID, str], filters: LogPageFilters, runs: Mapping[str, str]) -> LogEntry:
    detail = dict(row.detail)
    run = runs.get(str(detail.get("run", "")), "")
    if run:
        del detail["run"]
    who = wording.describe_author(row.author)
    if row.name == REQUEST:
        sentence = f"{who}: {detail.pop('method', '')} {detail.pop('path', '')} → {detail.pop('status', '')}"
    else:
        sentence = f"{who} {describe_log_operation(row.name)}"
    return LogEntry(
        row=row,
        sentence=sentence[0].upper() + sentence[1:],
        about=names.get(row.person_id, "") if row.person_id else "",
        details=[
            (name.replace("_", " "), _detail_text(value))
            for name, value in detail.items()
            if value not in ("", None, [], {})
        ],
        trail=LogPageFilters(filters.path, request=row.request_id).url
        if row.request_id and row.request_id != filters.request
        else "",
        run=run,
    )


def _detail_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_detail_text(item)}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def describe_log_operation(name: str) -> str:
    return wording.OPERATION_PHRASES.get(name, name.replace("_", " "))


def person_names(ids: set[UUID]) -> dict[UUID, str]:
    """What pages call people; erased ones are missing."""
    return {person.id: str(person) for person in Person.objects.filter(id__in=ids)}


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_log(request.path, request.GET, timezone.now())
    part = requested_part(request, "results")
    return page_or_json(request, f"logs.html{part}", {"viewer": viewer, "listing": listing}, lambda: _as_json(listing))


def _as_json(listing: LogListing) -> dict[str, object]:
    return {
        "items": [operation_out(row, listing.names).model_dump(mode="json") for row in listing.rows],
        **listing.pagination_json(),
        "facets": facets_json(listing.facets),
    }
