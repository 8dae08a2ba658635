"""The log as its page and its JSON twin show it: what the URL asks for, entries in words, and what to narrow to.

`/logs/`: tier 3, who did what and when, with the trail of one memory or one request. For super users.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard import wording
from dashboard.access import SignedInRequest, require_super_user, with_viewer
from dashboard.filters import MAX_FACET_VALUES, Facet, FacetOption
from dashboard.pagination import pagination_fields
from dashboard.responses import wants_json
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
FACET_COLUMNS = {"what": "name", "decision": "detail__decision", "who": "author", "person": "person_id"}
FACET_LABELS = {"what": "What", "decision": "Decided", "who": "Who", "person": "About"}
MAX_QUERY_LENGTH = 1_000


@dataclass(frozen=True)
class LogParameters:
    """One view of the log. memory, request: the trail of one, for all time."""

    path: str
    query: str = ""
    memory: str = ""
    request: str = ""
    period: str = "week"
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    page: int = 1

    @classmethod
    def extraction_runs(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        period, page = url.get("period", "week"), url.get("page", "1")
        chosen = {
            name: tuple(dict.fromkeys(_clean(value) for value in url.getlist(name) if value)) for name in FACET_COLUMNS
        }
        chosen["person"] = tuple(value for value in chosen["person"] if _parse_uuid(value))
        return cls(
            path=path,
            query=_clean(url.get("q", ""))[:MAX_QUERY_LENGTH].strip(),
            memory=str(_parse_uuid(url.get("memory", "")) or ""),
            request=_clean(url.get("request", ""))[:64],
            period=period if period in PERIODS else "week",
            chosen={name: values for name, values in chosen.items() if values},
            page=min(int(page), 1_000_000) if page.isascii() and page.isdigit() else 1,
        )

    @property
    def is_trail(self) -> bool:
        return bool(self.memory or self.request)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.is_trail)

    def rows(self, now: datetime) -> QuerySet[Operation]:
        """What is looked at, before any facet narrows it."""
        days = PERIODS[self.period][1]
        since = now - timedelta(days=days) if days and not self.is_trail else None
        memory = UUID(self.memory) if self.memory else None
        return search_log(LogFilters(memory=memory, request=self.request, since=since, text=self.query), now)

    def apply(self, rows: QuerySet[Operation], *, except_for: str = "") -> QuerySet[Operation]:
        """Rows that pass every facet but one."""
        for name, values in self.chosen.items():
            if name != except_for:
                rows = rows.filter(**{f"{FACET_COLUMNS[name]}__in": list(values)})
        return rows

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What the address says, but for its page."""
        pairs = [(name, getattr(self, field)) for name, field in _URL_FIELDS if getattr(self, field)]
        pairs += [(name, value) for name, values in self.chosen.items() for value in values]
        return [*pairs, *([("period", self.period)] if self.period != "week" else [])]

    @property
    def url(self) -> str:
        """Of its first page."""
        return f"{self.path}?{urlencode(self.pairs)}" if self.pairs else self.path

    def toggled(self, name: str, value: str) -> "LogParameters":
        values = self.chosen.get(name, ())
        values = tuple(v for v in values if v != value) if value in values else (*values, value)
        chosen = {**self.chosen, name: values}
        return replace(self, chosen={name: values for name, values in chosen.items() if values}, page=1)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What the search form carries along."""
        pairs = [(name, value) for name, values in self.chosen.items() for value in values]
        return [*pairs, *([("period", self.period)] if self.period != "week" else [])]


_URL_FIELDS = (("q", "query"), ("memory", "memory"), ("request", "request"))


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry in words. told: its detail, label by label. run: the address of the reading, or of the run of a job,
    that it is of."""

    row: Operation
    sentence: str
    about: str
    details: Sequence[tuple[str, str]]
    trail: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class LogListing:
    """A page of the log. `number` and `pages` count from 1."""

    entries: list[LogEntry]
    rows: list[Operation]
    names: dict[UUID, str]
    total: int
    number: int
    pages: int
    filters: LogParameters
    facets: list[Facet]
    periods: list[FacetOption]
    newer: str
    older: str


def list_log(path: str, url: QueryDict, now: datetime) -> LogListing:
    """The page of the log that the URL asks for; to be evaluated where all spaces are open."""
    parameters = LogParameters.extraction_runs(path, url)
    rows = parameters.rows(now)
    pages = Paginator(parameters.apply(rows).order_by("-at", "-id"), PAGE_SIZE)
    page = pages.get_page(parameters.page)
    found = list(page.object_list)
    names = person_names({row.person_id for row in found if row.person_id})
    runs = run_urls(found)
    return LogListing(
        entries=[_entry(row, names, parameters, runs) for row in found],
        rows=found,
        names=names,
        filters=parameters,
        **pagination_fields(page, parameters.pairs, path=path),
        facets=[
            facet
            for name in FACET_COLUMNS
            if len((facet := _facet(rows, parameters, name)).options) > 1 or parameters.chosen.get(name)
        ],
        periods=[
            FacetOption(value, label, 0, value == parameters.period, replace(parameters, period=value, page=1).url)
            for value, (label, _) in PERIODS.items()
        ],
    )


