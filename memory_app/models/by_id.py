"""Rows read by their ids, as many as are shown at once: planned once for a connection, sent back in binary.

The ORM writes and the database plans such a read anew each time, which takes longer than reading twenty rows.
"""

from collections.abc import Collection
from functools import cache
from typing import TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Field, Model

from memory_app.models.wire import rows_of

Row = TypeVar("Row", bound=Model)


def by_id(
    model: type[Row], spaces: Collection[UUID], ids: Collection[UUID], *, without: tuple[str, ...] = ()
) -> list[Row]:
    """Those of the ids that are there, in no order; expects their scope. without: fields that are left to be read
    when someone asks for them."""
    statement, names = _statement(model, without)
    values = {"spaces": list(spaces), "ids": list(ids)}
    return [model.from_db(connection.alias, names, row) for row in rows_of(statement, values)]


@cache
def _statement(model: type[Model], without: tuple[str, ...]) -> tuple[str, list[str]]:
    fields: list[Field[object, object]] = [
        field for field in model._meta.concrete_fields if field.column and field.name not in without
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    where = "space_id = ANY(%(spaces)s::uuid[]) AND id = ANY(%(ids)s::uuid[])"
    return f"SELECT {columns} FROM {model._meta.db_table} WHERE {where}", [field.attname for field in fields]
