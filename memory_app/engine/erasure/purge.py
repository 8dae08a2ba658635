"""Purge: remove what is kept for a limited time, and the traces that deleted rows leave in the database's files.

The log goes by whole months, and what is older within a month by rows. After a DELETE the words are still in the
table's pages, its indexes, the planner's statistics and the write-ahead log: so tables and indexes are rewritten,
statistics are taken again, and the write-ahead log is switched.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import ProgrammingError, connection
from psycopg import sql

from config.env import Env
from memory_app.engine.erasure.erasure_receipt import sign_erasure
from memory_app.engine.erasure.purge_oauth import purge_oauth
from memory_app.engine.erasure.tombstone_file import complete_tombstone_file
from memory_app.engine.segments import take_out_rows
from memory_app.models import (
    Document,
    Erased,
    Erasure,
    Idempotency,
    Item,
    Merge,
    Note,
    Operation,
    Proposal,
    Receipt,
    Search,
    Segment,
    Signal,
    Token,
    Turn,
)
from memory_app.models.idempotency import ANSWER_RETENTION
from memory_app.models.operation import drop_partitions, retention_start
from memory_app.models.person_merge import UNDO_PERIOD
from memory_app.models.row_security import every_space
from memory_app.postgres.connection import superuser_connection
from memory_app.progress import ReportProgress

QUESTION_RETENTION = timedelta(days=1)
"""Of searches that narrow, and of questions what to forget; both are closed long before."""


PURGED_MODELS = (Idempotency, Token, Search, Merge, Note, Item, Document)
"""What loses rows here; the log loses whole tables."""


@dataclass(frozen=True, slots=True)
class PurgeResult:
    """What went: rows by kind, and the months of the log."""

    rows: dict[str, int] = field(default_factory=dict)
    months: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.rows.values()) + len(self.months)

    def __str__(self) -> str:
        parts = [f"{rows} {kind}" for kind, rows in self.rows.items() if rows]
        parts += [f"{len(self.months)} months of the log"] if self.months else []
        return ", ".join(parts) + " dropped" if parts else "nothing to drop"


def purge_expired(now: datetime) -> PurgeResult:
    """Run again, it finds nothing more. Outside of any transaction."""
    # First, so that no row is deleted that goes with its month.
    months = drop_partitions(retention_start(now))
    notes_since = now - timedelta(days=settings.KEEPSAKE_NOTE_DAYS)
    with every_space():
        old_notes = Note.objects.filter(date__lt=notes_since.date())
        old_documents = Document.objects.filter(deleted_at__lt=notes_since)
        take_out_rows(old_notes)
        take_out_rows(old_documents)
        rows = {
            "answers": Idempotency.objects.filter(created_at__lt=now - ANSWER_RETENTION).delete()[0],
            "questions": Token.objects.filter(expires_at__lt=now - QUESTION_RETENTION).delete()[0],
            "searches": Search.objects.filter(created_at__lt=now - QUESTION_RETENTION).delete()[0],
            "merges": Merge.objects.filter(at__lt=now - UNDO_PERIOD).delete()[0],
            "signals": Signal.objects.filter(at__lt=notes_since).delete()[0],
            "notes": old_notes.delete()[0],
            "documents": old_documents.delete()[0],
            "items": Item.objects.expired(now).delete()[0],
            "entries of the log": Operation.objects.expired(now).delete()[0],
            "sign-ins of assistants": purge_oauth(now),
        }
    return PurgeResult(rows, months)


CHANGING_TABLES = tuple(model._meta.db_table for model in (*PURGED_MODELS, Proposal, Receipt, Segment, Turn))
"""Tables whose rows go in the course of things, by retention or because they were taken back. They may have held words
of what is erased only later: no row is there to be found then, but the files still hold it."""

QUICK_BYTES = 64 * 1024 * 1024
"""Bytes of all tables concerned, up to which they are rewritten by day: a second or two, in which nobody reads them."""

CLEAR_STATISTICS_SQL = """
DELETE FROM pg_catalog.pg_statistic USING pg_class
WHERE starelid = pg_class.oid AND relnamespace = current_schema()::regnamespace AND (reltuples <= 0 OR relkind = 'p')
"""
"""Of tables that are empty now, and of what only parts are analysed of: an ANALYZE leaves theirs as they were."""

LOCK_TIMEOUT = "30s"
"""How long to wait for a table that others use, before leaving it to the next run."""


def purge_traces(*, now: datetime, report: ReportProgress) -> int:
    """Rewrites what held anything erased since the last time; returns how many erasures are complete by that. Outside
    of any transaction. Run again after a kill, it begins again."""
    waiting = list(Erasure.objects.unpurged().order_by("at"))
    if not waiting:
        return 0
    tables = _tables_to_rewrite(waiting)
    for done, table in enumerate(tables):
        report(done, len(tables) + 1)
        _rewrite_table(table)
    upkeep = _rewrite_statistics_and_log()
    report(len(tables) + 1, len(tables) + 1)
    for erasure in waiting:
        erasure.purged_at = now
        erasure.purged = {"tables": tables, **upkeep}
        sign_erasure(erasure).save(update_fields=["purged", "purged_at", "signature"])
    complete_tombstone_file()
    return len(waiting)


def is_purge_quick() -> bool:
    """Whether the tables that wait are small enough to be rewritten while people work."""
    tables = _tables_to_rewrite(list(Erasure.objects.unpurged()))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname = ANY(%s)",
            [tables],
        )
        size: int = cursor.fetchone()[0]
    return size <= QUICK_BYTES


def _tables_to_rewrite(erasures: Sequence[Erasure]) -> list[str]:
    """What holds anything of these, or did before it lost rows. A person may have been in every table."""
    # Its own table held the words too, sealed, where they were searched for afterwards.
    tables = {Erasure._meta.db_table, *CHANGING_TABLES} if erasures else set[str]()
    tables |= {table for erasure in erasures for table in (*erasure.removed, *erasure.blanked)}
    everything = any(erasure.kind == Erased.PERSON for erasure in erasures)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, coalesce(parent.inhparent::regclass::text, relname) FROM pg_class"
            " LEFT JOIN pg_inherits AS parent ON inhrelid = pg_class.oid"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        return sorted(name for name, whole in cursor.fetchall() if everything or whole in tables)


def _rewrite_table(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
        try:
            cursor.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(table)))
        finally:
            cursor.execute("RESET lock_timeout")


def _rewrite_statistics_and_log() -> dict[str, bool]:
    """Rewrites the planner's statistics and leaves no segment of the log from before, as far as we may."""
    with superuser_connection(Env.read(), connection.settings_dict["NAME"]) as ours:
        if ours is not None:
            ours.execute(CLEAR_STATISTICS_SQL)
            ours.execute("VACUUM FULL pg_catalog.pg_statistic")
            _switch_log(ours.execute)
            return {"statistics": True, "log": True}
    try:
        with connection.cursor() as cursor:
            _switch_log(cursor.execute)
    except ProgrammingError:
        return {"statistics": False, "log": False}
    return {"statistics": False, "log": True}


def _switch_log(execute: Callable[[str], Any]) -> None:
    """The first checkpoint writes what the log is for; the second drops the segments before the switch."""
    for statement in ("CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"):
        execute(statement)
