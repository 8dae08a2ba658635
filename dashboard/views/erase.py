"""`/memories/{id}/erase/` and `/people/{id}/erase/`: erase for good, after a word is typed and one has signed in again.
For super users."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from dashboard.access import Asked, only_super, signed_in
from dashboard.erasing import EraseForm, ErasePersonForm
from dashboard.people import find_person
from dashboard.reach import Reach, at
from dashboard.sensitive import is_masked
from memory_app.engine.erasing.erase import erase
from memory_app.engine.erasing.erase_person import erase_person as erase_all_of
from memory_app.jobs import erase_on, purge_soon

either = require_http_methods(["GET", "HEAD", "POST"])


@either
@signed_in
def erase_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    only_super(reach)
    memory = reach.find_own(memory_id, removes=True)
    now = timezone.now()
    context = {"reach": reach, "memory": memory, "form": None}
    if is_masked(request, memory, now):
        return render(request, "dashboard/erase.html", context)
    form = context["form"] = EraseForm(request.POST or None, user=request.user, expected=memory.summary)
    if not form.is_valid():
        return render(request, "dashboard/erase.html", context, status=422 if form.is_bound else 200)
    author = reach.author()
    erasure = erase(at=at(memory), author=author, now=now)
    purge_soon(author.label)
    return redirect("erasure", erasure.id)


@either
@signed_in
def erase_person(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    only_super(reach)
    person = find_person(reach, person_id)
    form = ErasePersonForm(request.POST or None, user=request.user, expected=person.name)
    if not form.is_valid():
        context = {"reach": reach, "person": person, "form": form}
        return render(request, "dashboard/erase_person.html", context, status=422 if form.is_bound else 200)
    author = reach.author()
    erasure = erase_all_of(name=person.name, author=author, now=timezone.now())
    erase_on(erasure, author.label)
    return redirect("erasure", erasure.id)
