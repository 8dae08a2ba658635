"""Daily notes: a person's running notes, a document a day, only ever added to."""

from django.db import models
from django.utils import timezone

from .ids import new_id
from .person import Person
from .space import Space


class Note(models.Model):
    """One entry of a day's notes. The day is the person's own, in their time zone."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="notes")
    date = models.DateField()
    text = models.TextField()
    author = models.CharField(max_length=250)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "note"
        indexes = [
            # Serves: the notes of a day, in order; and dropping those of old days.
            models.Index(fields=["space", "person", "date"], name="note_of_day"),
        ]

    def __str__(self) -> str:
        return f"{self.date}: {self.text[:60]}"
