"""`/people/{person}/profile/`: the profile document, read, downloaded, edited and put back; and how it came to be."""

from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import say, wants_json, warn
from dashboard.forms import Text
from dashboard.people import find_person
from dashboard.profile_shown import profile_json, shown_difference, shown_profile
from dashboard.reach import Reach
from memory_app.embedding.encoder import current
from memory_app.engine.enter import Entered, enter
from memory_app.engine.summing.profile import mark, profile_of
from memory_app.engine.summing.put_profile import Difference, difference, put_profile
from memory_app.errors import Invalid, Stale
from memory_app.models import Person

LARGEST_FILE = 1_000_000
"""Bytes: a hundred times what a full profile takes."""


class ProfileForm(forms.Form):
    """The document as it was edited, in the page or in a file. `mark`: of the one it was made from."""

    text = Text(label="Profile", required=False, strip=False, max_length=LARGEST_FILE, widget=forms.Textarea())
    file = forms.FileField(label="Or a file that you edited", required=False)
    mark = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)

    def clean_file(self) -> str:
        given = self.cleaned_data["file"]
        if given is None:
            return ""
        if given.size > LARGEST_FILE:
            raise forms.ValidationError("This file is too large to be a profile.")
        try:
            return str(given.read().decode("utf-8-sig")).replace("\r\n", "\n").replace("\x00", "")
        except UnicodeDecodeError:
            raise forms.ValidationError("This file is not UTF-8 text.") from None


@require_safe
@signed_in
def show(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    person = find_person(reach, person_id)
    shown = shown_profile(_entered(reach, person), timezone.now(), _day(request.GET.get("on", "")))
    if wants_json(request):
        return JsonResponse(profile_json(shown))
    return render(request, "dashboard/profile.html", {"reach": reach, "person": person, "shown": shown})


@require_safe
@signed_in
def download(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    person = find_person(reach, person_id)
    shown = shown_profile(_entered(reach, person), timezone.now(), _day(request.GET.get("on", "")))
    headers = {"Content-Disposition": 'attachment; filename="MEMORY.md"'}
    return HttpResponse(shown.text, content_type="text/markdown; charset=utf-8", headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    """What was edited is shown as what it changes first; `sure` does it."""
    person, now = find_person(reach, person_id), timezone.now()
    entered = _entered(reach, person)
    if request.method != "POST":
        text = profile_of(entered, now)
        return _form(request, reach, person, ProfileForm(initial={"text": text, "mark": mark(text)}))
    form = ProfileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form(request, reach, person, form)
    text = form.cleaned_data["file"] or form.cleaned_data["text"]
    if "again" in request.POST:
        return _form(request, reach, person, ProfileForm(initial={**form.cleaned_data, "text": text}))
    try:
        if "sure" in request.POST:
            return _put(request, reach, entered, text, form.cleaned_data["mark"])
        changed = difference(entered, text, now)
    except Invalid as error:
        form.add_error("text", str(error))
        return _form(request, reach, person, form)
    return _check(request, reach, person, text, changed)


def _put(request: Asked, reach: Reach, entered: Entered, text: str, seen: str) -> HttpResponse:
    author = reach.author()
    try:
        changed = put_profile(
            entered=entered, text=text, author=author, now=timezone.now(), encoder=current(), expected=seen
        )
    except Stale:
        warn(request, "Something else changed the profile meanwhile. Look at what your text changes now.")
        return _check(request, reach, entered.person, text, difference(entered, text, timezone.now()))
    say(request, _told(changed), undo=author.request if changed.number else "")
    return redirect("profile", entered.person.id)


def _check(request: Asked, reach: Reach, person: Person, text: str, changed: Difference) -> HttpResponse:
    seen = mark(profile_of(_entered(reach, person), timezone.now()))
    context: dict[str, Any] = {"reach": reach, "person": person, "text": text, "mark": seen}
    context |= {"changes": shown_difference(changed), "unchanged": changed.unchanged, "told": _told(changed)}
    context |= {"newer": changed.newer_texts, "forgotten": [line.text for line in changed.forgotten]}
    return render(request, "dashboard/profile_check.html", context)


def _form(request: Asked, reach: Reach, person: Person, form: ProfileForm) -> HttpResponse:
    context = {"reach": reach, "person": person, "form": form}
    return render(request, "dashboard/profile_edit.html", context, status=422 if form.errors else 200)


def _entered(reach: Reach, person: Person) -> Entered:
    return enter(person=person.name, grant=reach.grant, create=False)


def _day(given: str) -> date | None:
    """What is no date is passed over, as in every list; the last day of the calendar has no end."""
    try:
        day = date.fromisoformat(given)
    except ValueError:
        return None
    return day if date.min < day < date.max else None


def _told(changed: Difference) -> str:
    parts = (("added", len(changed.adds)), ("changed", len(changed.updates)), ("removed", len(changed.removals)))
    said = ", ".join(f"{number} {kind}" for kind, number in parts if number)
    return f"{said[:1].upper()}{said[1:]}." if said else "Nothing was different, so nothing was saved."
