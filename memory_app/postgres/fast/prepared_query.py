"""QuerySets whose SQL is written once for a process, and planned once for a connection."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, cached_property
from itertools import islice
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Field, Model, QuerySet
from django.db.models.base import ModelState
from psycopg.sql import Literal

from memory_app.postgres.fast.binary_protocol import fetch_tuples

Row = TypeVar("Row", bound=Model)
Other = TypeVar("Other", bound=Model)


class PreparedQuery(Generic[Row]):
    """A query whose parameters differ from time to time and whose SQL does not.

    rows: a QuerySet with a unique stand-in value for each parameter.
    placeholders: the stand-in of each parameter, by its name.
    related: foreign keys to join, as `select_related` does.
    annotations: names of annotations, set as attributes of the row.
    suffix: put after the SQL, such as FOR UPDATE.
    """

    def __init__(
        self,
        rows: "QuerySet[Row]",
        placeholders: Mapping[str, Any],
        *,
        related: Sequence[str] = (),
        annotations: Sequence[str] = (),
        suffix: str = "",
    ) -> None:
        self._rows, self._placeholders = rows, placeholders
        self._related, self._annotations, self._suffix = related, annotations, suffix

    def first(self, **values: Any) -> Row | None:
        """The first row with these parameters."""
        return next((self.build_row(iter(row)) for row in fetch_tuples(self.statement, values)), None)

    def all(self, **values: Any) -> list[Row]:
        """The rows with these parameters."""
        return [self.build_row(iter(row)) for row in fetch_tuples(self.statement, values)]

    @cached_property
    def statement(self) -> str:
        """Its SQL, with `%(name)s` for each parameter."""
        columns = [field.attname for field in _stored_fields(self._rows.model)]
        for name in self._related:
            columns += [f"{name}__{field.attname}" for field in _stored_fields(_related_model(self._rows.model, name))]
        rows = self._rows.values_list(*columns, *self._annotations)
        return parametrised_sql(rows, self._placeholder_name) + self._suffix

    def _placeholder_name(self, value: Any) -> str | None:
        return next((name for name, stand_in in self._placeholders.items() if stand_in == value), None)

    def build_row(self, values: Iterator[Any]) -> Any:
        """The row of the next values; None if a left join found no row."""
        row = _instance(self._rows.model, values)
        for name in self._related:
            other = _instance(_related_model(self._rows.model, name), values)
            if other is not None:
                self._rows.model._meta.get_field(name).set_cached_value(row, other)  # type: ignore[union-attr]
        for name, value in zip(self._annotations, values, strict=False):
            if row is not None:
                setattr(row, name, value)
        return row


class PreparedPair(Generic[Row, Other]):
    """Two queries in one statement, to save a round trip. Their parameters have different names."""

    def __init__(self, first: PreparedQuery[Row], second: PreparedQuery[Other]) -> None:
        self._first, self._second = first, second

    def all(self, **values: Any) -> list[tuple[Row, Other | None]]:
        """Each row of the first query with each of the second, or with None if that has no row."""
        pairs = (iter(row) for row in fetch_tuples(self._statement, values))
        return [(self._first.build_row(pair), self._second.build_row(pair)) for pair in pairs]

    @cached_property
    def _statement(self) -> str:
        return f"SELECT * FROM ({self._first.statement}) one LEFT JOIN ({self._second.statement}) other ON true"


def _related_model(model: type[Model], name: str) -> type[Model]:
    related = model._meta.get_field(name).related_model
    if not isinstance(related, type):
        raise TypeError(f"{name} of {model.__name__} refers to no other model")
    return related


def _stored_fields(model: type[Model]) -> "list[Field[Any, Any]]":
    """All but composite keys, whose columns are fields of their own."""
    return [field for field in model._meta.concrete_fields if field.column]


def _instance(model: type[Model], values: Iterator[Any]) -> Any:
    """The row of the next values; None if a left join found no row, so that a NOT NULL column is null."""
    fields = _stored_fields(model)
    column_values = [*islice(values, len(fields))]
    if any(value is None and not field.null for field, value in zip(fields, column_values, strict=True)):
        return None
    return row_instance(model, connection.alias, [field.attname for field in fields], column_values)


def row_instance(model: type[Row], alias: str, names: Sequence[str], values: Sequence[Any]) -> Row:
    """As `Model.from_db`, without its signals and without asking each field: ten memories take 0.02 ms instead of 0.2.
    Fields that are not named are deferred."""
    row: Row = model.__new__(model)
    row.__dict__.update(zip(names, values, strict=True))
    state = row._state = ModelState()
    state.adding, state.db = False, alias
    return row


def inlined_sql(rows: "QuerySet[Any, Any]") -> str:
    """The SQL of a QuerySet with its parameters as literals."""
    sql, params = rows.query.sql_with_params()
    inlined: str = connection.ops.compose_sql(sql, params)  # type: ignore[attr-defined]
    return inlined.replace("%", "%%")


def parametrised_sql(rows: "QuerySet[Any, Any]", parameter_name: Callable[[Any], str | None]) -> str:
    """The SQL of a QuerySet: parameters that `parameter_name` names as `%(name)s`, the others as literals."""
    sql, params = rows.query.sql_with_params()
    remaining = iter(params)
    return re.sub("%s", lambda _: _placeholder(next(remaining), parameter_name), sql)


def _placeholder(value: Any, parameter_name: Callable[[Any], str | None]) -> str:
    plain = getattr(value, "obj", value)  # the driver wraps bytes
    name = parameter_name(plain)
    if name is not None:
        return f"%({name})s"
    return Literal(str(plain) if isinstance(plain, Enum) else plain).as_string().replace("%", "%%")


def rows_by_id(
    model: type[Row], spaces: Collection[UUID], ids: Collection[UUID], *, without: tuple[str, ...] = ()
) -> list[Row]:
    """The rows with these ids, in no order. without: deferred fields. Expects the spaces to be allowed."""
    statement, names = _select_by_id(model, without)
    values = {"spaces": list(spaces), "ids": list(ids)}
    alias = connection.alias
    return [row_instance(model, alias, names, row) for row in fetch_tuples(statement, values)]


@cache
def _select_by_id(model: type[Model], without: tuple[str, ...]) -> tuple[str, list[str]]:
    fields: list[Field[object, object]] = [
        field for field in model._meta.concrete_fields if field.column and field.name not in without
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    where = "space_id = ANY(%(spaces)s::uuid[]) AND id = ANY(%(ids)s::uuid[])"
    return f"SELECT {columns} FROM {model._meta.db_table} WHERE {where}", [field.attname for field in fields]
