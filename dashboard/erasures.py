"""Erasing for good, after a word of it and the password are typed, and `/erasures/`: the receipts. For super users."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from dashboard.access import SignedInRequest, form_view, get_view, requested_part, require_super_user
from dashboard.lists import Pagination, pagination_fields
from dashboard.masking import is_masked
from dashboard.people import find_person
from dashboard.responses import wants_json
from dashboard.sign_in import ConfirmedForm
from dashboard.viewer import Viewer, get_row, memory_ref
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.erasure.erase_person import erase_person as erase_all_of
from memory_app.engine.erasure.erasure_receipt import is_genuine, is_search_pending, remaining_steps
from memory_app.jobs import continue_erasure, purge_soon
from memory_app.models import Erasure
from memory_app.nlp.text import words
from memory_app.serializers.erasure import erasure_out

PAGE_SIZE = 50


class WordForm(ConfirmedForm):
    """A word that is typed from what is to be erased, and the password of whoever is signed in."""

    word = forms.CharField(
        max_length=1_000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    word_label = word_error = ""

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected
        self.fields["word"].label = self.word_label

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if not self.matches(word, self.expected):
            raise forms.ValidationError(self.word_error)
        return word

    def matches(self, word: str, expected: str) -> bool:
        """Whether what was typed is what should be."""
        return word.strip().casefold() == expected.strip().casefold()


class EraseMemoryForm(WordForm):
    """For a memory: the first word of its summary."""

    word_label = "The first word of the memory"
    word_error = "This is not the first word of the memory."

    def matches(self, word: str, expected: str) -> bool:
        return starts_with_word(word, expected)


class ErasePersonForm(WordForm):
    """For a person: the name that assistants use."""

    word_label = "The name of the person"
    word_error = "This is not the name of the person."


@dataclass(frozen=True, slots=True)
class ErasureListing(Pagination):
    rows: Sequence[Erasure]


def list_erasures(page: str | None) -> ErasureListing:
    """What was erased, the latest first."""
    found = Paginator(Erasure.objects.order_by("-at", "-id"), PAGE_SIZE).get_page(page)
    return ErasureListing(list(found.object_list), **pagination_fields(found))


def starts_with_word(word: str, text: str) -> bool:
    """Whether a text begins with a word, however a keyboard writes accents and apostrophes, with the marks and pictures
    around it or without; where a text has no spaces between words, its first character is enough."""
    typed, actual = words(word), words(text)
    if typed:
        with_letters = [one for one in actual if any(map(str.isalnum, one))]
        return typed in (actual[: len(typed)], with_letters[: len(typed)])
    return word.split()[:1] == text.split()[:1]


@form_view
def erase_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    require_super_user(viewer)
    memory = viewer.find_own_memory(memory_id, removes=True)
    now = timezone.now()
    context = {"viewer": viewer, "memory": memory, "form": None}
    if is_masked(request, memory, now):
        return render(request, "dashboard/erase_memory.html", context)
    form = context["form"] = EraseMemoryForm(request.POST or None, user=request.user, expected=memory.summary)
    if not form.is_valid():
        return render(request, "dashboard/erase_memory.html", context, status=422 if form.is_bound else 200)
    author = viewer.author()
    erasure = erase(at=memory_ref(memory), author=author, now=now)
    purge_soon(author.label)
    return redirect("erasure", erasure.id)


@form_view
def erase_person(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    require_super_user(viewer)
    person = find_person(viewer, person_id)
    form = ErasePersonForm(request.POST or None, user=request.user, expected=person.name)
    if not form.is_valid():
        context = {"viewer": viewer, "person": person, "form": form}
        return render(request, "dashboard/erase_person.html", context, status=422 if form.is_bound else 200)
    author = viewer.author()
    erasure = erase_all_of(name=person.name, author=author, now=timezone.now())
    continue_erasure(erasure, author.label)
    return redirect("erasure", erasure.id)


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_erasures(request.GET.get("page"))
    if wants_json(request):
        items = [erasure_out(erasure).model_dump(mode="json") for erasure in listing.rows]
        return JsonResponse({"items": items, **listing.pagination_json()})
    return render(request, "dashboard/erasures.html", {"viewer": viewer, "listing": listing})


@get_view
def show_one(request: SignedInRequest, viewer: Viewer, erasure_id: UUID) -> HttpResponse:
    """The receipt. The page reloads by itself while a step is left that does not take long."""
    require_super_user(viewer)
    erasure = get_row(Erasure.objects.all(), erasure_id)
    if wants_json(request):
        return JsonResponse(erasure_out(erasure).model_dump(mode="json"))
    context = {
        "viewer": viewer,
        "erasure": erasure,
        "genuine": is_genuine(erasure),
        "remains": remaining_steps(erasure),
        "sought": is_search_pending(erasure),
    }
    return render(request, f"dashboard/erasure.html{requested_part(request, 'receipt')}", context)
