"""Insert many rows in one statement: for imports, and whatever else stores rows by the hundred."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any, TypeAlias

from django.contrib.postgres.search import SearchVectorField
from django.db import connection
from django.db.models import Field, JSONField, Model
from pgvector.django import HalfVectorField
from psycopg.types.json import Jsonb

from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, execute_binary

MAX_PARAMETERS = 65_535
"""The protocol counts the parameters of a statement in 16 bits."""

AnyField: TypeAlias = "Field[Any, Any]"

Statement: TypeAlias = tuple[str, Sequence[Any]]
"""SQL with $1, $2 … in it, and their values."""


def insert_rows(rows: Sequence[Model], *, after: Statement | None = None, skip_existing: bool = False) -> None:
    """Insert new rows of one model, with the fields as they are set.

    after: a statement that is sent together with the rows, to save a round trip; not sent if there are no rows.
    skip_existing: whether rows that exist stay as they are; else they are an error.
    """
    if not rows:
        return
    fields = _stored_fields(type(rows[0]))
    batch_size = MAX_PARAMETERS // (2 * len(fields))
    suffix = " ON CONFLICT DO NOTHING" if skip_existing else ""
    for start in range(0, len(rows), batch_size):
        _insert_batch(rows[start : start + batch_size], fields, after if start == 0 else None, suffix)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def insert_pair(row: Model, other: Model) -> None:
    """Insert a new row and one of another table in one statement, to save a round trip."""
    numbers = count(1)
    (first, first_values), (second, second_values) = (
        _insert_statement([one], _stored_fields(type(one)), numbers) for one in (row, other)
    )
    execute_binary(f"WITH stored AS ({first}) {second}", [*first_values, *second_values])
    for one in (row, other):
        one._state.adding, one._state.db = False, connection.alias


def _insert_batch(rows: Sequence[Model], fields: Sequence[AnyField], after: Statement | None, suffix: str) -> None:
    first, first_values = after or ("", ())
    statement, values = _insert_statement(rows, fields, count(1 + len(first_values)))
    statement = f"WITH first AS ({first}) {statement}" if after else statement
    execute_binary(statement + suffix, [*first_values, *values])


def _insert_statement(
    rows: Sequence[Model], fields: Sequence[AnyField], numbers: Iterator[int]
) -> tuple[str, list[Any]]:
    """The INSERT of the rows, its placeholders numbered from `numbers`, and their values."""
    adapters = [(field.attname, _parameter_adapter(field)) for field in fields]
    values = [value for row in rows for name, make in adapters for value in make(getattr(row, name))]
    value_lists = ", ".join(f"({', '.join(_placeholder(field, numbers) for field in fields)})" for _ in rows)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return f'INSERT INTO "{rows[0]._meta.db_table}" ({columns}) VALUES {value_lists}', values


@cache
def _stored_fields(model: type[Model]) -> Sequence[AnyField]:
    """Without generated columns and composite keys."""
    return [field for field in model._meta.concrete_fields if field.column and not field.generated]


def _placeholder(field: AnyField, numbers: Iterator[int]) -> str:
    if isinstance(field, SearchVectorField):
        return f"to_tsvector(${next(numbers)}::regconfig, ${next(numbers)})"
    return f"${next(numbers)}"


def _parameter_adapter(field: AnyField) -> Callable[[Any], tuple[Any, ...]]:
    """What turns a value of the field into the parameters of its placeholder."""
    if isinstance(field, SearchVectorField):
        return _tsvector_parameters
    if isinstance(field, HalfVectorField):
        return lambda vector: (None if vector is None else BinaryHalfVector(vector),)
    if isinstance(field, JSONField):
        return lambda value: (Jsonb(value),)
    return lambda value: (value,)


def _tsvector_parameters(vector: Any) -> tuple[str | None, str | None]:
    pair: tuple[str | None, str | None] = (None, None) if vector is None else vector.configuration_and_text
    return pair
