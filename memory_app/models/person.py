"""People whose memories are kept: their settings, which shared spaces they belong to, and who signs in for them.

Also what holds for all that is written of a person: it is not written while memory is off, and by one writer at a time.
"""

from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import connection, models

from memory_app.errors import ConflictError
from memory_app.models.ids import new_id
from memory_app.models.row_security import writers_lock
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


def lock_writers(person: UUID) -> None:
    """Locks out other writers of this person's memories."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [writers_lock(person)])


def lock_writers_of_memory(space: UUID, memory: UUID) -> None:
    """Locks out other writers of the owner of a memory, in one statement; does nothing where it does not exist."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(('x' || right(replace(person_id::text, '-', ''), 16))::bit(64)::bigint"
            " & 9223372036854775807) FROM memory WHERE space_id = %s AND id = %s",
            [space, memory],
        )


PAUSED_NOTICE = "Memory is paused: nothing is listened to or noticed until you say /memory resume."
SWITCHED_OFF_NOTICE = "Memory is switched off here for everyone: nothing is stored, listened to or noticed."


def with_pause_notice(person: Person, message: str) -> str:
    """A message to the person; while their memory is paused, it says so."""
    return add_pause_notice(message, paused=not person.is_memory_on)


def add_pause_notice(message: str, *, paused: bool) -> str:
    """A message to someone of whom only this is known: whether their memory is paused."""
    notice = PAUSED_NOTICE if settings.KEEPSAKE_MEMORY else SWITCHED_OFF_NOTICE
    if not paused or notice in message:
        return message
    return f"{message}\n{notice}" if message else notice


def require_memory_on() -> None:
    """Raises ConflictError where memory is off for everyone: for whoever stores what someone says."""
    if not settings.KEEPSAKE_MEMORY:
        raise ConflictError(SWITCHED_OFF_NOTICE)
