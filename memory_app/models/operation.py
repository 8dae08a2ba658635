"""Operations: tier 3, the log of what was done, by whom and when. Partitioned by month; kept for a time only."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from memory_app.models.ids import new_id
from memory_app.models.space import Space


class OperationQuerySet(models.QuerySet["Operation"]):
    def retained(self, now: datetime) -> "OperationQuerySet":
        """Entries whose time is not over: the night removes the others, and until then nobody reads them."""
        return self.filter(at__gte=kept_since(now))

    def outlived(self, now: datetime) -> "OperationQuerySet":
        """Entries whose time is over."""
        return self.filter(at__lt=kept_since(now))


def kept_since(now: datetime) -> datetime:
    """From when on the log is kept."""
    return now - timedelta(days=settings.KEEPSAKE_LOG_DAYS)


class Operation(models.Model):
    """One thing done. Holds ids, counts and reasons, never the words of a memory: those are in its versions. Of a
    request it holds the words that were asked.

    The month is that of the id, a UUIDv7: so the key stays (space, id), and partitions are ranges of it.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    at = models.DateTimeField()
    name = models.CharField(max_length=40, help_text="the verb: remember, edit, forget, restore, …")
    author = models.CharField(max_length=250, help_text="as Author.label")
    person_id = models.UUIDField(null=True, blank=True)
    memory_id = models.UUIDField(null=True, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    objects = OperationQuerySet.as_manager()

    class Meta:
        db_table = "operation"
        indexes = [
            # Serves: the trail of one memory.
            models.Index(fields=["space", "memory_id"], name="operation_of_memory"),
            # Serves: the log of all spaces, newest first, and a stretch of time of it.
            models.Index(fields=["at", "id"], name="operation_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.name} by {self.author}"
