"""Receipts: what a brief put before an assistant, at what rank and why."""

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space


class Receipt(models.Model):
    """The record of one brief. Lives in the person's own space, for it tells what they asked."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="receipts")
    at = models.DateTimeField(default=timezone.now)
    query = models.TextField()
    intent = models.CharField(max_length=200, blank=True)
    author = models.CharField(max_length=250)
    venue = models.JSONField(default=dict, help_text="names of the space and channel, and whether it is restricted")
    tokens = models.PositiveIntegerField(default=0)
    token_budget = models.PositiveIntegerField(default=0)
    items = models.JSONField(default=list, help_text="[{memory, space, rank, score, why}], in order of rank")
    conversation = models.UUIDField(null=True, blank=True, help_text="the one it was made for")
    reason = models.CharField(max_length=300, blank=True, help_text="why the brief is empty, where it is")

    class Meta:
        db_table = "receipt"
        indexes = [
            # Serves: "forget that", which may mean what a brief has just mentioned.
            models.Index(fields=["space", "conversation"], name="receipt_of_conversation"),
            # Serves: "used in", which goes through a person's latest briefs. An index of `items` would not be used:
            # under row security, only operators that cannot leak what they compare may look for rows.
            models.Index(fields=["space", "-at", "-id"], name="receipt_latest"),
        ]

    def __str__(self) -> str:
        return f"brief for {self.person_id} at {self.at:%Y-%m-%d %H:%M}"
