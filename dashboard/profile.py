"""`/people/{id}/profile/`: the profile document, as it is and was, downloaded and edited."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from dashboard.access import SignedInRequest, form_view, get_view
from dashboard.diff import DiffPiece, diff_words
from dashboard.forms import NormalizedTextField
from dashboard.people import find_person
from dashboard.responses import clean_text, page_or_json, show_message, show_warning
from dashboard.viewer import Viewer
from dashboard.wording import CATEGORY_LABELS
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.summaries.profile import (
    ProfileChange,
    profile_at,
    profile_changes,
    profile_fingerprint,
    profile_text,
)
from memory_app.engine.summaries.update_profile import ProfileDifference, compare_profile, update_profile
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import ChangedMeanwhile, Invalid
from memory_app.models import Person
from memory_app.nlp.documents import profile_document
from memory_app.nlp.documents.profile_document import SECTIONS, Line

MAX_DAYS, MAX_CHANGES_A_DAY = 30, 20
"""Days of the past that are listed, and changes of each that are shown in full."""


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line that was added, removed or changed. moved_to: its new section, if that changed."""

    kind: str
    pieces: Sequence[DiffPiece]
    moved_to: str = ""
    shift: ProfileChange | None = None


@dataclass(frozen=True, slots=True)
class ProfileDay:
    """What changed on a day of the reader's time zone. more: how many changes are not shown."""

    date: date
    changes: Sequence[LineChange]
    summary: str
    more: int


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """A profile. on: the day at whose end it was like this; None for now."""

    text: str
    sections: Sequence[Section]
    words: int
    most: int
    mark: str
    on: date | None
    days: Sequence[ProfileDay]


def profile_page(venue_context: VenueContext, now: datetime, on: date | None) -> ProfilePage:
    """As it is, or was at the end of a day in the reader's time zone."""
    text = profile_at(venue_context, _end_of(on)) if on else profile_text(venue_context, now)
    lines = profile_document.read_profile(text).lines
    return ProfilePage(
        text=text,
        sections=[
            Section(heading, [line for line in lines if line.category == category])
            for category, heading in SECTIONS.items()
        ],
        words=profile_document.count_words(text),
        most=settings.KEEPSAKE_PROFILE_WORDS,
        mark=profile_fingerprint(text),
        on=on,
        days=_days(profile_changes(venue_context)),
    )


def difference_changes(difference: ProfileDifference) -> list[LineChange]:
    """What an edit adds, changes and removes, in that order."""
    added = [LineChange("added", [DiffPiece("added", line.text)]) for line in difference.adds]
    updated = [
        LineChange(
            "changed",
            diff_words(update.before, update.text),
            CATEGORY_LABELS[update.category] if update.memory.category != update.category else "",
        )
        for update in difference.updates
    ]
    removed = [LineChange("removed", [DiffPiece("removed", text)]) for text in difference.removed_texts]
    return [*added, *updated, *removed]


def profile_json(page: ProfilePage) -> dict[str, Any]:
    days = [
        {
            "date": day.date,
            "changes": [
                {"kind": change.kind, "memory": change.shift.memory, "at": change.shift.at, "by": change.shift.by}
                for change in day.changes
                if change.shift
            ],
        }
        for day in page.days
    ]
    return {"text": page.text, "words": page.words, "most_words": page.most, "on": page.on, "days": days}


def _end_of(day: date) -> datetime:
    """In the reader's time zone, which `with_viewer` has set."""
    midnight = datetime.combine(day + timedelta(days=1), time(), timezone.get_current_timezone())
    return midnight - timedelta(microseconds=1)


def _days(shifts: Sequence[ProfileChange]) -> list[ProfileDay]:
    by_day = groupby(shifts, key=lambda shift: timezone.localtime(shift.at).date())
    return [_day(day, list(of_day)) for day, of_day in by_day][:MAX_DAYS]


def _day(day: date, shifts: Sequence[ProfileChange]) -> ProfileDay:
    changes = [_line_change(shift) for shift in shifts]
    numbers = {kind: sum(change.kind == kind for change in changes) for kind in ("added", "changed", "removed")}
    summary = ", ".join(f"{number} {kind}" for kind, number in numbers.items() if number)
    return ProfileDay(day, changes[:MAX_CHANGES_A_DAY], summary, max(0, len(changes) - MAX_CHANGES_A_DAY))


def _line_change(shift: ProfileChange) -> LineChange:
    before, after = shift.before, shift.after
    if before is None:
        return LineChange("added", [DiffPiece("added", after.text)] if after else [], shift=shift)
    if after is None:
        return LineChange("removed", [DiffPiece("removed", before.text)], shift=shift)
    moved_to = CATEGORY_LABELS[after.category] if after.category != before.category else ""
    return LineChange("changed", diff_words(before.text, after.text), moved_to, shift)


