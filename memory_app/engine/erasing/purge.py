"""Purge: drop what is kept for a time only. The log goes by whole months, and what is older within one by rows."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings

from memory_app.models import Idempotency, Merge, Note, Operation, Search, Signal, Token
from memory_app.models.idempotency import KEPT_FOR
from memory_app.models.merge import UNDONE_WITHIN
from memory_app.models.operation import kept_since
from memory_app.models.partitions import drop_partitions
from memory_app.models.scope import every_space

QUESTIONS_KEPT_FOR = timedelta(days=1)
"""Of searches that narrow, and of questions what to forget; both are closed long before."""


PURGED = (Idempotency, Token, Search, Merge, Note)
"""What loses rows here; the log loses whole tables."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What went: rows by kind, and the months of the log."""

    rows: dict[str, int] = field(default_factory=dict)
    months: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.rows.values()) + len(self.months)

    def __str__(self) -> str:
        told = [f"{rows} {kind}" for kind, rows in self.rows.items() if rows]
        told += [f"{len(self.months)} months of the log"] if self.months else []
        return ", ".join(told) + " dropped" if told else "nothing to drop"


def purge(now: datetime) -> Purged:
    """Run again, it finds nothing more. Outside of any transaction."""
    # First, so that no row is deleted that goes with its month.
    months = drop_partitions(kept_since(now))
    notes_since = now - timedelta(days=settings.KEEPSAKE_NOTE_DAYS)
    with every_space():
        rows = {
            "answers": Idempotency.objects.filter(created_at__lt=now - KEPT_FOR).delete()[0],
            "questions": Token.objects.filter(expires_at__lt=now - QUESTIONS_KEPT_FOR).delete()[0],
            "searches": Search.objects.filter(created_at__lt=now - QUESTIONS_KEPT_FOR).delete()[0],
            "merges": Merge.objects.filter(at__lt=now - UNDONE_WITHIN).delete()[0],
            "signals": Signal.objects.filter(at__lt=notes_since).delete()[0],
            "notes": Note.objects.filter(date__lt=notes_since.date()).delete()[0],
            "entries of the log": Operation.objects.outlived(now).delete()[0],
        }
    return Purged(rows, months)
