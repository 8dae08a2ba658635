"""Statements that a connection keeps under a number, sent and read without psycopg's cursors.

A cursor reads the text of its statement at each call, for parameters in it, and keeps it by that text: of one of 15,000
characters that took up to 0.3 ms. It also sends and receives step by step, so that a program may do something else
between. Here the text is read once for a process, and the driver's own types turn values to bytes and back.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from psycopg import abc, errors
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import DiagnosticField, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

Connection = psycopg.Connection[Any]
Names = dict[tuple[bytes, tuple[int, ...]], bytes]
"""By the text of a statement and the types of its parameters: the name it is prepared by."""

MAX_TEXTS = 1024
MAX_PREPARED = 100
"""Statements that a connection keeps, as psycopg would; then it starts over."""

_PARAMETER = re.compile(r"%(?:\((\w+)\)s|%)")
_prepared: WeakKeyDictionary[Connection, Names] = WeakKeyDictionary()
_numbers = count(1)


def read_rows(connection: Connection, statement: str, values: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    """The names of the columns, and the rows as tuples. Parameters are %(name)s in the statement."""
    text, names = _with_numbers(statement)
    transformer = Transformer(connection)
    parameters = transformer.dump_sequence([values[name] for name in names], [PyFormat.AUTO] * len(names))
    with connection.lock:
        _begin(connection)
        result = _execute(connection, text, parameters, transformer)
    transformer.set_pgresult(result)
    columns = [(result.fname(number) or b"").decode() for number in range(result.nfields)]
    return columns, transformer.load_rows(0, result.ntuples, tuple)


def send_together(connection: Connection, statements: str) -> None:
    """Executes statements that have no parameters and return no rows, with the BEGIN that they need, in one message."""
    with connection.lock:
        begin = "BEGIN; " if _has_to_begin(connection) else ""
        _check(connection.pgconn.exec_(f"{begin}{statements}".encode()))


@lru_cache(MAX_TEXTS)
def _with_numbers(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """The statement with $1, $2 … for its parameters, and their names in this order."""
    numbers: dict[str, int] = {}

    def number(found: "re.Match[str]") -> str:
        name = found[1]
        return "%" if name is None else f"${numbers.setdefault(name, len(numbers) + 1)}"

    text = _PARAMETER.sub(number, statement)
    return text.encode(), tuple(numbers)


def _execute(connection: Connection, text: bytes, parameters: Any, transformer: abc.Transformer) -> PGresult:
    """Expects the connection to be locked, and its transaction begun."""
    server, types = connection.pgconn, transformer.types or ()
    if connection.prepare_threshold is None:  # as where a pooler may stand between
        return _check(server.exec_params(text, parameters, types, transformer.formats, Format.BINARY))
    prepared = _prepared.setdefault(connection, {})
    try:
        name = prepared.get((text, types)) or _prepare(server, prepared, text, types)
        return _check(server.exec_prepared(name, parameters, transformer.formats, Format.BINARY))
    except errors.InvalidSqlStatementName:  # someone dropped all that was prepared: the next time it is prepared anew
        prepared.clear()
        raise
    except errors.FeatureNotSupported:  # a table is another than when it was planned
        prepared.pop((text, types), None)
        raise


def _prepare(server: PGconn, prepared: Names, text: bytes, types: tuple[int, ...]) -> bytes:
    """The name it has now."""
    if len(prepared) == MAX_PREPARED:
        # By name: the driver keeps statements of its own.
        _check(server.exec_(b"; ".join(b"DEALLOCATE " + name for name in prepared.values())))
        prepared.clear()
    name = b"keepsake_%d" % next(_numbers)
    _check(server.prepare(name, text, types))
    prepared[text, types] = name
    return name


def _begin(connection: Connection) -> None:
    if _has_to_begin(connection):
        _check(connection.pgconn.exec_(b"BEGIN"))


def _has_to_begin(connection: Connection) -> bool:
    return not connection.autocommit and connection.pgconn.transaction_status == TransactionStatus.IDLE


def _check(result: PGresult) -> PGresult:
    """The result, where it is one. Raises what the server said where it is none, or that the server is away."""
    if result.status in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
        return result
    if result.error_field(DiagnosticField.SQLSTATE) is None:
        raise psycopg.OperationalError(result.get_error_message())
    raise errors.error_from_result(result)