MAX_FILE_BYTES = 1_000_000
"""A hundred times the size of a full profile."""


class ProfileForm(forms.Form):
    """The edited document, as text or as a file. mark: the fingerprint of the one that was edited."""

    text = NormalizedTextField(
        label="Profile", required=False, strip=False, max_length=MAX_FILE_BYTES, widget=forms.Textarea()
    )
    file = forms.FileField(label="Or a file that you edited", required=False)
    mark = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)

    def clean_file(self) -> str:
        given = self.cleaned_data["file"]
        if given is None:
            return ""
        if given.size > MAX_FILE_BYTES:
            raise forms.ValidationError("This file is too large to be a profile.")
        try:
            return clean_text(given.read().decode("utf-8-sig")).replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise forms.ValidationError("This file is not UTF-8 text.") from None


@get_view
def show(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    person = find_person(viewer, person_id)
    page = profile_page(_venue_of(viewer, person), timezone.now(), _parse_day(request.GET.get("on", "")))
    return page_or_json(
        request, "profile.html", {"viewer": viewer, "person": person, "page": page}, lambda: profile_json(page)
    )


@get_view
def download(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    person = find_person(viewer, person_id)
    page = profile_page(_venue_of(viewer, person), timezone.now(), _parse_day(request.GET.get("on", "")))
    headers = {"Content-Disposition": 'attachment; filename="MEMORY.md"'}
    return HttpResponse(page.text, content_type="text/markdown; charset=utf-8", headers=headers)


@form_view
def edit(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    """Shows first what the edit changes; `sure` in the form saves it."""
    person, now = find_person(viewer, person_id), timezone.now()
    venue_context = _venue_of(viewer, person)
    if request.method != "POST":
        text = profile_text(venue_context, now)
        return _form_page(
            request, viewer, person, ProfileForm(initial={"text": text, "mark": profile_fingerprint(text)})
        )
    form = ProfileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, viewer, person, form)
    text = form.cleaned_data["file"] or form.cleaned_data["text"]
    if "again" in request.POST:
        return _form_page(request, viewer, person, ProfileForm(initial={**form.cleaned_data, "text": text}))
    try:
        if "sure" in request.POST:
            return _save(request, viewer, venue_context, text, form.cleaned_data["mark"])
        changed = compare_profile(venue_context, text, now)
    except Invalid as error:
        form.add_error("text", str(error))
        return _form_page(request, viewer, person, form)
    return _check_page(request, viewer, person, text, changed)


def _save(request: SignedInRequest, viewer: Viewer, venue_context: VenueContext, text: str, mark: str) -> HttpResponse:
    author = viewer.author()
    try:
        changed = update_profile(
            venue_context=venue_context,
            text=text,
            author=author,
            now=timezone.now(),
            encoder=current_encoder(),
            expected=mark,
        )
    except ChangedMeanwhile:
        show_warning(request, "Something else changed the profile meanwhile. Look at what your text changes now.")
        return _check_page(
            request, viewer, venue_context.person, text, compare_profile(venue_context, text, timezone.now())
        )
    show_message(request, _summarize(changed), undo=author.request if changed.number else "")
    return redirect("profile", venue_context.person.id)


def _check_page(
    request: SignedInRequest, viewer: Viewer, person: Person, text: str, changed: ProfileDifference
) -> HttpResponse:
    mark = profile_fingerprint(profile_text(_venue_of(viewer, person), timezone.now()))
    context: dict[str, Any] = {"viewer": viewer, "person": person, "text": text, "mark": mark}
    context |= {"changes": difference_changes(changed), "unchanged": changed.unchanged, "summary": _summarize(changed)}
    context |= {"newer": changed.newer_texts, "forgotten": [line.text for line in changed.forgotten]}
    return render(request, "dashboard/check_profile.html", context)


def _form_page(request: SignedInRequest, viewer: Viewer, person: Person, form: ProfileForm) -> HttpResponse:
    context = {"viewer": viewer, "person": person, "form": form}
    return render(request, "dashboard/edit_profile.html", context, status=422 if form.errors else 200)


def _venue_of(viewer: Viewer, person: Person) -> VenueContext:
    return resolve_venue(person=person.name, grant=viewer.grant, create=False)


def _parse_day(given: str) -> date | None:
    """What is no date is ignored, as in every list; so is the last day of the calendar, whose end has no date."""
    try:
        day = date.fromisoformat(given)
    except ValueError:
        return None
    return day if date.min < day < date.max else None


def _summarize(changed: ProfileDifference) -> str:
    parts = (("added", len(changed.adds)), ("changed", len(changed.updates)), ("removed", len(changed.removals)))
    text = ", ".join(f"{number} {kind}" for kind, number in parts if number)
    return f"{text[:1].upper()}{text[1:]}." if text else "Nothing was different, so nothing was saved."
