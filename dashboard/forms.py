"""Fields that forms share."""

from typing import Any

from django import forms

from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS
from memory_app.models import Category, MemoryType

MAX_CONTENT_LENGTH, MAX_SUMMARY_LENGTH, MAX_WORD_LENGTH, MAX_WORDS = 100_000, 1_000, 100, 50
"""As the API has them."""


class NormalizedTextField(forms.CharField):
    """Browsers send CR LF at the end of a line; this stores LF."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(initial) != self.to_python(data))


class CommaSeparatedField(forms.CharField):
    """A list of words, separated by commas."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        return list(dict.fromkeys(word for part in text.split(",") if (word := part.strip())))

    def validate(self, value: Any) -> None:
        if len(value) > MAX_WORDS:
            raise forms.ValidationError(f"At most {MAX_WORDS} words.")
        if any(len(word) > MAX_WORD_LENGTH for word in value):
            raise forms.ValidationError(f"A word has at most {MAX_WORD_LENGTH} characters. Separate words by commas.")

    def run_validators(self, value: Any) -> None:
        super().run_validators(", ".join(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool((initial or []) != self.to_python(data))


class LocalDateTimeField(forms.DateTimeField):
    """A date and time in the reader's time zone."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S")


class TextChangesForm(forms.Form):
    """What a person may change in the words of a memory or proposal."""

    content = NormalizedTextField(max_length=MAX_CONTENT_LENGTH, widget=forms.Textarea(attrs={"rows": 6}))
    summary = NormalizedTextField(
        max_length=MAX_SUMMARY_LENGTH, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    type = forms.ChoiceField(label="Kind", choices=[(kind.value, TYPE_LABELS[kind.value]) for kind in MemoryType])
    category = forms.ChoiceField(label="Section", choices=[(c.value, CATEGORY_LABELS[c.value]) for c in Category])

    @property
    def changes(self) -> dict[str, Any]:
        """What was changed, as the engine takes it. An emptied summary is left out: the engine derives a new one."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data if name != "version"}
        if not changed.get("summary", "kept"):
            del changed["summary"]
        return changed
