"""Spaces, the unit of isolation, of erasure and of distribution, and their channels. All that is remembered lives in
exactly one space.
"""

from uuid import UUID

from django.db import models

from memory_app.models.ids import new_id

COMMONS = UUID("00000000-0000-7000-8000-000000000001")
"""The one space that holds what `everyone` may see; made by a migration."""


class SpaceKind(models.TextChoices):
    PERSONAL = "personal"
    SHARED = "shared"
    COMMONS = "commons"


class Space(models.Model):
    """A person's own space, a space that people share (family, guild, team), or the commons."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=10, choices=SpaceKind, default=SpaceKind.SHARED)
    name = models.CharField(max_length=200, blank=True, help_text="the caller's own stable string; empty unless shared")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "space"
        constraints = [
            # Serves: finding the space a venue names.
            models.UniqueConstraint(fields=["name"], condition=models.Q(kind="shared"), name="space_shared_name"),
        ]

    def __str__(self) -> str:
        return self.name or self.kind


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
