"""`/people/{id}/`: one person at a glance, with settings and spaces, and `export/`: all of it as a file."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.http import FileResponse, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header

from dashboard.access import SignedInRequest, form_view, get_view, post_view, require_super_user
from dashboard.dialogue import conversation_name
from dashboard.people import find_person, person_json
from dashboard.responses import clean_text, show_message, wants_json
from dashboard.runs import RunRow
from dashboard.viewer import Viewer
from memory_app.engine.memory_counts import MemoryCounts, count_memories
from memory_app.engine.people.members import admit_member, remove_member
from memory_app.engine.people.settings import change_settings
from memory_app.engine.retrieval.brief_sections import NOTES_HEADING, Section, profile_sections
from memory_app.engine.summaries.daily_note import current_notes
from memory_app.engine.transfer.export import export_json_lines
from memory_app.engine.transfer.export_markdown import write_markdown_folder
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.models import Conversation, DailyRun, ExtractionRun, Membership, Note, Person
from memory_app.nlp.privacy.sensitive import mask_sensitive

MAX_CONVERSATIONS, MAX_RUNS, MAX_NOTES = 10, 10, 30
"""How many of each the page of a person shows, the latest first."""

SPOOLED_BYTES = 8 * 1024 * 1024
"""Bytes of an export that are kept in memory; a larger one is written to disk."""


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
    """mine: whether it is the viewer's own. days: the latest notes, by day. daily: the latest daily runs."""

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


def _runs(venue_context: VenueContext) -> list[RunRow]:
    rows = ExtractionRun.objects.filter(space_id__in=venue_context.venue.spaces, person_id=venue_context.person.id)
    return [RunRow(run) for run in rows.order_by("-started_at", "-id")[:MAX_RUNS]]


def _days(venue_context: VenueContext) -> list[DayNotes]:
    """The latest notes, by day, without what was forgotten since, and with what is sensitive masked."""
    rows = Note.objects.visible_from(venue_context.venue).undeleted().defer("embedding", "tsv")
    latest = rows.order_by("-date", "-created_at", "-id")[:MAX_NOTES]
    return [
        DayNotes(day, [mask_sensitive(one.text) for one in reversed(list(page))])
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
"""Languages whose words PostgreSQL stems, from version 15 on."""


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


@form_view
def show(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
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
    context = {"viewer": viewer, "page": page, "form": form}
    return render(request, "dashboard/person.html", context, status=422 if form.is_bound else 200)


@post_view
def set_membership(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    """Removes a person from a shared space, or lets them back in."""
    require_super_user(viewer)
    person, space = find_person(viewer, person_id), clean_text(request.POST.get("space", ""))
    if "back" in request.POST:
        message = f"{person} belongs to {space} again."
    else:
        message = f"{person} is out of {space}: what is theirs there stays theirs, and they see no more of it."
    change = admit_member if "back" in request.POST else remove_member
    change(space=space, person=person.name, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    show_message(request, message)
    return redirect("person", person.id)


@get_view
def export_markdown(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> FileResponse:
    """What memory holds now as a folder of Markdown, in a zip."""
    person = find_person(viewer, person_id)
    file = tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES)  # noqa: SIM115 - the response closes it
    write_markdown_folder(resolve_venue(person=person.name, create=False), file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{person.name}.zip", content_type="application/zip")


@get_view
def export_person(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> StreamingHttpResponse:
    """The same file as the API gives, with sensitive memories: they are the person's own."""
    person = find_person(viewer, person_id)
    disposition = content_disposition_header(as_attachment=True, filename=f"{person.name}.jsonl") or "attachment"
    lines = export_json_lines(resolve_venue(person=person.name, create=False))
    return StreamingHttpResponse(
        lines, content_type="application/x-ndjson", headers={"Content-Disposition": disposition}
    )
