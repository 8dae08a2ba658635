"""Statements whose parameters are sent, and whose rows come back, in PostgreSQL's binary format."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import BinaryField, Func
from numpy.typing import NDArray
from psycopg.adapt import Dumper
from psycopg.pq import Format


class BinaryHalfVector:
    """A vector as a parameter for a halfvec column."""

    def __init__(self, vector: Any) -> None:
        self.halves = np.asarray(vector, dtype=">f2")


class BinaryHalfVectorDumper(Dumper):
    """pgvector's binary format: the number of dimensions, two zero bytes, big-endian half-precision floats."""

    format = Format.BINARY

    def dump(self, obj: BinaryHalfVector) -> bytes:
        return len(obj.halves).to_bytes(2) + b"\x00\x00" + obj.halves.tobytes()


class HalfVectorBytes(Func):
    """A halfvec in pgvector's binary format, for `decode_half_vectors`: read far faster than text."""

    function = "halfvec_send"
    output_field = BinaryField()


def decode_half_vectors(values: Sequence[bytes | memoryview], dimensions: int) -> NDArray[np.float32]:
    """One vector a row."""
    halves = np.frombuffer(b"".join(values), dtype=">f2").reshape(len(values), dimensions + 2)
    return halves[:, 2:].astype(np.float32)  # the first two numbers are the header


psycopg.adapters.register_dumper(BinaryHalfVector, BinaryHalfVectorDumper)


class PreparedCursor(psycopg.Cursor[Any]):
    """Prepares each statement, so that the database plans it once for a connection."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        return super().execute(query, params, prepare=True, binary=True)


def execute_binary(statement: str, values: Sequence[Any]) -> None:
    """Executes a statement that returns no rows. Its parameters are $1, $2 …: psycopg need not parse the text for
    them, which takes its other cursors long when there are tens of thousands."""
    with _execute(psycopg.RawCursor(_psycopg_connection()), statement, values):
        pass


def fetch_dicts(statement: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a statement as dicts by column name. Its parameters are %(name)s."""
    with _execute(PreparedCursor(_psycopg_connection()), statement, values) as cursor:
        columns = [column.name for column in cursor.description or ()]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def fetch_tuples(statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement as tuples, where two columns may have the same name. Its parameters are %(name)s."""
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
