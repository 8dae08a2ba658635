"""Forms for a memory. They read and check what was typed; what becomes of it is decided by the engine."""

from typing import Any

from django import forms

from dashboard.words import CATEGORIES, TYPES
from memory_app.models import Category, Memory, MemoryType

LONGEST_CONTENT, LONGEST_SUMMARY, LONGEST_WORD, MOST_WORDS = 100_000, 1_000, 100, 50
"""As the API has them."""


class Text(forms.CharField):
    """Lines end as they are stored; browsers send them otherwise."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(initial) != self.to_python(data))


class Words(forms.CharField):
    """A list of words, separated by commas."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        return list(dict.fromkeys(word for part in text.split(",") if (word := part.strip())))

    def validate(self, value: Any) -> None:
        if len(value) > MOST_WORDS:
            raise forms.ValidationError(f"At most {MOST_WORDS} words.")
        if any(len(word) > LONGEST_WORD for word in value):
            raise forms.ValidationError(f"A word has at most {LONGEST_WORD} characters. Separate words by commas.")

    def run_validators(self, value: Any) -> None:
        super().run_validators(", ".join(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool((initial or []) != self.to_python(data))


class Moment(forms.DateTimeField):
    """A date and time in the reader's time zone."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S")


class MemoryForm(forms.Form):
    """All that a person may edit. `version` is the one they saw."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    content = Text(max_length=LONGEST_CONTENT, widget=forms.Textarea(attrs={"rows": 6}))
    summary = Text(max_length=LONGEST_SUMMARY, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    type = forms.ChoiceField(label="Kind", choices=[(kind.value, TYPES[kind.value]) for kind in MemoryType])
    category = forms.ChoiceField(label="Section", choices=[(c.value, CATEGORIES[c.value]) for c in Category])
    key = forms.CharField(label="Slot", max_length=LONGEST_WORD, required=False)
    keywords = Words(required=False)
    tags = Words(required=False)
    event_time = Moment(label="When it happened", required=False)
    expires_at = Moment(label="Forget it after", required=False)

    @classmethod
    def of(cls, memory: Memory, data: Any = None) -> "MemoryForm":
        initial = {name: getattr(memory, name) for name in cls.base_fields}
        return cls(data, initial=initial)

    @property
    def changes(self) -> dict[str, Any]:
        """What was changed, as the engine takes it. A summary that was emptied is made anew from the content."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data if name != "version"}
        if not changed.get("summary", "kept"):
            del changed["summary"]
        return changed


class CorrectForm(forms.Form):
    """The memory that takes the place of one that is wrong."""

    content = Text(label="What is true instead", max_length=LONGEST_CONTENT, widget=forms.Textarea(attrs={"rows": 5}))
