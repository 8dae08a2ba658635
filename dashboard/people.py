"""The people whose memories are kept: the list, and all that the page of one of them tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, Max, Q, QuerySet

from dashboard.inbox.facets import conversation_name
from dashboard.reach import Reach
from dashboard.talk import TRIGGERS, Run
from dashboard.turning import turning
from memory_app.engine.count import Counts, count
from memory_app.engine.enter import Entered, enter
from memory_app.engine.recalling.about import NOTED, Section, about
from memory_app.engine.settle import SETTINGS
from memory_app.engine.summing.noted import noted
from memory_app.errors import NotFound
from memory_app.language.sensitive import masked
from memory_app.models import Conversation, DailyRun, ExtractionRun, Membership, Note, Person

PAGE = 50
CONVERSATIONS, RUNS, NOTES = 10, 10, 30
"""How many of each the page of a person shows, the latest first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One person of the list, with what is kept of them."""

    person: Person
    kept: int
    waiting: int
    latest: datetime | None


@dataclass(frozen=True, slots=True)
class Listing:
    """`total`: how many there are on all pages, which count from 1."""

    rows: Sequence[Row]
    query: str
    total: int
    number: int
    pages: int
    newer: str
    older: str


@dataclass(frozen=True, slots=True)
class Talked:
    name: str
    conversation: Conversation


@dataclass(frozen=True, slots=True)
class Day:
    date: date
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Profile:
    """What the page of one person tells. `mine`: whether it is the reader's own. `days`: the latest notes, all told.
    `daily`: the latest nights in which their day was gone through."""

    person: Person
    mine: bool
    counts: Counts
    sections: Sequence[Section]
    memberships: Sequence[Membership]
    conversations: Sequence[Talked]
    runs: Sequence[Run]
    days: Sequence[Day]
    daily: Sequence[DailyRun]

    @property
    def kept(self) -> int:
        return sum(self.counts.active.values())

    @property
    def forgotten(self) -> int:
        return sum(self.counts.deleted.values())


def people(reach: Reach, query: str, page: str | None, now: datetime) -> Listing:
    """Everyone for a super user, by name; else oneself."""
    query = query.replace("\x00", "").strip()[:200]
    found = _reached(reach)
    if query:
        found = found.filter(Q(name__icontains=query) | Q(display_name__icontains=query))
    pages = Paginator(found.order_by("name"), PAGE)
    here = pages.get_page(page)
    return Listing(
        rows=_rows(reach, list(here.object_list), now),
        query=query,
        **turning(here, q=query),
    )


def find_person(reach: Reach, person: UUID) -> Person:
    """A person whose page may be read and whose settings changed. Raises NotFound."""
    found = _reached(reach).filter(id=person).first()
    if found is None:
        raise NotFound
    return found


def profile(reach: Reach, person: Person, now: datetime) -> Profile:
    entered = enter(person=person.name, create=False)
    talked = reach.conversations().filter(person_id=person.id).order_by("-last_turn_at", "-id")
    memberships = Membership.objects.filter(person=person).select_related("space")
    return Profile(
        person=person,
        mine=reach.person is not None and reach.person.id == person.id,
        counts=count(entered),
        sections=[section for section in about(entered, now) if section.heading != NOTED],
        memberships=list(memberships.order_by("space__name")),
        conversations=[Talked(conversation_name(row), row) for row in talked[:CONVERSATIONS]],
        runs=_runs(entered),
        days=_days(entered),
        daily=list(DailyRun.objects.filter(space_id=entered.venue.home, person_id=person.id).order_by("-date")[:RUNS]),
    )


def person_json(person: Person) -> dict[str, Any]:
    """A person's settings, in the words of the API."""
    names = ("id", *SETTINGS, "created_at")
    return {"person": person.name, **{name: getattr(person, name) for name in names}}


def _reached(reach: Reach) -> QuerySet[Person]:
    if reach.everyone:
        return Person.objects.all()
    return Person.objects.filter(id=reach.person.id) if reach.person else Person.objects.none()


def _rows(reach: Reach, found: Sequence[Person], now: datetime) -> list[Row]:
    """The numbers of a page in two statements, however many people it has."""
    ids = [person.id for person in found]
    own = reach.own().kept().filter(person_id__in=ids).order_by().values_list("person_id")
    kept = {person: (number, latest) for person, number, latest in own.annotate(n=Count("id"), at=Max("created_at"))}
    noticed = reach.proposals().waiting(now).filter(person_id__in=ids).order_by()
    waiting = dict(noticed.values_list("person_id").annotate(n=Count("id")))
    return [
        Row(person, kept.get(person.id, (0, None))[0], waiting.get(person.id, 0), kept.get(person.id, (0, None))[1])
        for person in found
    ]


def _runs(entered: Entered) -> list[Run]:
    rows = ExtractionRun.objects.filter(space_id__in=entered.venue.spaces, person_id=entered.person.id)
    return [Run(run, TRIGGERS.get(run.trigger, run.trigger)) for run in rows.order_by("-started_at", "-id")[:RUNS]]


def _days(entered: Entered) -> list[Day]:
    """The latest notes, by day, without what was forgotten since; what is sensitive in them is masked."""
    rows = Note.objects.visible_from(entered.venue).kept().defer("embedding", "tsv")
    latest = rows.order_by("-date", "-created_at", "-id")[:NOTES]
    return [
        Day(day, [masked(one.text) for one in reversed(list(told))])
        for day, told in groupby(noted(list(latest)), key=lambda one: one.note.date)
    ]
