"""The raw cost of a search: the very statement that the engine sends, and the very call of the model, by themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
from django.db import connection

from memory_app.embedding.encoder import Encoder
from memory_app.engine.enter import Entered
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import recall
from memory_app.models.wire import Halves, HalvesDumper, Prepared


@dataclass
class Statement:
    """One statement as it was sent: its text, and its parameters."""

    sql: str
    parameters: Any


@dataclass
class Sent:
    """All statements that were sent while `listening`."""

    statements: list[Statement] = field(default_factory=list)

    def __call__(self, execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        self.statements.append(Statement(sql, parameters))
        return execute(sql, parameters, many, context)


@contextmanager
def listening() -> Iterator[Sent]:
    """Takes note of what Django sends to the database."""
    sent = Sent()
    with connection.execute_wrapper(sent):
        yield sent


def search_statement(entered: Entered, question: str, encoder: Encoder, now: datetime) -> Statement:
    """The statement that a search for this question is answered by: by far the longest it sends."""
    with listening() as sent:
        recall(entered=entered, asked=Asked(question), now=now, encoder=encoder)
    return max(sent.statements, key=lambda statement: len(statement.sql))


class Raw:
    """A connection of its own, like those of the web server. Everything of every space may be seen and written."""

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] = connection.get_new_connection(connection.get_connection_params())
        self._connection.autocommit = True
        self._cursor = self._connection.cursor()
        self._numbered = psycopg.RawCursor(self._connection)
        self._named = Prepared(self._connection)
        self._named.adapters.register_dumper(Halves, HalvesDumper)

    def reach(self, entered: Entered) -> None:
        """Sets the spaces of a person, and to find them by index, as each transaction of the engine does."""
        array = ",".join(sorted(str(space) for space in entered.venue.spaces))
        self._cursor.execute(f"SET app.spaces = '{{{array}}}'; SET enable_seqscan = off")

    def run(self, statement: Statement) -> None:
        """Sends it, and takes whatever it answers."""
        cursor = self._numbered if "$1" in statement.sql else self._named
        cursor.execute(statement.sql, statement.parameters)
        if cursor.description:
            cursor.fetchall()

    def close(self) -> None:
        self._connection.close()
