"""Purge: drop what is kept for a time only. The log goes by whole months, so that nobody waits for it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ...models import Idempotency, Merge, Note, Search, Token
from ...models.idempotency import KEPT_FOR
from ...models.merge import UNDONE_WITHIN
from ...models.partitions import drop_partitions
from ...models.scope import every_space

LOG_KEPT_FOR = timedelta(days=90)
NOTES_KEPT_FOR = timedelta(days=90)
QUESTIONS_KEPT_FOR = timedelta(days=1)
"""Of searches that narrow, and of questions what to forget; both are closed long before."""


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
    with every_space():
        rows = {
            "answers": Idempotency.objects.filter(created_at__lt=now - KEPT_FOR).delete()[0],
            "questions": Token.objects.filter(expires_at__lt=now - QUESTIONS_KEPT_FOR).delete()[0],
            "searches": Search.objects.filter(created_at__lt=now - QUESTIONS_KEPT_FOR).delete()[0],
            "merges": Merge.objects.filter(at__lt=now - UNDONE_WITHIN).delete()[0],
            "notes": Note.objects.filter(date__lt=(now - NOTES_KEPT_FOR).date()).delete()[0],
        }
    return Purged(rows, drop_partitions(now - LOG_KEPT_FOR))
