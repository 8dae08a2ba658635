"""Imports of what someone has with another product: the file as it was uploaded, how far it is, and what came of it."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space

UPLOAD_RETENTION = timedelta(days=1)
"""How long a file lies here that was uploaded and not imported."""

STOPPED_AFTER = timedelta(minutes=10)
"""A command that told for so long of no batch was stopped; one takes a few seconds."""


class ImportState(models.TextChoices):
    UPLOADING = "uploading"
    CHECKING = "checking"
    READY = "ready"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDONE = "undone"


UNFINISHED = (ImportState.UPLOADING, ImportState.CHECKING, ImportState.READY, ImportState.WAITING)


class HistoryImportQuerySet(models.QuerySet["HistoryImport"]):
    def for_worker(self) -> "HistoryImportQuerySet":
        """Those that are to be looked through or brought in, the oldest first."""
        return self.filter(state__in=(ImportState.CHECKING, ImportState.WAITING)).order_by("id")

    def abandoned(self, now: datetime) -> "HistoryImportQuerySet":
        """Uploads of before that nobody went on with."""
        begun = (ImportState.UPLOADING, ImportState.CHECKING, ImportState.READY)
        return self.filter(state__in=begun, created_at__lt=now - UPLOAD_RETENTION)

    def stopped(self, now: datetime) -> "HistoryImportQuerySet":
        """Those of a command that was killed."""
        return self.filter(state=ImportState.RUNNING, alive_at__lt=now - STOPPED_AFTER)


class HistoryImport(models.Model):
    """One import of one person; lives in their own space. Its file is in `ImportPart` until it is over."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="imports")
    format = models.CharField(max_length=20, blank=True, help_text="as in memory_app.imports; empty: not known yet")
    file_name = models.CharField(max_length=200)
    size = models.BigIntegerField(default=0, help_text="bytes that are to come, or came")
    state = models.CharField(max_length=9, choices=ImportState, default=ImportState.UPLOADING)
    expected = models.JSONField(default=dict, help_text="what would come in: counts, what is left out, faults")
    result = models.JSONField(default=dict, help_text="what came in, the same way")
    done = models.PositiveIntegerField(default=0, help_text="entries that were gone through")
    total = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    author = models.CharField(max_length=250)
    created_at = models.DateTimeField(default=timezone.now)
    alive_at = models.DateTimeField(null=True, blank=True, help_text="when the last batch came in, or the first began")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = HistoryImportQuerySet.as_manager()

    class Meta:
        db_table = "history_import"
        indexes = [
            # Serves: the imports of a person, the latest first.
            models.Index(fields=["space", "person", "-id"], name="history_import_of_person"),
            # Serves: the worker, which looks for those that wait for it.
            models.Index(
                fields=["id"],
                condition=models.Q(state__in=("uploading", "checking", "ready", "waiting")),
                name="history_import_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        return self.state in (ImportState.CHECKING, ImportState.WAITING, ImportState.RUNNING)

    @property
    def percent(self) -> int | None:
        return min(100, round(100 * self.done / self.total)) if self.total else None


class ImportPart(models.Model):
    """A part of an uploaded file. In the database, for the worker may be on another machine than the web server."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    import_id = models.UUIDField()
    number = models.PositiveIntegerField(help_text="from 0, in order")
    data = models.BinaryField()

    class Meta:
        db_table = "import_part"
        constraints = [
            # Serves: reading a file in order; a part that is sent twice is there once.
            models.UniqueConstraint(fields=["space", "import_id", "number"], name="import_part_once"),
        ]

    def __str__(self) -> str:
        return f"part {self.number}"
