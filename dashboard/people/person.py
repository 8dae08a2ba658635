"""The people whose memories are kept: the list, and all that the page of one of them tells.

`/people/`: who is remembered, and for each what is known at a glance and how their memory is kept.

`/people/{id}/export/`: everything of a person as a file, to take elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.core.paginator import Paginator
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.access import SignedInRequest, require_super_user, with_viewer
from dashboard.conversation import TRIGGER_LABELS, RunRow
from dashboard.inbox.filters import conversation_name
from dashboard.pagination import pagination_fields
from dashboard.responses import show_message, wants_json
from dashboard.viewer import Viewer
from memory_app.engine.memory_counts import MemoryCounts, count_memories
from memory_app.engine.people.members import admit_member, remove_member
from memory_app.engine.people.settings import SETTINGS, change_settings
from memory_app.engine.retrieval.brief_sections import NOTES_HEADING, Section, profile_sections
from memory_app.engine.summaries.daily_note import current_notes
from memory_app.engine.transfer.export import export_json_lines
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import NotFound
from memory_app.models import Conversation, DailyRun, ExtractionRun, Membership, Note, Person
from memory_app.nlp.privacy.sensitive import masked

PAGE_SIZE = 50
MAX_CONVERSATIONS, MAX_RUNS, MAX_NOTES = 10, 10, 30
"""How many of each the page of a person shows, the latest first."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One person of the list, with what is kept of them."""

    person: Person
    kept: int
    waiting: int
    latest: datetime | None


@dataclass(frozen=True, slots=True)
class PersonListing:
    """`total`: how many there are on all pages, which count from 1."""

    rows: Sequence[PersonRow]
    query: str
    total: int
    number: int
    pages: int
    newer: str
    older: str


@dataclass(frozen=True, slots=True)
class ConversationRow:
    name: str
    conversation: Conversation


@dataclass(frozen=True, slots=True)
class DayNotes:
    date: date
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class PersonPage:
    """What the page of one person tells. `mine`: whether it is the reader's own. `days`: the latest notes, all told.
    `daily`: the latest nights in which their day was gone through."""

    person: Person
    mine: bool
    counts: MemoryCounts
    sections: Sequence[Section]
    memberships: Sequence[Membership]
    conversations: Sequence[ConversationRow]
    runs: Sequence[RunRow]
    days: Sequence[DayNotes]
    daily: Sequence[DailyRun]

    @property
    def kept(self) -> int:
        return sum(self.counts.active.values())

    @property
    def forgotten(self) -> int:
        return sum(self.counts.deleted.values())


def list_people(viewer: Viewer, query: str, page: str | None, now: datetime) -> PersonListing:
    """Everyone for a super user, by name; else oneself."""
    query = query.replace("\x00", "").strip()[:200]
    found = _visible_people(viewer)
    if query:
        found = found.filter(Q(name__icontains=query) | Q(display_name__icontains=query))
    pages = Paginator(found.order_by("name"), PAGE_SIZE)
    page_found = pages.get_page(page)
    return PersonListing(
        rows=_rows(viewer, list(page_found.object_list), now),
        query=query,
        **pagination_fields(page_found, q=query),
    )


def find_person(viewer: Viewer, person: UUID) -> Person:
    """A person whose page may be read and whose settings changed. Raises NotFound."""
    found = _visible_people(viewer).filter(id=person).first()
    if found is None:
        raise NotFound
    return found


def person_page(viewer: Viewer, person: Person, now: datetime) -> PersonPage:
    venue_context = resolve_venue(person=person.name, create=False)
    conversations = viewer.conversations().filter(person_id=person.id).order_by("-last_turn_at", "-id")
    memberships = Membership.objects.filter(person=person).select_related("space")
    return PersonPage(
        person=person,
        mine=viewer.person is not None and viewer.person.id == person.id,
        counts=count_memories(venue_context),
        sections=[section for section in profile_sections(venue_context, now) if section.heading != NOTES_HEADING],
        memberships=list(memberships.order_by("space__name")),
        conversations=[ConversationRow(conversation_name(row), row) for row in conversations[:MAX_CONVERSATIONS]],
        runs=_runs(venue_context),
        days=_days(venue_context),
        daily=list(
            DailyRun.objects.filter(space_id=venue_context.venue.home, person_id=person.id).order_by("-date")[:MAX_RUNS]
        ),
    )


def person_json(person: Person) -> dict[str, Any]:
    """A person's settings, in the words of the API."""
    names = ("id", *SETTINGS, "created_at")
    return {"person": person.name, **{name: getattr(person, name) for name in names}}


def _visible_people(viewer: Viewer) -> QuerySet[Person]:
    if viewer.is_super_user:
        return Person.objects.all()
    return Person.objects.filter(id=viewer.person.id) if viewer.person else Person.objects.none()


def _rows(viewer: Viewer, found: Sequence[Person], now: datetime) -> list[PersonRow]:
    """The numbers of a page in two statements, however many people it has."""
    ids = [person.id for person in found]
    own = viewer.own().undeleted().filter(person_id__in=ids).order_by().values_list("person_id")
    kept = {person: (number, latest) for person, number, latest in own.annotate(n=Count("id"), at=Max("created_at"))}
    proposals = viewer.proposals().waiting(now).filter(person_id__in=ids).order_by()
    waiting = dict(proposals.values_list("person_id").annotate(n=Count("id")))
    return [
        PersonRow(
            person, kept.get(person.id, (0, None))[0], waiting.get(person.id, 0), kept.get(person.id, (0, None))[1]
        )
        for person in found
    ]


