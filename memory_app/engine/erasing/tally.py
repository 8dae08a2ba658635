"""Tally: rows deleted and rows that lost words, by table, as an erasure goes; many changes in one statement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from psycopg import sql

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


@dataclass
class Tally:
    """What was done so far."""

    removed: Counter[str] = field(default_factory=Counter)
    blanked: Counter[str] = field(default_factory=Counter)

    def together(self, acts: Sequence[Act], params: Mapping[str, Any]) -> None:
        """Carries out changes in one statement, which saves as many round trips. All see the rows as they were before,
        so no two may change the same row."""
        parts = [
            sql.SQL("{} AS ({} RETURNING 1)").format(sql.Identifier(f"act{number}"), act.statement)
            for number, act in enumerate(acts)
        ]
        counts = [sql.SQL("(SELECT count(*) FROM {})").format(sql.Identifier(f"act{n}")) for n in range(len(acts))]
        statement = sql.SQL("WITH {} SELECT {}").format(sql.SQL(", ").join(parts), sql.SQL(", ").join(counts))
        for act, rows in zip(acts, _first(statement, params), strict=True):
            if act.noted:
                self.note(act.table, rows, blanks=act.blanks)

    def count(self, table: str, where: Condition, params: Mapping[str, Any]) -> None:
        """Notes rows as removed that the caller removes in its own order."""
        statement = sql.SQL("SELECT count(*) FROM {} WHERE {}").format(sql.Identifier(table), _sql(where))
        self.note(table, _first(statement, params)[0])

    def note(self, table: str, rows: int, *, blanks: bool = False) -> None:
        if rows:
            (self.blanked if blanks else self.removed)[table] += rows


def _first(statement: sql.Composable, params: Mapping[str, Any]) -> tuple[int, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        row: tuple[int, ...] = cursor.fetchone()
    return row


def _sql(condition: Condition) -> sql.Composable:
    return sql.SQL(condition) if isinstance(condition, str) else condition


def _joined(word: str, conditions: Sequence[Condition]) -> sql.Composable:
    return sql.SQL("({})").format(sql.SQL(word).join(sql.SQL("({})").format(_sql(part)) for part in conditions))
