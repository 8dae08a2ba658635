"""What changed between two versions of a memory, word by word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, Literal

from dashboard.wording import (
    CATEGORY_LABELS,
    DELETE_REASONS,
    STATUS_LABELS,
    TYPE_LABELS,
    VISIBILITY_LABELS,
    format_moment,
)

FIELD_LABELS = {
    "content": "Content",
    "summary": "Summary",
    "type": "Kind",
    "category": "Section",
    "key": "Slot",
    "keywords": "Keywords",
    "tags": "Tags",
    "visibility": "Visibility",
    "status": "Status",
    "confidence": "Confidence",
    "protected": "Kept for good",
    "sensitive": "Sensitive",
    "event_time": "When it happened",
    "event_end": "Until",
    "expires_at": "Expires",
    "valid_to": "True until",
    "deleted_at": "Forgotten",
    "delete_reason": "Forgotten because",
    "attributes": "Attributes",
}
PROSE_FIELDS = frozenset({"content", "summary", "keywords", "tags", "attributes"})
"""What is compared word by word; any other field is one value in the place of another."""

TIME_FIELDS = frozenset({"event_time", "event_end", "expires_at", "valid_to", "deleted_at"})
VALUE_LABELS: Mapping[str, Mapping[str, str]] = {
    "type": TYPE_LABELS,
    "category": CATEGORY_LABELS,
    "visibility": VISIBILITY_LABELS,
    "status": STATUS_LABELS,
    "delete_reason": DELETE_REASONS,
}
MAX_TOKENS = 4_000
"""Beyond so many tokens a side, lines are compared instead: matching takes time with the square of the tokens."""

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """A stretch of text that both versions have, or only one."""

    kind: Literal["same", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that differs."""

    field: str
    label: str
    pieces: tuple[DiffPiece, ...]


def diff_versions(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[FieldChange]:
    """The fields that differ between two states (`Version.state`), in the order of `FIELD_LABELS`."""
    changes = []
    for field, label in FIELD_LABELS.items():
        old, new = _field_text(field, before.get(field)), _field_text(field, after.get(field))
        if old != new:
            pieces = diff_words(old, new) if field in PROSE_FIELDS else _replacement(old, new)
            changes.append(FieldChange(field, label, tuple(pieces)))
    return changes


def diff_words(old: str, new: str) -> list[DiffPiece]:
    """The way from one text to another. What is removed comes before what takes its place.

    White space between two changes joins them: a replaced phrase reads better than single words in turn.
    """
    before, after = _tokens(old, new)
    pieces: list[DiffPiece] = []
    removed = added = ""
    for tag, i, j, k, m in SequenceMatcher(None, before, after).get_opcodes():
        old_part, new_part = "".join(before[i:j]), "".join(after[k:m])
        if tag == "equal" and not ((removed or added) and old_part.isspace()):
            pieces += [*_replacement(removed, added), DiffPiece("same", old_part)]
            removed = added = ""
        else:
            removed, added = removed + old_part, added + new_part
    return [*pieces, *_replacement(removed, added)]


def _replacement(removed: str, added: str) -> list[DiffPiece]:
    """One text instead of another. White space that both end in stays the same."""
    tail = removed[len(removed.rstrip()) :]
    if tail and added.endswith(tail):
        removed, added = removed.removesuffix(tail), added.removesuffix(tail)
    else:
        tail = ""
    pieces = [DiffPiece("removed", removed), DiffPiece("added", added), DiffPiece("same", tail)]
    return [piece for piece in pieces if piece.text]


def _tokens(*texts: str) -> list[list[str]]:
    words = [_TOKEN.findall(text) for text in texts]
    if max(map(len, words)) <= MAX_TOKENS:
        return words
    return [text.splitlines(keepends=True) for text in texts]


def _field_text(field: str, value: Any) -> str:
    if field in VALUE_LABELS:
        return VALUE_LABELS[field].get(value, value or "")
    if field in TIME_FIELDS:
        return format_moment(datetime.fromisoformat(value)) if value else ""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {item}" for name, item in sorted(value.items()))
    return str(value)
