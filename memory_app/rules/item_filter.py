"""Filters of items, as LangGraph's stores have them: equality, nested, and `$eq $ne $gt $gte $lt $lte`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte")
MAX_COMPARISONS = 50
MAX_DEPTH = 8


class ItemFilterError(ValueError):
    """The filter is none; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What lies at a path of the value, compared with an operand. operator: one of OPERATORS."""

    path: tuple[str, ...]
    operator: str
    operand: Any


def read_item_filter(values: Mapping[str, Any] | None) -> tuple[Comparison, ...]:
    """All of these must hold: {"a": 1} equals, {"a": {"b": 1}} looks within, {"a": {"$gt": 1}} compares.

    Raises ItemFilterError.
    """
    found = tuple(_comparisons((), values or {}))
    if len(found) > MAX_COMPARISONS:
        raise ItemFilterError(f"more than {MAX_COMPARISONS} comparisons; ask for less at once")
    return found


def _comparisons(path: tuple[str, ...], values: Mapping[str, Any]) -> Iterator[Comparison]:
    if len(path) > MAX_DEPTH:
        raise ItemFilterError(f"nested deeper than {MAX_DEPTH} levels")
    for name, operand in values.items():
        if name.startswith("$"):
            yield _comparison(path, name, operand)
        elif isinstance(operand, Mapping) and operand:
            yield from _comparisons((*path, name), operand)
        else:
            yield Comparison((*path, name), "eq", operand)


def _comparison(path: tuple[str, ...], name: str, operand: Any) -> Comparison:
    operator = name.removeprefix("$")
    if operator not in OPERATORS:
        raise ItemFilterError(f"there is no operator {name[:20]}; there are $eq, $ne, $gt, $gte, $lt and $lte")
    if not path:
        raise ItemFilterError(f'name a field first, as in {{"age": {{"{name}": 18}}}}')
    if operator not in ("eq", "ne") and (isinstance(operand, bool) or not isinstance(operand, str | int | float)):
        raise ItemFilterError(f"{name} compares with a number or a text")
    return Comparison(path, operator, operand)
