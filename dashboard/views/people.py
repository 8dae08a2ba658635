"""`/people/`: who is remembered, and for each what is known at a glance and how their memory is kept."""

from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import say, wants_json
from dashboard.people import find_person, people, person_json, profile
from dashboard.reach import Reach
from memory_app.engine.members import admit_member, remove_member
from memory_app.engine.settle import settle
from memory_app.models import Person

POLICIES = {
    "ask": "Ask first: it waits in the inbox",
    "auto": "Keep what is sure, note the rest",
    "off": "Notice nothing",
}

SENSITIVE = {
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
    extraction_policy = forms.ChoiceField(label="What is noticed in conversations", choices=list(POLICIES.items()))
    sensitive_policy = forms.ChoiceField(label="What is sensitive", choices=list(SENSITIVE.items()))
    memory_enabled = forms.BooleanField(label="Remember: switched off, memory is paused", required=False)

    @classmethod
    def of(cls, person: Person, data: Any = None) -> "SettingsForm":
        return cls(data, initial={name: getattr(person, name) for name in cls.base_fields})


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    listing = people(reach, request.GET.get("q", ""), request.GET.get("page"), timezone.now())
    if wants_json(request):
        items = [
            {**person_json(row.person), "memories": row.kept, "proposals_pending": row.waiting, "latest": row.latest}
            for row in listing.rows
        ]
        return JsonResponse(
            {"items": items, "total": listing.total, "page": listing.number, "pages": listing.pages,
             "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/people.html", {"reach": reach, "listing": listing})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def show_one(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    person = find_person(reach, person_id)
    form = SettingsForm.of(person, request.POST if request.method == "POST" else None)
    if form.is_valid():
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        settle(person=person, changes=changes, author=reach.author(), now=timezone.now())
        say(request, "Saved." if form.changed_data else "Nothing was different, so nothing was saved.")
        return redirect("person", person.id)
    told = profile(reach, find_person(reach, person_id), timezone.now())
    if wants_json(request) and not form.is_bound:
        counts = {"active": told.counts.active, "deleted": told.counts.deleted, "turns": told.counts.turns}
        spaces = [row.space.name for row in told.memberships if row.left_at is None]
        return JsonResponse({**person_json(person), "memories": counts, "spaces": spaces})
    context = {"reach": reach, "profile": told, "form": form}
    return render(request, "dashboard/person.html", context, status=422 if form.is_bound else 200)


@require_POST
@signed_in
def set_membership(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    """Takes a person out of a shared space, or lets them back in: a super user's to do."""
    only_super(reach)
    person, space = find_person(reach, person_id), request.POST.get("space", "").replace("\x00", "")
    change = admit_member if "back" in request.POST else remove_member
    change(space=space, person=person.name, grant=reach.grant, author=reach.author(), now=timezone.now())
    if "back" in request.POST:
        say(request, f"{person} belongs to {space} again.")
    else:
        say(request, f"{person} is out of {space}: what is theirs there stays theirs, and they see no more of it.")
    return redirect("person", person.id)
