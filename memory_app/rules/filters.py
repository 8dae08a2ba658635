"""Filters: what a search, a list or a brief is narrowed to, read from JSON and checked in this one place.

`{"types": ["task"], "tags": {"all": ["home", "paint"]}, "attributes": {"project": "x", "priority": {"gte": 3}}}`

All that is named must hold. Of types, categories, visibility and entities one must fit; of tags any one, or all.
Attributes are asked by a tree of conditions, which becomes one SQL/JSON path.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal
from uuid import UUID

from memory_app.nlp.text import normalised

MOST_VALUES, LONGEST_VALUE = 50, 1_000
LONGEST_SHOWN = 50
MOST_CONDITIONS, DEEPEST = 50, 6

HIDDEN = frozenset({"withheld"})
"""Attributes that are shown to nobody, so nothing is found by them."""

SYMBOLS = {"eq": "==", "ne": "==", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "in": "=="}
TEXT_FLAGS = {"contains": "q", "icontains": "iq"}
"""Operators that look for a text within a text, literally, and how the path language says so. A request cannot name
them: whoever builds conditions by themselves may."""

COMBINATIONS: Mapping[str, Literal["all", "any", "none"]] = {"and": "all", "or": "any", "not": "none"}
FORMS = 'write {"project": "x"}, {"priority": {"gte": 3}}, {"and": […]}, {"or": […]} or {"not": {…}}'

Scalar = str | float | bool | None


class FilterError(ValueError):
    """A filter that means nothing; the message says where, and what to write."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Whether an attribute, by its path of names, has such a value; of a list, whether one of its items has. It has the
    value null where it is missing. values: one, or for `in` several."""

    path: tuple[str, ...]
    operator: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Combined:
    """all: each of the parts holds; any: one does; none: not one."""

    how: Literal["all", "any", "none"]
    parts: "tuple[Condition, ...]"


Condition = Compare | Combined


@dataclass(frozen=True, slots=True)
class Filters:
    """What rows must have; what is empty asks for nothing. entities: names or ids."""

    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    any_tags: tuple[str, ...] = ()
    all_tags: tuple[str, ...] = ()
    attributes: Condition | None = None
    entities: tuple[str, ...] = ()
    row: Condition | None = None
    """What is asked of a memory as one document (`models.visible.ROW_DOCUMENT`): its attributes beside other fields."""

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    @property
    def values(self) -> dict[str, Any]:
        """What a statement compares with, by the filters that are set: lists of texts, of attributes a path, of
        entities the ids and the normalised names."""
        listed = ("types", "categories", "visibility", "any_tags", "all_tags")
        values: dict[str, Any] = {name: list(getattr(self, name)) for name in listed if getattr(self, name)}
        if self.attributes is not None:
            values["attributes"] = json_path(self.attributes)
        if self.row is not None:
            values["row"] = json_path(self.row)
        if self.entities:
            values["entity_ids"] = [identifier for name in self.entities if (identifier := _uuid(name))]
            values["entity_names"] = [normalised(name) for name in self.entities]
        return values


NO_FILTERS = Filters()


def can_pass(kind: str, filters: Filters) -> bool:
    """Whether rows of a kind have all that the filters ask about. A kind that has not is left out."""
    if kind == "memory":
        return True
    return filters == Filters(visibility=filters.visibility)


def read_filters(values: Mapping[str, Any]) -> Filters:
    """From JSON: `types`, `categories`, `visibility` and `entities` as lists, `tags` as a list (any of them) or as
    `{"any": […], "all": […]}`, `attributes` as an object. Null or missing asks for nothing. Raises FilterError."""
    tags = values.get("tags") or {}
    if not isinstance(tags, Mapping):
        tags = {"any": tags}
    if tags.keys() - {"any", "all"}:
        raise FilterError('tags: write ["home"] or {"any": […], "all": […]}')
    return Filters(
        types=_texts("types", values.get("types")),
        categories=_texts("categories", values.get("categories")),
        visibility=_texts("visibility", values.get("visibility")),
        any_tags=_texts("tags", tags.get("any")),
        all_tags=_texts("tags", tags.get("all")),
        attributes=read_condition(values.get("attributes")),
        entities=_texts("entities", values.get("entities")),
    )


def read_condition(value: Any) -> Condition | None:
    """A condition on attributes; None where nothing is asked. Raises FilterError."""
    if value is None or value == {}:
        return None
    condition = _object(value, (), "attributes", 0)
    if sum(1 for _ in _each(condition)) > MOST_CONDITIONS:
        raise FilterError(f"attributes: more than {MOST_CONDITIONS} conditions; ask for less at once")
    return condition


def json_path(condition: Condition) -> str:
    """As an SQL/JSON path that is true or false for every row, never unknown. Values are written as JSON is, which the
    path language takes alike."""
    if isinstance(condition, Combined):
        joined = (" && " if condition.how == "all" else " || ").join(map(json_path, condition.parts))
        return f"!({joined})" if condition.how == "none" else f"({joined})"
    at = "".join(f".{json.dumps(name)}" for name in condition.path)
    either = " || ".join(_test(at, condition.operator, value) for value in condition.values)
    return f"!({either})" if condition.operator == "ne" else f"({either})"


def _test(at: str, operator: str, value: Scalar) -> str:
    if value is None:
        return f"!(exists(${at} ? (@ != null)))"
    if operator in TEXT_FLAGS:
        return f'exists(${at} ? (@ like_regex {json.dumps(value)} flag "{TEXT_FLAGS[operator]}"))'
    return f"exists(${at} ? (@ {SYMBOLS[operator]} {json.dumps(value)}))"


def _object(value: Any, path: tuple[str, ...], at: str, depth: int) -> Condition:
    """All that an object asks, of what lies at a path."""
    if not isinstance(value, Mapping) or not value:
        raise FilterError(f"{at}: {FORMS}")
    if depth > DEEPEST:
        raise FilterError(f"{at}: nested deeper than {DEEPEST} levels")
    return _all([_member(name, part, path, f"{at}.{_short(name)}", depth) for name, part in value.items()])


def _member(name: str, value: Any, path: tuple[str, ...], at: str, depth: int) -> Condition:
    if name == "not":
        return Combined("none", (_object(value, path, at, depth + 1),))
    if name in COMBINATIONS:
        if not isinstance(value, list) or not value:
            raise FilterError(f"{at}: write a list of conditions")
        parts = [_object(part, path, f"{at}.{place}", depth + 1) for place, part in enumerate(value)]
        return Combined(COMBINATIONS[name], tuple(parts))
    if name in SYMBOLS and path:
        return Compare(path, name, _compared(name, value, at))
    if name in SYMBOLS:
        raise FilterError(f'{at}: name the attribute first, as in {{"priority": {{"{name}": …}}}}')
    return _attribute((*path, _text(name, at)), value, at, depth)


def _attribute(path: tuple[str, ...], value: Any, at: str, depth: int) -> Condition:
    if path[0] in HIDDEN:
        raise FilterError(f"{at}: this attribute is not shown, and nothing is found by it")
    if isinstance(value, Mapping):
        return _object(value, path, at, depth + 1)
    operator = "in" if isinstance(value, list) else "eq"
    return Compare(path, operator, _compared(operator, value, at))


def _compared(operator: str, value: Any, at: str) -> tuple[Scalar, ...]:
    """The values that are compared with."""
    if operator == "in":
        if not isinstance(value, list) or not 0 < len(value) <= MOST_VALUES:
            raise FilterError(f"{at}: write a list of 1 to {MOST_VALUES} values")
        return tuple(_scalar(one, at) for one in value)
    if operator not in ("eq", "ne") and (isinstance(value, bool) or not isinstance(value, str | int | float)):
        raise FilterError(f"{at}: compare with a number or a text")
    return (_scalar(value, at),)


def _scalar(value: Any, at: str) -> Scalar:
    if isinstance(value, str):
        return _text(value, at)
    if isinstance(value, float) and not isfinite(value):
        raise FilterError(f"{at}: this number is too large")
    if value is None or isinstance(value, bool | int | float):
        return value
    raise FilterError(f"{at}: compare with a text, a number, true, false or null")


def _short(name: str) -> str:
    """A name that was sent, as a message may repeat it."""
    return name[:LONGEST_SHOWN].encode(errors="replace").replace(b"\0", b"?").decode()


def _text(value: Any, at: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_VALUE:
        raise FilterError(f"{at}: write a text of 1 to {LONGEST_VALUE} characters")
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in value):
        raise FilterError(f"{at}: a text holds neither NUL nor half of a surrogate pair")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or len(value) > MOST_VALUES:
        raise FilterError(f"{name}: write a list of at most {MOST_VALUES} texts")
    return tuple(dict.fromkeys(_text(one, name) for one in value))


def _all(parts: Sequence[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else Combined("all", tuple(parts))


def _each(condition: Condition) -> Iterator[Condition]:
    yield condition
    if isinstance(condition, Combined):
        for part in condition.parts:
            yield from _each(part)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
