"""Statements whose values go beside them to the database and come back in binary, not as text within text.

For the few that hold thousands of values or answer with hundreds of rows; the ORM speaks for the others. They run on
Django's connection, in its transaction, and are seen by whoever listens to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg.adapt import Dumper
from psycopg.pq import Format


class BinaryHalfVector:
    """A vector on its way into a halfvec."""

    def __init__(self, vector: Any) -> None:
        self.halves = np.asarray(vector, dtype=">f2")


class BinaryHalfVectorDumper(Dumper):
    """pgvector's binary form: how many dimensions, two bytes of nothing, big-endian halves."""

    format = Format.BINARY

    def dump(self, obj: BinaryHalfVector) -> bytes:
        return len(obj.halves).to_bytes(2) + b"\x00\x00" + obj.halves.tobytes()


psycopg.adapters.register_dumper(BinaryHalfVector, BinaryHalfVectorDumper)


class PreparedCursor(psycopg.Cursor[Any]):
    """Has the database keep its reading of a statement for the next time, where the connection allows for that."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        return super().execute(query, params, prepare=True, binary=True)


def execute_binary(statement: str, values: Sequence[Any]) -> None:
    """Sends a statement that answers nothing. Its parameters are $1, $2 …: nobody looks for them in its text, which
    takes psycopg's other cursors long where there are tens of thousands."""
    with _execute(psycopg.RawCursor(_psycopg_connection()), statement, values):
        pass


def fetch_dicts(statement: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows that a statement answers, by column. Its parameters are %(name)s."""
    with _execute(PreparedCursor(_psycopg_connection()), statement, values) as cursor:
        columns = [column.name for column in cursor.description or ()]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def fetch_tuples(statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The same, each as its values in the order of the columns, of which two may have one name."""
    with _execute(PreparedCursor(_psycopg_connection()), statement, values) as cursor:
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _psycopg_connection() -> "psycopg.Connection[Any]":
    connection.close_if_health_check_failed()  # as Django does before each cursor of its own
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    return raw


def _execute(cursor: "psycopg.Cursor[Any]", statement: str, values: Any) -> CursorWrapper:
    wrapped = CursorWrapper(cursor, connection)
    wrapped.execute(statement, values)
    return wrapped