def _runs(venue_context: VenueContext) -> list[RunRow]:
    rows = ExtractionRun.objects.filter(space_id__in=venue_context.venue.spaces, person_id=venue_context.person.id)
    return [
        RunRow(run, TRIGGER_LABELS.get(run.trigger, run.trigger))
        for run in rows.order_by("-started_at", "-id")[:MAX_RUNS]
    ]


def _days(venue_context: VenueContext) -> list[DayNotes]:
    """The latest notes, by day, without what was forgotten since; what is sensitive in them is masked."""
    rows = Note.objects.visible_from(venue_context.venue).undeleted().defer("embedding", "tsv")
    latest = rows.order_by("-date", "-created_at", "-id")[:MAX_NOTES]
    return [
        DayNotes(day, [masked(one.text) for one in reversed(list(page))])
        for day, page in groupby(current_notes(list(latest)), key=lambda one: one.note.date)
    ]


POLICY_LABELS = {
    "ask": "Ask first: it waits in the inbox",
    "auto": "Keep what is sure, note the rest",
    "off": "Notice nothing",
}

SENSITIVE_LABELS = {
    "private": "Keep it when I ask, and tell it in private talks",
    "sealed": "Keep it when I ask, and never tell it to an assistant unless it searches",
    "refused": "Do not keep it",
}
LANGUAGES = [
    "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "estonian", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
]  # fmt: skip
"""Languages whose words PostgreSQL 15 and newer know."""


class SettingsForm(forms.Form):
    """How a person's memory is kept."""

    display_name = forms.CharField(label="Name to show", max_length=200, required=False)
    timezone = forms.ChoiceField(label="Time zone", choices=[(zone, zone) for zone in sorted(available_timezones())])
    language = forms.ChoiceField(
        label="Language", choices=[*((name, name.capitalize()) for name in LANGUAGES), ("simple", "Another one")]
    )
    extraction_policy = forms.ChoiceField(label="What is noticed in conversations", choices=list(POLICY_LABELS.items()))
    sensitive_policy = forms.ChoiceField(label="What is sensitive", choices=list(SENSITIVE_LABELS.items()))
    memory_enabled = forms.BooleanField(label="Remember: switched off, memory is paused", required=False)

    @classmethod
    def of(cls, person: Person, data: Any = None) -> "SettingsForm":
        return cls(data, initial={name: getattr(person, name) for name in cls.base_fields})


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_people(viewer, request.GET.get("q", ""), request.GET.get("page"), timezone.now())
    if wants_json(request):
        items = [
            {**person_json(row.person), "memories": row.kept, "proposals_pending": row.waiting, "latest": row.latest}
            for row in listing.rows
        ]
        return JsonResponse(
            {"items": items, "total": listing.total, "page": listing.number, "pages": listing.pages,
             "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/people.html", {"viewer": viewer, "listing": listing})


@require_http_methods(["GET", "HEAD", "POST"])
@with_viewer
def show_one(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    person = find_person(viewer, person_id)
    form = SettingsForm.of(person, request.POST if request.method == "POST" else None)
    if form.is_valid():
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        change_settings(person=person, changes=changes, author=viewer.author(), now=timezone.now())
        show_message(request, "Saved." if form.changed_data else "Nothing was different, so nothing was saved.")
        return redirect("person", person.id)
    page = person_page(viewer, find_person(viewer, person_id), timezone.now())
    if wants_json(request) and not form.is_bound:
        counts = {"active": page.counts.active, "deleted": page.counts.deleted, "turns": page.counts.turns}
        spaces = [row.space.name for row in page.memberships if row.left_at is None]
        return JsonResponse({**person_json(person), "memories": counts, "spaces": spaces})
    context = {"viewer": viewer, "profile": page, "form": form}
    return render(request, "dashboard/person.html", context, status=422 if form.is_bound else 200)


@require_POST
@with_viewer
def set_membership(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    """Takes a person out of a shared space, or lets them back in: a super user's to do."""
    require_super_user(viewer)
    person, space = find_person(viewer, person_id), request.POST.get("space", "").replace("\x00", "")
    change = admit_member if "back" in request.POST else remove_member
    change(space=space, person=person.name, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    if "back" in request.POST:
        show_message(request, f"{person} belongs to {space} again.")
    else:
        show_message(
            request, f"{person} is out of {space}: what is theirs there stays theirs, and they see no more of it."
        )
    return redirect("person", person.id)


@require_safe
@with_viewer
def export_person(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> StreamingHttpResponse:
    """As the API answers it, sensitive memories included: they are the person's own."""
    person = find_person(viewer, person_id)
    disposition = content_disposition_header(as_attachment=True, filename=f"{person.name}.jsonl") or "attachment"
    lines = export_json_lines(resolve_venue(person=person.name, create=False))
    return StreamingHttpResponse(
        lines, content_type="application/x-ndjson", headers={"Content-Disposition": disposition}
    )
