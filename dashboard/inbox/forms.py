"""Forms for a proposal: what is kept instead of it, and what two memories become. The engine decides on the rest."""

from typing import Any

from django import forms

from dashboard.forms import LONGEST_CONTENT, LONGEST_SUMMARY, Text
from dashboard.words import CATEGORIES, TYPES
from memory_app.models import Category, MemoryType, Proposal


class ProposalForm(forms.Form):
    """What a person may change before they accept."""

    content = Text(
        label="What to remember",
        max_length=LONGEST_CONTENT,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
    )
    summary = Text(max_length=LONGEST_SUMMARY, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    type = forms.ChoiceField(label="Kind", choices=[(kind.value, TYPES[kind.value]) for kind in MemoryType])
    category = forms.ChoiceField(label="Section", choices=[(c.value, CATEGORIES[c.value]) for c in Category])

    @classmethod
    def of(cls, proposal: Proposal, data: Any = None) -> "ProposalForm":
        initial = {name: getattr(proposal, name) for name in cls.base_fields}
        return cls(data, initial=initial, auto_id=f"{proposal.id}-%s")

    @property
    def changes(self) -> dict[str, Any]:
        """What was changed. A summary that no longer says what the content does is made anew from it."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data}
        if not changed.get("summary", "kept"):
            del changed["summary"]
        return changed


class MergeForm(forms.Form):
    """The one text that two become."""

    merged = Text(
        label="The two as one",
        max_length=LONGEST_CONTENT,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
    )

    @classmethod
    def of(cls, proposal: Proposal, draft: str, data: Any = None) -> "MergeForm":
        return cls(data, initial={"merged": draft}, auto_id=f"{proposal.id}-%s")
