"""Tally: rows deleted and rows that lost words, by table, as an erasure goes; many changes in one statement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import connection
from psycopg import sql

from memory_app.postgres.fast.binary_protocol import fetch_tuples

Condition = sql.Composable | str


@dataclass(frozen=True, slots=True)
class TableChange:
    """A change of one table. blanked_only: its rows stay, without some of their words. counted: in the receipt."""

    table: str
    statement: sql.Composable
    blanked_only: bool = False
    counted: bool = True


def delete_rows(table: str, where: Condition) -> TableChange:
    return TableChange(table, sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), _sql(where)))


def blank_rows(table: str, values: Condition, where: Condition) -> TableChange:
    statement = sql.SQL("UPDATE {} SET {} WHERE {}").format(sql.Identifier(table), _sql(values), _sql(where))
    return TableChange(table, statement, blanked_only=True)


def all_of(*conditions: Condition) -> sql.Composable:
    return _joined(" AND ", conditions)


def any_of(*conditions: Condition) -> sql.Composable:
    return _joined(" OR ", conditions)


@dataclass(frozen=True)
class CombinedChanges:
    """Changes made in one statement, which saves as many round trips. All see the rows as they were before, so no two
    may change the same row. The statement is written once: to compose it takes longer than to carry it out."""

    changes: Sequence[TableChange]

    @cached_property
    def statement(self) -> str:
        parts = [
            sql.SQL("{} AS ({} RETURNING 1)").format(sql.Identifier(f"act{number}"), change.statement)
            for number, change in enumerate(self.changes)
        ]
        counts = [
            sql.SQL("(SELECT count(*) FROM {})").format(sql.Identifier(f"act{n}")) for n in range(len(self.changes))
        ]
        return sql.SQL("WITH {} SELECT {}").format(sql.SQL(", ").join(parts), sql.SQL(", ").join(counts)).as_string()


@dataclass
class RowCounts:
    """What was done so far."""

    removed: Counter[str] = field(default_factory=Counter)
    blanked: Counter[str] = field(default_factory=Counter)

    def apply(self, changes_at_once: CombinedChanges, params: Mapping[str, Any]) -> None:
        """Makes the changes, and notes how many rows each of them reached."""
        (counts,) = fetch_tuples(changes_at_once.statement, params)
        for change, rows in zip(changes_at_once.changes, counts, strict=True):
            if change.counted:
                self.add(change.table, rows, blanked_only=change.blanked_only)

    def count(self, table: str, where: Condition, params: Mapping[str, Any]) -> None:
        """Notes rows as removed that the caller removes in its own order."""
        statement = sql.SQL("SELECT count(*) FROM {} WHERE {}").format(sql.Identifier(table), _sql(where))
        with connection.cursor() as cursor:
            cursor.execute(statement, params)
            self.add(table, cursor.fetchone()[0])

    def add(self, table: str, rows: int, *, blanked_only: bool = False) -> None:
        if rows:
            (self.blanked if blanked_only else self.removed)[table] += rows


def _sql(condition: Condition) -> sql.Composable:
    return sql.SQL(condition) if isinstance(condition, str) else condition


def _joined(word: str, conditions: Sequence[Condition]) -> sql.Composable:
    return sql.SQL("({})").format(sql.SQL(word).join(sql.SQL("({})").format(_sql(part)) for part in conditions))
