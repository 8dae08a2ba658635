"""Purge traces: rewrite what still holds deleted rows, which no query sees and the database's files keep.

After a DELETE the words are in the table's pages, its indexes, the planner's statistics and the write-ahead log. So
tables are rewritten with their indexes, statistics taken anew and rewritten too, and the log is begun afresh.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import ProgrammingError, connection
from psycopg import sql

from config.env import Env
from memory_app.engine.erasing.erased_outside import keep_outside
from memory_app.engine.erasing.proof import sign
from memory_app.engine.erasing.purge import PURGED
from memory_app.models import Erased, Erasure, Proposal, Receipt, Turn
from memory_app.postgres.superuser import superuser

LOST_ROWS_BEFORE = tuple(model._meta.db_table for model in (*PURGED, Proposal, Receipt, Turn))
"""Tables whose rows go in the course of things, by retention or because they were taken back. They may have held words
of what is erased only later: no row is there to be found then, but the files still hold it."""

Report = Callable[[int, int], None]

QUICK_BELOW = 64 * 1024 * 1024
"""Bytes of all tables concerned, up to which they are rewritten by day: a second or two, in which nobody reads them."""

FORGET_STATISTICS = """
DELETE FROM pg_catalog.pg_statistic USING pg_class
WHERE starelid = pg_class.oid AND relnamespace = current_schema()::regnamespace AND (reltuples <= 0 OR relkind = 'p')
"""
"""Of tables that are empty now, and of what only parts are analysed of: an ANALYZE leaves theirs as they were."""

WAITS = "30s"
"""How long to wait for a table that others use, before leaving it to the next run."""


def purge_traces(*, now: datetime, report: Report) -> int:
    """Rewrites what held anything erased since the last time; returns how many erasures are complete by that. Outside
    of any transaction. Run again after a kill, it begins again."""
    waiting = list(Erasure.objects.unpurged().order_by("at"))
    if not waiting:
        return 0
    tables = _tables(waiting)
    for done, table in enumerate(tables):
        report(done, len(tables) + 1)
        _rewrite(table)
    upkeep = _upkeep()
    report(len(tables) + 1, len(tables) + 1)
    for erasure in waiting:
        erasure.purged_at = now
        erasure.purged = {"tables": tables, **upkeep}
        sign(erasure).save(update_fields=["purged", "purged_at", "signature"])
    keep_outside()
    return len(waiting)


def is_quick() -> bool:
    """Whether the tables that wait are small enough to be rewritten while people work."""
    tables = _tables(list(Erasure.objects.unpurged()))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname = ANY(%s)",
            [tables],
        )
        size: int = cursor.fetchone()[0]
    return size <= QUICK_BELOW


def _tables(erasures: Sequence[Erasure]) -> list[str]:
    """What holds anything of these, or did before it lost rows. A person may have been in every table."""
    # Its own table held the words too, sealed, where they were searched for afterwards.
    named = {Erasure._meta.db_table, *LOST_ROWS_BEFORE} if erasures else set[str]()
    named |= {table for erasure in erasures for table in (*erasure.removed, *erasure.blanked)}
    everything = any(erasure.kind == Erased.PERSON for erasure in erasures)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, coalesce(parent.inhparent::regclass::text, relname) FROM pg_class"
            " LEFT JOIN pg_inherits AS parent ON inhrelid = pg_class.oid"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        return sorted(name for name, whole in cursor.fetchall() if everything or whole in named)


def _rewrite(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [WAITS])
        try:
            cursor.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(table)))
        finally:
            cursor.execute("RESET lock_timeout")


def _upkeep() -> dict[str, bool]:
    """Rewrites the planner's statistics and leaves no segment of the log from before, as far as we may."""
    with superuser(Env.read(), connection.settings_dict["NAME"]) as ours:
        if ours is not None:
            ours.execute(FORGET_STATISTICS)
            ours.execute("VACUUM FULL pg_catalog.pg_statistic")
            _begin_log(ours.execute)
            return {"statistics": True, "log": True}
    try:
        with connection.cursor() as cursor:
            _begin_log(cursor.execute)
    except ProgrammingError:
        return {"statistics": False, "log": False}
    return {"statistics": False, "log": True}


def _begin_log(execute: Callable[[str], Any]) -> None:
    """The first checkpoint writes what the log is for; the second drops the segments before the switch."""
    for statement in ("CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"):
        execute(statement)
