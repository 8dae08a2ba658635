"""People whose memories are kept, and those who sign in to the dashboard.

Memberships: which shared spaces a person belongs to, or once did.
"""

from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models

from memory_app.models.ids import new_id
from memory_app.models.space import Space


class ExtractionPolicy(models.TextChoices):
    """What happens to what was noticed in a conversation."""

    ASK = "ask"
    AUTO = "auto"
    OFF = "off"


class SensitivePolicy(models.TextChoices):
    """What happens to sensitive text that a person asks to keep. It never leaves a private talk, whatever is chosen."""

    PRIVATE = "private", "kept, and told in private talks"
    SEALED = "sealed", "kept, and never told to an assistant unless it is searched for"
    REFUSED = "refused", "not kept"


class Person(models.Model):
    """Someone whose memories are kept. `name` is the caller's own stable string; `space` is theirs alone."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    display_name = models.CharField(max_length=200, blank=True)
    space = models.OneToOneField(Space, on_delete=models.PROTECT, related_name="owner")
    timezone = models.CharField(max_length=64, default="UTC")
    language = models.CharField(max_length=32, default="english", help_text="a PostgreSQL text search configuration")
    memory_enabled = models.BooleanField(default=True)
    extraction_policy = models.CharField(max_length=4, choices=ExtractionPolicy, default=ExtractionPolicy.ASK)
    sensitive_policy = models.CharField(max_length=7, choices=SensitivePolicy, default=SensitivePolicy.PRIVATE)
    created_at = models.DateTimeField(auto_now_add=True)
    merged_into = models.UUIDField(null=True, blank=True, help_text="who goes on for them: a guest became a user")
    cleared_at = models.DateTimeField(null=True, blank=True, help_text="nothing of before is read or told any more")

    class Meta:
        db_table = "person"
        constraints = [
            # Serves: finding the person a request names.
            models.UniqueConstraint(fields=["name"], name="person_name"),
        ]

    def __str__(self) -> str:
        return self.display_name or self.name

    @property
    def is_memory_on(self) -> bool:
        """Whether memory is on: theirs, and that of all who are here."""
        return self.memory_enabled and bool(settings.KEEPSAKE_MEMORY)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)


class User(AbstractUser):
    """Someone who signs in to the dashboard: for one person's memories, or as a super user for all of them."""

    person = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, blank=True, db_constraint=False, related_name="users"
    )

    class Meta(AbstractUser.Meta):
        db_table = "dashboard_user"


class Membership(models.Model):
    """That a person belongs to a shared space. One who left keeps what is their own there and sees no one else's.

    Not under row security: it is what tells which spaces a request may touch.
    """

    pk = models.CompositePrimaryKey("space_id", "person_id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="memberships")
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "membership"
        indexes = [
            # Serves: the spaces of a person, at the start of each request.
            models.Index(fields=["person"], name="membership_person"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.space_id}"
