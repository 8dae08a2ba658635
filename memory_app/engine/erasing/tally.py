"""Tally: rows deleted and rows that lost words, by table, as an erasure goes; many changes in one statement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import connection
from psycopg import sql

from memory_app.models.wire import rows_of

Condition = sql.Composable | str


@dataclass(frozen=True, slots=True)
class Act:
    """A change of one table. blanks: its rows stay, without some of their words. noted: whether it is counted."""

    table: str
    statement: sql.Composable
    blanks: bool = False
    noted: bool = True


def deleting(table: str, where: Condition) -> Act:
    return Act(table, sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), _sql(where)))


def blanking(table: str, values: Condition, where: Condition) -> Act:
    statement = sql.SQL("UPDATE {} SET {} WHERE {}").format(sql.Identifier(table), _sql(values), _sql(where))
    return Act(table, statement, blanks=True)


def every(*conditions: Condition) -> sql.Composable:
    return _joined(" AND ", conditions)


def either(*conditions: Condition) -> sql.Composable:
    return _joined(" OR ", conditions)


@dataclass(frozen=True)
class Together:
    """Changes made in one statement, which saves as many round trips. All see the rows as they were before, so no two
    may change the same row. The statement is written once: to compose it takes longer than to carry it out."""

    acts: Sequence[Act]

    @cached_property
    def statement(self) -> str:
        parts = [
            sql.SQL("{} AS ({} RETURNING 1)").format(sql.Identifier(f"act{number}"), act.statement)
            for number, act in enumerate(self.acts)
        ]
        counts = [sql.SQL("(SELECT count(*) FROM {})").format(sql.Identifier(f"act{n}")) for n in range(len(self.acts))]
        return sql.SQL("WITH {} SELECT {}").format(sql.SQL(", ").join(parts), sql.SQL(", ").join(counts)).as_string()


@dataclass
class Tally:
    """What was done so far."""

    removed: Counter[str] = field(default_factory=Counter)
    blanked: Counter[str] = field(default_factory=Counter)

    def carry_out(self, together: Together, params: Mapping[str, Any]) -> None:
        """Makes the changes, and notes how many rows each of them reached."""
        (counts,) = rows_of(together.statement, params)
        for act, rows in zip(together.acts, counts, strict=True):
            if act.noted:
                self.note(act.table, rows, blanks=act.blanks)

    def count(self, table: str, where: Condition, params: Mapping[str, Any]) -> None:
        """Notes rows as removed that the caller removes in its own order."""
        statement = sql.SQL("SELECT count(*) FROM {} WHERE {}").format(sql.Identifier(table), _sql(where))
        with connection.cursor() as cursor:
            cursor.execute(statement, params)
            self.note(table, cursor.fetchone()[0])

    def note(self, table: str, rows: int, *, blanks: bool = False) -> None:
        if rows:
            (self.blanked if blanks else self.removed)[table] += rows


def _sql(condition: Condition) -> sql.Composable:
    return sql.SQL(condition) if isinstance(condition, str) else condition


def _joined(word: str, conditions: Sequence[Condition]) -> sql.Composable:
    return sql.SQL("({})").format(sql.SQL(word).join(sql.SQL("({})").format(_sql(part)) for part in conditions))
