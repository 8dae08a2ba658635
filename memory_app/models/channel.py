"""Channels: places in a space, some of them restricted."""

from django.db import models

from memory_app.models.ids import new_id
from memory_app.models.space import Space


class Channel(models.Model):
    """A place in a space; a restricted one is seen by those who may enter it."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="channels")
    id = models.UUIDField(default=new_id, editable=False)
    name = models.CharField(max_length=200)
    restricted = models.BooleanField(default=False, help_text="once restricted, a channel stays so")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "channel"
        constraints = [
            # Serves: finding the channel a venue names.
            models.UniqueConstraint(fields=["space", "name"], name="channel_name"),
        ]

    def __str__(self) -> str:
        return self.name
