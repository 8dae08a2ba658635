"""The raw cost of a search: the statements that the engine sends and the call of the model, by themselves."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
from django.db import connection

from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, BinaryHalfVectorDumper
from memory_app.postgres.fast.numbered_statement import read_rows


@dataclass
class Statement:
    """One statement as it was sent: its text, and its parameters."""

    sql: str
    parameters: Any


@dataclass
class StatementRecorder:
    """All statements that were sent while `record_statements`."""

    statements: list[Statement] = field(default_factory=list)

    def __call__(self, execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        self.statements.append(Statement(sql, parameters))
        return execute(sql, parameters, many, context)


@contextmanager
def record_statements() -> Iterator[StatementRecorder]:
    """Takes note of what Django sends to the database."""
    sent = StatementRecorder()
    with connection.execute_wrapper(sent):
        yield sent


def search_statements(
    venue_context: VenueContext, question: str, encoder: Encoder, now: datetime
) -> Sequence[Statement]:
    """The statements of a search for this question, in order, without what opens and closes their transaction."""
    with record_statements() as sent:
        recall(venue_context=venue_context, recall_query=RecallQuery(question), now=now, encoder=encoder)
    return [statement for statement in sent.statements if isinstance(statement.parameters, Mapping)]


class RawConnection:
    """A connection of its own, like those of the web server. Everything of every space may be seen and written."""

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] = connection.get_new_connection(connection.get_connection_params())
        self._connection.autocommit = True
        self._cursor = self._connection.cursor()
        self._numbered = psycopg.RawCursor(self._connection)
        self._connection.adapters.register_dumper(BinaryHalfVector, BinaryHalfVectorDumper)

    def set_spaces(self, venue_context: VenueContext) -> None:
        """Sets the spaces of a person, and to find them by index, as each transaction of the engine does."""
        array = ",".join(sorted(str(space) for space in venue_context.venue.spaces))
        self._cursor.execute(f"SET app.spaces = '{{{array}}}'; SET enable_seqscan = off")

    def run(self, statement: Statement) -> None:
        """Sends it, and takes whatever it answers."""
        if "$1" in statement.sql:
            self._numbered.execute(statement.sql, statement.parameters)
        else:
            read_rows(self._connection, statement.sql, statement.parameters)

    def run_all(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            self.run(statement)

    def close(self) -> None:
        self._connection.close()
