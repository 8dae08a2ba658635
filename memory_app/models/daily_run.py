"""Daily runs: that a person's day was gone through, once, and what came of it."""

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space


class DailyStatus(models.TextChoices):
    DONE = "done"
    FAILED = "failed"


class DailyRun(models.Model):
    """The batch of one person and date, in their own time zone; lives in their own space."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="daily_runs")
    date = models.DateField()
    status = models.CharField(max_length=6, choices=DailyStatus, default=DailyStatus.DONE)
    error = models.CharField(max_length=200, blank=True, help_text="the kind of error that ended it")
    turns = models.PositiveIntegerField(default=0, help_text="what was said, by anyone")
    conversations = models.PositiveIntegerField(default=0)
    written = models.PositiveIntegerField(default=0, help_text="memories made that day")
    updated = models.PositiveIntegerField(default=0, help_text="memories changed that day")
    proposed = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "daily_run"
        constraints = [
            # Serves: going through a day once, and the runs of a person by date.
            models.UniqueConstraint(fields=["space", "person", "date"], name="daily_run_once"),
        ]

    def __str__(self) -> str:
        return f"{self.date}: {self.written} written"
