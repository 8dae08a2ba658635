"""What erasing asks for, to be sure that it is meant and that the one signed in is there; and the list of erasures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Paginator

from memory_app.models import Erasure, User

from .password import refusal
from .turning import turning

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
        if self.read(word).casefold() != self.read(self.expected).casefold():
            raise forms.ValidationError(self.wrong)
        return word

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if refused := refusal(self.user, password):
            raise forms.ValidationError(refused)
        return password

    def read(self, text: str) -> str:
        """The part of a text that is compared."""
        return text.strip()


class EraseForm(SureForm):
    """For a memory: the first word of its summary."""

    asked = "The first word of the memory"
    wrong = "This is not the first word of the memory."

    def read(self, text: str) -> str:
        return first_word(text)


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


def first_word(text: str) -> str:
    """The first word, without quotes and marks around it; of a text without letters, what stands first."""
    found = re.search(r"\w+(?:[.'’-]\w+)*", text)
    return found.group() if found else text.strip().split(" ")[0]
