"""Signals: what a person did with something, such as a reaction, a saved article or a command; nothing they said."""

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space


class SignalKind(models.TextChoices):
    REACTION = "reaction"
    SAVE = "save"
    COMMAND = "command"


class Signal(models.Model):
    """One signal. Lives in the person's own space, wherever it was given."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="signals")
    # Not "kind": a line of an export has that for the table it is of.
    action = models.CharField(max_length=8, choices=SignalKind)
    subject = models.CharField(max_length=500, help_text="the topic, title or command")
    url = models.CharField(max_length=2_000, blank=True)
    liked = models.BooleanField(default=True, help_text="false: a reaction against it")
    at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "signal"
        indexes = [
            # Serves: the signals of a person, latest last; and dropping old ones.
            models.Index(fields=["space", "person", "at"], name="signal_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.action}: {self.subject[:60]}"

    @property
    def line(self) -> str:
        """As a day's note tells it."""
        verb = {SignalKind.SAVE: "Saved", SignalKind.COMMAND: "Used"}.get(SignalKind(self.action))
        address = f" <{self.url}>" if self.url else ""
        return f"{verb or ('Liked' if self.liked else 'Disliked')}: {' '.join(self.subject.split())}{address}"
