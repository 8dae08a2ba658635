"""Reads that come with every request: written by the ORM once, and planned by the database once for a connection.

To make SQL of a QuerySet takes longer than an indexed read, and with joins so does planning it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model, QuerySet

from memory_app.models.as_sql import named
from memory_app.models.wire import rows_of

Row = TypeVar("Row", bound=Model)


class Written(Generic[Row]):
    """A read whose parameters differ and whose SQL does not.

    rows: with a stand-in for each parameter, a value that is nothing else in them; stand_ins: their names.
    beside: what a row refers to, read with it. also: annotations, set as attributes. ending: put after the SQL.
    """

    def __init__(
        self,
        rows: "QuerySet[Row]",
        stand_ins: Mapping[str, Any],
        *,
        beside: Sequence[str] = (),
        also: Sequence[str] = (),
        ending: str = "",
    ) -> None:
        self._rows, self._stand_ins, self._beside, self._also, self._ending = rows, stand_ins, beside, also, ending

    def first(self, **values: Any) -> Row | None:
        """The first row that is found with these parameters."""
        return next((self._made(iter(row)) for row in rows_of(self._statement, values)), None)

    @cached_property
    def _statement(self) -> str:
        columns = [field.attname for field in _fields(self._rows.model)]
        for name in self._beside:
            columns += [f"{name}__{field.attname}" for field in _fields(_model(self._rows.model, name))]
        return named(self._rows.values_list(*columns, *self._also), self._name_of) + self._ending

    def _name_of(self, value: Any) -> str | None:
        return next((name for name, stand_in in self._stand_ins.items() if stand_in == value), None)

    def _made(self, values: Iterator[Any]) -> Row:
        row: Row = _instance(self._rows.model, values)
        for name in self._beside:
            other = _instance(_model(self._rows.model, name), values)
            if other is not None:
                self._rows.model._meta.get_field(name).set_cached_value(row, other)  # type: ignore[union-attr]
        for name, value in zip(self._also, values, strict=True):
            setattr(row, name, value)
        return row


def _model(model: type[Model], name: str) -> type[Model]:
    related = model._meta.get_field(name).related_model
    if not isinstance(related, type):
        raise TypeError(f"{name} of {model.__name__} refers to no other model")
    return related


def _fields(model: type[Model]) -> "list[Field[Any, Any]]":
    """What is stored of a row, a key of several columns left out: those are there by themselves."""
    return [field for field in model._meta.concrete_fields if field.column]


def _instance(model: type[Model], values: Iterator[Any]) -> Any:
    """The row of the next values; None where a join found none, and so lacks what no row lacks."""
    fields = _fields(model)
    own = [*islice(values, len(fields))]
    if any(value is None and not field.null for field, value in zip(fields, own, strict=True)):
        return None
    return model.from_db(connection.alias, [field.attname for field in fields], own)
