"""What erasing asks for, to be sure that it is meant and that the one signed in is there; and the list of erasures.

`/memories/{id}/erase/` and `/people/{id}/erase/`: erase for good, after a word is typed and one has signed in again.
For super users.

`/erasures/`: what was erased for good, and of each the receipt, which tells how far it is. For super users.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.access import SignedInRequest, require_super_user, with_viewer
from dashboard.masking import is_masked
from dashboard.pagination import pagination_fields
from dashboard.people.person import find_person
from dashboard.responses import wants_json
from dashboard.sign_in import password_error
from dashboard.viewer import Viewer, memory_ref
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.erasure.erase_person import erase_person as erase_all_of
from memory_app.engine.erasure.receipt import is_genuine, is_search_pending, remaining_steps
from memory_app.errors import NotFound
from memory_app.jobs import continue_erasure, purge_soon
from memory_app.models import Erasure, User
from memory_app.nlp.text import words
from memory_app.serializers.erasure import erasure_out

PAGE_SIZE = 50


class ConfirmForm(forms.Form):
    """A word that is typed from what is to be erased, and the password of whoever is signed in."""

    word = forms.CharField(
        max_length=1_000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    password = forms.CharField(
        label="Your password",
        max_length=4_096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    word_label = word_error = ""

    def __init__(self, *args: Any, user: User, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.expected = expected
        self.fields["word"].label = self.word_label

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if not self.matches(word, self.expected):
            raise forms.ValidationError(self.word_error)
        return word

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if wrong_password := password_error(self.user, password):
            raise forms.ValidationError(wrong_password)
        return password

    def matches(self, word: str, expected: str) -> bool:
        """Whether what was typed is what should be."""
        return word.strip().casefold() == expected.strip().casefold()


class EraseMemoryForm(ConfirmForm):
    """For a memory: the first word of its summary."""

    word_label = "The first word of the memory"
    word_error = "This is not the first word of the memory."

    def matches(self, word: str, expected: str) -> bool:
        return starts_with_word(word, expected)


class ErasePersonForm(ConfirmForm):
    """For a person: the name that assistants use."""

    word_label = "The name of the person"
    word_error = "This is not the name of the person."


@dataclass(frozen=True, slots=True)
class ErasureListing:
    """A page of the list. `number` and `pages` count from 1."""

    rows: Sequence[Erasure]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def list_erasures(page: str | None) -> ErasureListing:
    """What was erased, the latest first."""
    pages = Paginator(Erasure.objects.order_by("-at", "-id"), PAGE_SIZE)
    page_found = pages.get_page(page)
    return ErasureListing(
        rows=list(page_found.object_list),
        **pagination_fields(page_found),
    )


def starts_with_word(word: str, text: str) -> bool:
    """Whether a text begins with a word, however a keyboard writes accents and apostrophes, and with the marks and
    pictures around it or without; of a text that parts no words, its first character will do."""
    typed, actual = words(word), words(text)
    if typed:
        with_letters = [one for one in actual if any(map(str.isalnum, one))]
        return typed in (actual[: len(typed)], with_letters[: len(typed)])
    return word.split()[:1] == text.split()[:1]


form_methods = require_http_methods(["GET", "HEAD", "POST"])


@form_methods
@with_viewer
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


@form_methods
@with_viewer
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


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_erasures(request.GET.get("page"))
    if wants_json(request):
        items = [erasure_out(erasure).model_dump(mode="json") for erasure in listing.rows]
        return JsonResponse(
            {"items": items, "total": listing.total, "page": listing.number, "pages": listing.pages,
             "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/erasures.html", {"viewer": viewer, "listing": listing})


@require_safe
@with_viewer
def show_one(request: SignedInRequest, viewer: Viewer, erasure_id: UUID) -> HttpResponse:
    """The receipt. While something is still to happen that does not take long, the page asks again by itself."""
    require_super_user(viewer)
    erasure = Erasure.objects.filter(id=erasure_id).first()
    if erasure is None:
        raise NotFound
    if wants_json(request):
        return JsonResponse(erasure_out(erasure).model_dump(mode="json"))
    context = {
        "viewer": viewer,
        "erasure": erasure,
        "genuine": is_genuine(erasure),
        "remains": remaining_steps(erasure),
    }
    context["sought"] = is_search_pending(erasure)
    part = "#receipt" if request.htmx.target == "receipt" else ""
    return render(request, f"dashboard/erasure.html{part}", context)
