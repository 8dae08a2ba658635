"""The log as its page and its JSON twin show it: what the URL asks for, entries in words, and what to narrow to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import QueryDict
from django.urls import reverse

from dashboard import words
from dashboard.facets import MOST_VALUES, Facet, Option
from dashboard.turning import turning
from memory_app.engine.logbook.log import Sought, log
from memory_app.engine.logbook.log_requests import REQUEST
from memory_app.jobs import JOBS
from memory_app.models import ExtractionRun, Operation, Person

PAGE = 50
JOB = "job"
"""What the log calls a run of a job."""

PERIODS = {"day": ("Today", 1), "week": ("7 days", 7), "month": ("30 days", 30), "all": ("All", 0)}
COLUMNS = {"what": "name", "decision": "detail__decision", "who": "author", "person": "person_id"}
LABELS = {"what": "What", "decision": "Decided", "who": "Who", "person": "About"}
LONGEST = 1_000


@dataclass(frozen=True)
class Asked:
    """One view of the log. memory, request: the trail of one, for all time."""

    path: str
    query: str = ""
    memory: str = ""
    request: str = ""
    period: str = "week"
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    page: int = 1

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        period, page = url.get("period", "week"), url.get("page", "1")
        chosen = {name: tuple(dict.fromkeys(_clean(value) for value in url.getlist(name) if value)) for name in COLUMNS}
        chosen["person"] = tuple(value for value in chosen["person"] if _uuid(value))
        return cls(
            path=path,
            query=_clean(url.get("q", ""))[:LONGEST].strip(),
            memory=str(_uuid(url.get("memory", "")) or ""),
            request=_clean(url.get("request", ""))[:64],
            period=period if period in PERIODS else "week",
            chosen={name: values for name, values in chosen.items() if values},
            page=min(int(page), 1_000_000) if page.isascii() and page.isdigit() else 1,
        )

    @property
    def is_trail(self) -> bool:
        return bool(self.memory or self.request)

    @property
    def narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.is_trail)

    def rows(self, now: datetime) -> QuerySet[Operation]:
        """What is looked at, before any facet narrows it."""
        days = PERIODS[self.period][1]
        since = now - timedelta(days=days) if days and not self.is_trail else None
        memory = UUID(self.memory) if self.memory else None
        return log(Sought(memory=memory, request=self.request, since=since, text=self.query), now)

    def apply(self, rows: QuerySet[Operation], *, but: str = "") -> QuerySet[Operation]:
        """Rows that pass every facet but one."""
        for name, values in self.chosen.items():
            if name != but:
                rows = rows.filter(**{f"{COLUMNS[name]}__in": list(values)})
        return rows

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What the address says, but for its page."""
        pairs = [(name, getattr(self, field)) for name, field in _WRITTEN if getattr(self, field)]
        pairs += [(name, value) for name, values in self.chosen.items() for value in values]
        return [*pairs, *([("period", self.period)] if self.period != "week" else [])]

    @property
    def url(self) -> str:
        """Of its first page."""
        return f"{self.path}?{urlencode(self.pairs)}" if self.pairs else self.path

    def toggled(self, name: str, value: str) -> "Asked":
        values = self.chosen.get(name, ())
        values = tuple(v for v in values if v != value) if value in values else (*values, value)
        chosen = {**self.chosen, name: values}
        return replace(self, chosen={name: values for name, values in chosen.items() if values}, page=1)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What the search form carries along."""
        pairs = [(name, value) for name, values in self.chosen.items() for value in values]
        return [*pairs, *([("period", self.period)] if self.period != "week" else [])]


_WRITTEN = (("q", "query"), ("memory", "memory"), ("request", "request"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry in words. told: its detail, label by label. run: the address of the reading, or of the run of a job,
    that it is of."""

    row: Operation
    what: str
    about: str
    told: Sequence[tuple[str, str]]
    trail: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A page of the log. `number` and `pages` count from 1."""

    entries: list[Entry]
    rows: list[Operation]
    names: dict[UUID, str]
    total: int
    number: int
    pages: int
    filters: Asked
    facets: list[Facet]
    periods: list[Option]
    newer: str
    older: str


def logged(path: str, url: QueryDict, now: datetime) -> Logged:
    """The page of the log that the URL asks for; to be evaluated where all spaces are open."""
    asked = Asked.read(path, url)
    rows = asked.rows(now)
    pages = Paginator(asked.apply(rows).order_by("-at", "-id"), PAGE)
    page = pages.get_page(asked.page)
    found = list(page.object_list)
    names = people_named({row.person_id for row in found if row.person_id})
    runs = run_addresses(found)
    return Logged(
        entries=[_entry(row, names, asked, runs) for row in found],
        rows=found,
        names=names,
        filters=asked,
        **turning(page, asked.pairs, path=path),
        facets=[
            facet for name in COLUMNS if len((facet := _facet(rows, asked, name)).options) > 1 or asked.chosen.get(name)
        ],
        periods=[
            Option(value, label, 0, value == asked.period, replace(asked, period=value, page=1).url)
            for value, (label, _) in PERIODS.items()
        ],
    )


def told_entry(row: Operation, names: Mapping[UUID, str], path: str, runs: Mapping[str, str]) -> Entry:
    """An entry by itself, outside of any view of the log. path: the address of the log; runs: as `run_addresses`."""
    return _entry(row, names, Asked(path), runs)


def run_addresses(rows: Sequence[Operation]) -> dict[str, str]:
    """Where to read on of the runs that entries name: of jobs, and of readings of conversations that are still told."""
    named = {str(row.detail["run"]): row for row in rows if _uuid(str(row.detail.get("run", "")))}
    read = ExtractionRun.objects.filter(id__in=named).values_list("id", flat=True)
    jobs = {run: row.detail.get("job", "") for run, row in named.items() if row.name == JOB}
    return {
        **{str(run): reverse("run", args=[run]) for run in read},
        **{run: f"{reverse('job', args=[job])}#run-{run}" for run, job in jobs.items() if job in JOBS},
    }


def _entry(row: Operation, names: Mapping[UUID, str], asked: Asked, runs: Mapping[str, str]) -> Entry:
    detail = dict(row.detail)
    run = runs.get(str(detail.get("run", "")), "")
    if run:
        del detail["run"]
    who = words.author(row.author)
    if row.name == REQUEST:
        what = f"{who}: {detail.pop('method', '')} {detail.pop('path', '')} → {detail.pop('status', '')}"
    else:
        what = f"{who} {words.DONE.get(row.name, row.name.replace('_', ' '))}"
    return Entry(
        row=row,
        what=what[0].upper() + what[1:],
        about=names.get(row.person_id, "") if row.person_id else "",
        told=[
            (name.replace("_", " "), _told(value)) for name, value in detail.items() if value not in ("", None, [], {})
        ],
        trail=Asked(asked.path, request=row.request_id).url
        if row.request_id and row.request_id != asked.request
        else "",
        run=run,
    )


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_told(item)}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _facet(rows: QuerySet[Operation], asked: Asked, name: str) -> Facet:
    column = COLUMNS[name]
    counted = asked.apply(rows, but=name).exclude(**{f"{column}__isnull": True}).order_by()
    counts = dict(counted.values_list(column).annotate(count=Count("id")).order_by("-count", column)[:MOST_VALUES])
    chosen = asked.chosen.get(name, ())
    values = {str(value): number for value, number in counts.items()} | {
        v: 0 for v in chosen if v not in map(str, counts)
    }
    labels = _labels(name, values)
    options = [Option(v, labels.get(v, v), n, v in chosen, asked.toggled(name, v).url) for v, n in values.items()]
    return Facet(name, LABELS[name], tuple(options))


def _labels(name: str, values: Mapping[str, int]) -> dict[str, str]:
    if name == "person":
        return {str(identifier): text for identifier, text in people_named({UUID(value) for value in values}).items()}
    if name == "who":
        return {value: words.author(value) for value in values}
    if name == "decision":
        return {}
    return {value: words.DONE.get(value, value.replace("_", " ")) for value in values}


def people_named(ids: set[UUID]) -> dict[UUID, str]:
    """People as pages name them; who is gone is not among them."""
    return {person.id: str(person) for person in Person.objects.filter(id__in=ids)}


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _clean(text: str) -> str:
    return text.replace("\x00", "")
