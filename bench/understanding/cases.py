"""The cases of a set, and how their words are compared: without case, punctuation and spacing."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

HALVES = ("seen", "unseen")
FOLDER = Path(__file__).parent

Case = Mapping[str, Any]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def cases(name: str, half: str) -> list[Case]:
    """The cases of one half of a set, in the order of its file."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["half"] == half]


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def plain(text: str) -> str:
    return " ".join(words(text))


def holds(text: str, wanted: str) -> bool:
    """Whether a text has all words of another one, as often."""
    return not Counter(words(wanted)) - Counter(words(text))


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
