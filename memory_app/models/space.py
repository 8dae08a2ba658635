"""Spaces: the unit of isolation, of erasure and of distribution. Everything remembered lives in exactly one."""

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
