"""The form that erases: it wants to be sure that this memory is meant, and that the one signed in is there."""

import re
from typing import Any

from allauth.account.adapter import get_adapter
from django import forms

from memory_app.models import User


class EraseForm(forms.Form):
    """The first word of the summary, and the password of whoever is signed in."""

    word = forms.CharField(
        label="The first word of the memory",
        max_length=1_000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    password = forms.CharField(
        label="Your password",
        max_length=4_096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, summary: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.first = first_word(summary)

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if first_word(word).casefold() != self.first.casefold():
            raise forms.ValidationError("This is not the first word of the memory.")
        return word

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not get_adapter().reauthenticate(self.user, password):
            raise forms.ValidationError("This is not your password.")
        return password


def first_word(text: str) -> str:
    """The first word, without quotes and marks around it; of a text without letters, what stands first."""
    found = re.search(r"\w+(?:[.'’-]\w+)*", text)
    return found.group() if found else text.strip().split(" ")[0]
