"""What erasing asks for, to be sure that it is meant and that the one signed in is there; and the list of erasures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Paginator

from dashboard.password import refusal
from dashboard.turning import turning
from memory_app.models import Erasure, User
from memory_app.rules.text import words

PAGE = 50


class SureForm(forms.Form):
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
    asked = wrong = ""

    def __init__(self, *args: Any, user: User, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.expected = expected
        self.fields["word"].label = self.asked

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if not self.is_meant(word, self.expected):
            raise forms.ValidationError(self.wrong)
        return word

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if refused := refusal(self.user, password):
            raise forms.ValidationError(refused)
        return password

    def is_meant(self, word: str, expected: str) -> bool:
        """Whether what was typed is what should be."""
        return word.strip().casefold() == expected.strip().casefold()


class EraseForm(SureForm):
    """For a memory: the first word of its summary."""

    asked = "The first word of the memory"
    wrong = "This is not the first word of the memory."

    def is_meant(self, word: str, expected: str) -> bool:
        return begins(word, expected)


class ErasePersonForm(SureForm):
    """For a person: the name that assistants use."""

    asked = "The name of the person"
    wrong = "This is not the name of the person."


@dataclass(frozen=True, slots=True)
class Erasures:
    """A page of the list. `number` and `pages` count from 1."""

    rows: Sequence[Erasure]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def erasures(page: str | None) -> Erasures:
    """What was erased, the latest first."""
    pages = Paginator(Erasure.objects.order_by("-at", "-id"), PAGE)
    here = pages.get_page(page)
    return Erasures(
        rows=list(here.object_list),
        **turning(here),
    )


def begins(word: str, text: str) -> bool:
    """Whether a text begins with a word, however a keyboard writes accents and apostrophes, and with the marks and
    pictures around it or without; of a text that parts no words, its first character will do."""
    typed, there = words(word), words(text)
    if typed:
        lettered = [one for one in there if any(map(str.isalnum, one))]
        return typed in (there[: len(typed)], lettered[: len(typed)])
    return word.split()[:1] == text.split()[:1]
