"""What changed between two versions of a memory, word by word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, Literal

from dashboard.words import CATEGORIES, FORGOTTEN, STATUSES, TYPES, VISIBILITIES, moment

FIELDS = {
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
PROSE = frozenset({"content", "summary", "keywords", "tags", "attributes"})
"""What is compared word by word; any other field is one value in the place of another."""

TIMES = frozenset({"event_time", "event_end", "expires_at", "valid_to", "deleted_at"})
NAMES: Mapping[str, Mapping[str, str]] = {
    "type": TYPES,
    "category": CATEGORIES,
    "visibility": VISIBILITIES,
    "status": STATUSES,
    "delete_reason": FORGOTTEN,
}
MOST_WORDS = 4_000
"""Beyond so many tokens a side, lines are compared instead: matching takes time with the square of the tokens."""

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both versions have, or only one."""

    kind: Literal["same", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs."""

    field: str
    label: str
    pieces: tuple[Piece, ...]


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The fields that differ between two states (`Version.state`), in the order of `FIELDS`."""
    changes = []
    for field, label in FIELDS.items():
        old, new = _text(field, before.get(field)), _text(field, after.get(field))
        if old != new:
            pieces = word_diff(old, new) if field in PROSE else _replaced(old, new)
            changes.append(Change(field, label, tuple(pieces)))
    return changes


def word_diff(old: str, new: str) -> list[Piece]:
    """The way from one text to another. What is removed comes before what takes its place.

    White space alone between two changes does not part them: phrases replaced read better than words by turns.
    """
    before, after = _tokens(old, new)
    pieces: list[Piece] = []
    removed = added = ""
    for tag, i, j, k, m in SequenceMatcher(None, before, after).get_opcodes():
        gone, come = "".join(before[i:j]), "".join(after[k:m])
        if tag == "equal" and not ((removed or added) and gone.isspace()):
            pieces += [*_replaced(removed, added), Piece("same", gone)]
            removed = added = ""
        else:
            removed, added = removed + gone, added + come
    return [*pieces, *_replaced(removed, added)]


def _replaced(removed: str, added: str) -> list[Piece]:
    """One text in the place of another; white space that both end in is of neither."""
    tail = removed[len(removed.rstrip()) :]
    if tail and added.endswith(tail):
        removed, added = removed.removesuffix(tail), added.removesuffix(tail)
    else:
        tail = ""
    pieces = [Piece("removed", removed), Piece("added", added), Piece("same", tail)]
    return [piece for piece in pieces if piece.text]


def _tokens(*texts: str) -> list[list[str]]:
    words = [_WORDS.findall(text) for text in texts]
    if max(map(len, words)) <= MOST_WORDS:
        return words
    return [text.splitlines(keepends=True) for text in texts]


def _text(field: str, value: Any) -> str:
    if field in NAMES:
        return NAMES[field].get(value, value or "")
    if field in TIMES:
        return moment(datetime.fromisoformat(value)) if value else ""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {item}" for name, item in sorted(value.items()))
    return str(value)
