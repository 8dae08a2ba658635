"""Operations: tier 3, the log of what was done, by whom and when. Partitioned by month, dropped after 90 days."""

from django.db import models

from .ids import new_id
from .space import Space


class Operation(models.Model):
    """One thing done. Holds ids, counts and reasons, never the words of a memory: those are in its versions.

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
