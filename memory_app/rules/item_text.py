"""Which texts an item is found by: the whole of its value, or what lies at some paths of it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from memory_app.nlp import linear_re as re
from memory_app.nlp.passages import split_passages

WHOLE = "$"
MAX_TEXTS = 32
"""Texts of one item, each with a vector of its own."""

MAX_TEXT = 20_000
"""Characters that are read of each."""

_STEP = re.compile(r"([^.\[\]]+)|\[(\*|-?\d+)\]")
_POSITION = re.compile(r"-?[0-9]{1,9}")


def item_texts(value: Any, paths: Sequence[str] | None) -> list[str]:
    """The texts, a long one in passages. paths: such as `title`, `author.name`, `parts[*].text`, `$` for the whole
    value; None is the whole, and no path is no text. What is not there is passed over."""
    if paths is not None and not paths:
        return []
    found = [text for path in paths or [WHOLE] for text in _texts_at(value, path)]
    parts = [part for text in found if text.strip() for part in split_passages(text[:MAX_TEXT]) or [text]]
    return parts[:MAX_TEXTS]


def _texts_at(value: Any, path: str) -> list[str]:
    if path == WHOLE:
        return ["\n".join(_lines(value, ""))]
    steps = [match.group(1) or match.group(2) for match in _STEP.finditer(path)]
    return [_as_text(one) for one in _values_at(value, steps) if one is not None]


def _values_at(value: Any, steps: Sequence[str]) -> Iterator[Any]:
    if not steps:
        yield value
    elif isinstance(value, dict):
        if steps[0] == "*":
            for one in value.values():
                yield from _values_at(one, steps[1:])
        elif steps[0] in value:
            yield from _values_at(value[steps[0]], steps[1:])
    elif isinstance(value, list):
        if steps[0] == "*":
            for one in value:
                yield from _values_at(one, steps[1:])
        elif _POSITION.fullmatch(steps[0]) and -len(value) <= int(steps[0]) < len(value):
            yield from _values_at(value[int(steps[0])], steps[1:])


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _lines(value: Any, name: str) -> Iterator[str]:
    """A line for each plain value, with the name it has."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _lines(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from _lines(one, name)
    elif value is not None:
        yield f"{name}: {_as_text(value)}" if name else _as_text(value)