def log_entry(row: Operation, names: Mapping[UUID, str], path: str, runs: Mapping[str, str]) -> LogEntry:
    """An entry by itself, outside of any view of the log. path: the address of the log; runs: as `run_addresses`."""
    return _entry(row, names, LogParameters(path), runs)


def run_urls(rows: Sequence[Operation]) -> dict[str, str]:
    """Where to read on of the runs that entries name: of jobs, and of readings of conversations that are still told."""
    rows_with_run = {str(row.detail["run"]): row for row in rows if _parse_uuid(str(row.detail.get("run", "")))}
    extraction_runs = ExtractionRun.objects.filter(id__in=rows_with_run).values_list("id", flat=True)
    jobs = {run: row.detail.get("job", "") for run, row in rows_with_run.items() if row.name == JOB_OPERATION}
    return {
        **{str(run): reverse("run", args=[run]) for run in extraction_runs},
        **{run: f"{reverse('job', args=[job])}#run-{run}" for run, job in jobs.items() if job in JOBS},
    }


def _entry(row: Operation, names: Mapping[UUID, str], parameters: LogParameters, runs: Mapping[str, str]) -> LogEntry:
    detail = dict(row.detail)
    run = runs.get(str(detail.get("run", "")), "")
    if run:
        del detail["run"]
    who = wording.describe_author(row.author)
    if row.name == REQUEST:
        sentence = f"{who}: {detail.pop('method', '')} {detail.pop('path', '')} → {detail.pop('status', '')}"
    else:
        sentence = f"{who} {wording.OPERATION_PHRASES.get(row.name, row.name.replace('_', ' '))}"
    return LogEntry(
        row=row,
        sentence=sentence[0].upper() + sentence[1:],
        about=names.get(row.person_id, "") if row.person_id else "",
        details=[
            (name.replace("_", " "), _detail_text(value))
            for name, value in detail.items()
            if value not in ("", None, [], {})
        ],
        trail=LogParameters(parameters.path, request=row.request_id).url
        if row.request_id and row.request_id != parameters.request
        else "",
        run=run,
    )


def _detail_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_detail_text(item)}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _facet(rows: QuerySet[Operation], parameters: LogParameters, name: str) -> Facet:
    column = FACET_COLUMNS[name]
    counted = parameters.apply(rows, except_for=name).exclude(**{f"{column}__isnull": True}).order_by()
    counts = dict(counted.values_list(column).annotate(count=Count("id")).order_by("-count", column)[:MAX_FACET_VALUES])
    chosen = parameters.chosen.get(name, ())
    values = {str(value): number for value, number in counts.items()} | {
        v: 0 for v in chosen if v not in map(str, counts)
    }
    labels = _labels(name, values)
    options = [
        FacetOption(v, labels.get(v, v), n, v in chosen, parameters.toggled(name, v).url) for v, n in values.items()
    ]
    return Facet(name, FACET_LABELS[name], tuple(options))


def _labels(name: str, values: Mapping[str, int]) -> dict[str, str]:
    if name == "person":
        return {str(identifier): text for identifier, text in person_names({UUID(value) for value in values}).items()}
    if name == "who":
        return {value: wording.describe_author(value) for value in values}
    if name == "decision":
        return {}
    return {value: wording.OPERATION_PHRASES.get(value, value.replace("_", " ")) for value in values}


def person_names(ids: set[UUID]) -> dict[UUID, str]:
    """People as pages name them; who is gone is not among them."""
    return {person.id: str(person) for person in Person.objects.filter(id__in=ids)}


def _parse_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _clean(text: str) -> str:
    return text.replace("\x00", "")


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_log(request.path, request.GET, timezone.now())
    if wants_json(request):
        return JsonResponse(_as_json(listing))
    part = "#results" if request.htmx.target == "results" else ""
    return render(request, f"dashboard/logs.html{part}", {"viewer": viewer, "listing": listing})


def _as_json(listing: LogListing) -> dict[str, object]:
    return {
        "items": [operation_out(row, listing.names).model_dump(mode="json") for row in listing.rows],
        "total": listing.total,
        "page": listing.number,
        "pages": listing.pages,
        "next": listing.older or None,
        "facets": {facet.name: {option.value: option.count for option in facet.options} for facet in listing.facets},
    }
