"""Statements whose parameters are sent, and whose rows come back, in PostgreSQL's binary format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from numpy.typing import NDArray
from psycopg.adapt import Dumper
from psycopg.pq import Format

from memory_app.postgres.fast.numbered_statement import read_rows, send_together


class BinaryHalfVector:
    """A vector as a parameter for a halfvec column."""

    def __init__(self, vector: Any) -> None:
        self.halves = np.asarray(vector, dtype=">f2")


class BinaryHalfVectorDumper(Dumper):
    """pgvector's binary format: the number of dimensions, two zero bytes, big-endian half-precision floats."""

    format = Format.BINARY

    def dump(self, obj: BinaryHalfVector) -> bytes:
        return len(obj.halves).to_bytes(2) + b"\x00\x00" + obj.halves.tobytes()


def decode_half_vectors(values: Sequence[bytes | memoryview], dimensions: int) -> NDArray[np.float32]:
    """One vector a row, as `halfvec_send` writes it: read far faster than text."""
    halves = np.frombuffer(b"".join(values), dtype=">f2").reshape(len(values), dimensions + 2)
    return halves[:, 2:].astype(np.float32)  # the first two numbers are the header


psycopg.adapters.register_dumper(BinaryHalfVector, BinaryHalfVectorDumper)


def execute_binary(statement: str, values: Sequence[Any]) -> None:
    """Executes a statement that returns no rows. Its parameters are $1, $2 …: psycopg need not parse the text for
    them, which takes its other cursors long when there are tens of thousands."""
    django = connections[DEFAULT_DB_ALIAS]
    with CursorWrapper(psycopg.RawCursor(_psycopg_connection(django)), django) as cursor:
        cursor.execute(statement, values)


def fetch_dicts(statement: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a statement as dicts by column name. Its parameters are %(name)s."""
    columns, rows = _on_connection(read_rows, statement, values)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def fetch_tuples(statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement as tuples, where two columns may have the same name. Its parameters are %(name)s."""
    rows: list[tuple[Any, ...]] = _on_connection(read_rows, statement, values)[1]
    return rows


def execute_together(statements: str) -> None:
    """Executes statements that have no parameters and whose rows nobody reads in one message, with the BEGIN that they
    need."""
    _on_connection(lambda raw, text, _: send_together(raw, text), statements, None)


def _on_connection(act: Callable[["psycopg.Connection[Any]", str, Any], Any], statement: str, values: Any) -> Any:
    """What `act` returns of a statement on Django's connection, as a cursor of Django's would have executed it."""
    django = connections[DEFAULT_DB_ALIAS]
    raw = _psycopg_connection(django)
    django.validate_no_broken_transaction()

    def execute(sql: str, parameters: Any, many: bool, context: Mapping[str, Any]) -> Any:
        with django.wrap_database_errors:
            return act(raw, sql, parameters)

    for wrapper in reversed(django.execute_wrappers):
        execute = partial(wrapper, execute)
    return execute(statement, values, False, {"connection": django, "cursor": None})


@contextmanager
def sent_together() -> Iterator[None]:
    """What `execute_binary` is given within is sent without waiting for an answer to each statement, only for all of
    them at the end, which raises what failed. Nothing else may be asked of the database within."""
    django = connections[DEFAULT_DB_ALIAS]
    with django.wrap_database_errors, _psycopg_connection(django).pipeline():
        yield


def _psycopg_connection(django: BaseDatabaseWrapper) -> "psycopg.Connection[Any]":
    django.close_if_health_check_failed()  # as Django does before each cursor of its own
    django.ensure_connection()
    raw: psycopg.Connection[Any] = django.connection
    return raw
