"""mem0's filters, read: `{"AND": [{"user_id": "alice"}, {"created_at": {"gte": "2026-01-01"}}]}`.

They become the engine's own tree of conditions. What they ask of ids decides whose memories are looked at: for each
owner who may be meant, the tree is bound to them, and what is left of it is asked of their rows in SQL.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from memory_app.compat.mem0.owners import ID_FIELDS, NOTED_IN, Owner
from memory_app.errors import Invalid
from memory_app.rules.filters import (
    DEEPEST,
    LONGEST_VALUE,
    MOST_CONDITIONS,
    MOST_VALUES,
    SYMBOLS,
    TEXT_FLAGS,
    Combined,
    Compare,
    Condition,
    Scalar,
)

ANY_VALUE = "*"
COMBINATIONS = {"AND": "all", "OR": "any", "NOT": "none"}
OPERATORS = frozenset({*SYMBOLS, *TEXT_FLAGS})
TIMES = ("created_at", "updated_at")
LISTS = {"categories": "labels", "keywords": "keywords"}
METADATA = ("attributes", "metadata")
FORMS = 'write {"user_id": "alice"}, {"created_at": {"gte": "2026-01-01"}}, or AND, OR and NOT with a list of these'

Bound = Condition | bool
"""What is left of a condition for one owner: true or false of all of their memories, or a question of each."""


@dataclass(frozen=True, slots=True)
class OwnerQuery:
    """Owners that a filter names, and kinds of which it means every one (`*`)."""

    owners: tuple[Owner, ...]
    every: frozenset[str]


def read_conditions(given: Any) -> Condition:
    """The condition of a filter; of ids it asks by paths of one name, such as `("user_id",)`. Raises Invalid."""
    condition = _object(given, 0)
    if sum(1 for _ in leaves(condition)) > MOST_CONDITIONS:
        raise Invalid("filters", f"More than {MOST_CONDITIONS} conditions; ask for less at once.")
    return condition


def all_of(*conditions: Condition | None) -> Condition | None:
    parts = tuple(condition for condition in conditions if condition is not None)
    return Combined("all", parts) if len(parts) > 1 else next(iter(parts), None)


def label_condition(labels: list[str]) -> Condition:
    """One of these is the category of a memory, or among its tags."""
    return Compare(("labels",), "in", tuple(labels))


def time_condition(field: str, operator: str, moment: datetime) -> Condition:
    return Compare((field,), operator, (moment.timestamp(),))


def owners_in(condition: Condition) -> OwnerQuery:
    """Whom a condition names, in the order in which it does."""
    named: dict[Owner, None] = {}
    every = set[str]()
    for leaf in leaves(condition):
        kind = ID_FIELDS.get(leaf.path[0])
        if kind and leaf.operator in ("eq", "in"):
            named |= {Owner(kind, str(value)): None for value in leaf.values if value is not None}
        elif kind and _asks_for_any(leaf):
            every.add(kind)
    return OwnerQuery(tuple(named), frozenset(every))


def bound_to(condition: Condition, owner: Owner) -> Bound:
    """What is left to ask of the memories of one owner."""
    if isinstance(condition, Compare):
        return _bound_leaf(condition, owner)
    parts = [bound_to(part, owner) for part in condition.parts]
    decisive = condition.how != "all"  # one that is true decides "any" and "none", one that is false decides "all"
    if any(part is decisive for part in parts):
        return condition.how == "any"
    open_parts = tuple(part for part in parts if not isinstance(part, bool))
    if not open_parts:
        return condition.how != "any"
    return Combined(condition.how, open_parts)


def leaves(condition: Condition) -> Iterator[Compare]:
    if isinstance(condition, Compare):
        yield condition
    else:
        for part in condition.parts:
            yield from leaves(part)


def _asks_for_any(leaf: Compare) -> bool:
    return leaf.operator == "ne" and leaf.values == (None,)


def _bound_leaf(leaf: Compare, owner: Owner) -> Bound:
    field = leaf.path[0]
    kind = ID_FIELDS.get(field)
    if kind is None:
        return leaf
    if kind != owner.kind:
        # Beside a user the others are noted; nobody notes a user beside an agent.
        noted = Compare(("attributes", NOTED_IN, field), leaf.operator, leaf.values)
        return noted if kind != "user" else _COMPARE_ID[leaf.operator](None, leaf.values)
    return _COMPARE_ID[leaf.operator](owner.id, leaf.values)


_COMPARE_ID: Mapping[str, Callable[[str | None, tuple[Scalar, ...]], bool]] = {
    "eq": lambda own, values: own in values,
    "in": lambda own, values: own in values,
    "ne": lambda own, values: own not in values,
    "contains": lambda own, values: own is not None and str(values[0]) in own,
    "icontains": lambda own, values: own is not None and str(values[0]).lower() in own.lower(),
    "gt": lambda own, values: own is not None and own > str(values[0]),
    "gte": lambda own, values: own is not None and own >= str(values[0]),
    "lt": lambda own, values: own is not None and own < str(values[0]),
    "lte": lambda own, values: own is not None and own <= str(values[0]),
}


def _object(given: Any, depth: int) -> Condition:
    """All that an object asks."""
    if not isinstance(given, Mapping) or not given:
        raise Invalid("filters", f"This is no filter: {FORMS}.")
    if depth > DEEPEST:
        raise Invalid("filters", f"Filters are nested deeper than {DEEPEST} levels.")
    parts = tuple(_member(str(name), value, depth) for name, value in given.items())
    return parts[0] if len(parts) == 1 else Combined("all", parts)


def _member(name: str, value: Any, depth: int) -> Condition:
    how = COMBINATIONS.get(name.removeprefix("$").upper())
    if how:
        parts = value if isinstance(value, list) else [value]
        if not parts:
            raise Invalid("filters", f"{name} takes a list of filters.")
        return Combined(how, tuple(_object(part, depth + 1) for part in parts))  # type: ignore[arg-type]
    if name == "metadata":
        return _metadata(value)
    return _field(name, value)


def _metadata(value: Any) -> Condition:
    """`{"metadata": {"a": 1, "b": {"gte": 3}}}`: all of these."""
    if value == ANY_VALUE:
        return Compare(METADATA, "ne", (None,))
    if not isinstance(value, Mapping) or not value:
        raise Invalid("filters", 'metadata takes an object, such as {"project": "x"}.')
    parts = tuple(part for name, asked in value.items() for part in _compared((*METADATA, _text(name)), asked))
    return parts[0] if len(parts) == 1 else Combined("all", parts)


def _field(name: str, value: Any) -> Condition:
    """A field that mem0 knows; any other name is one of the metadata, as its server has it."""
    if name in ID_FIELDS or name in TIMES:
        path: tuple[str, ...] = (name,)
    elif name in LISTS:
        path = (LISTS[name],)
    else:
        path = (*METADATA, _text(name))
    parts = _compared(path, value)
    return parts[0] if len(parts) == 1 else Combined("all", tuple(parts))


def _compared(path: tuple[str, ...], value: Any) -> list[Condition]:
    if value == ANY_VALUE:
        return [Compare(path, "ne", (None,))]
    if isinstance(value, list):
        return [Compare(path, "in", _values(path, value))]
    if not isinstance(value, Mapping):
        return [Compare(path, "eq", _values(path, [value]))]
    if not value:
        raise Invalid("filters", f"{path[-1]}: say how to compare, such as {{'in': [...]}}.")
    return [_operation(path, str(operator), asked) for operator, asked in value.items()]


def _operation(path: tuple[str, ...], operator: str, asked: Any) -> Condition:
    operator = operator.removeprefix("$")
    if operator not in OPERATORS:
        raise Invalid("filters", f"{path[-1]}: there is no such operator; these are: {', '.join(sorted(OPERATORS))}.")
    if asked == ANY_VALUE:
        return Compare(path, "ne", (None,))
    if operator == "contains" and path[0] in LISTS.values():
        operator = "in"  # a list contains a word that is one of its items
    values = _values(path, asked if isinstance(asked, list) else [asked])
    if operator not in ("in", "eq", "ne") and (isinstance(values[0], bool) or values[0] is None):
        raise Invalid("filters", f"{path[-1]}: {operator} compares with a number or a text.")
    if operator in TEXT_FLAGS and not isinstance(values[0], str):
        raise Invalid("filters", f"{path[-1]}: {operator} looks for a text.")
    if len(values) > 1 and operator not in ("in", "ne"):
        raise Invalid("filters", f"{path[-1]}: {operator} takes one value.")
    return Compare(path, operator, values)


def _values(path: tuple[str, ...], given: list[Any]) -> tuple[Scalar, ...]:
    if not 0 < len(given) <= MOST_VALUES:
        raise Invalid("filters", f"{path[-1]}: write 1 to {MOST_VALUES} values.")
    read = _moment if path[0] in TIMES else _scalar
    return tuple(read(path[-1], value) for value in given)


def _scalar(name: str, value: Any) -> Scalar:
    if isinstance(value, str):
        return _text(value)
    if name in ID_FIELDS and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None or (isinstance(value, bool | int | float) and _is_finite(value)):
        return value
    raise Invalid("filters", f"{name}: compare with a text, a number, true, false or null.")


def _is_finite(value: float) -> bool:
    """Whether it is a number that can be compared: JSON has larger ones."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def _moment(name: str, value: Any) -> float:
    """In seconds since 1970, as the rows are asked; what has no offset is in UTC."""
    if isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value):
        return float(value)
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, OverflowError):
        raise Invalid("filters", f"{name}: write a time like 2026-11-20 or 2026-11-20T18:30:00Z.") from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_VALUE:
        raise Invalid("filters", f"Write texts of 1 to {LONGEST_VALUE} characters.")
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in value):
        raise Invalid("filters", "A text holds neither NUL nor half of a surrogate pair.")
    return value
