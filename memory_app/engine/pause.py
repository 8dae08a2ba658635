"""Paused: that memory is switched off is said wherever someone may think that it is on."""

from django.conf import settings

from memory_app.errors import ConflictError
from memory_app.models import Person

PAUSED_NOTICE = "Memory is paused: nothing is listened to or noticed until you say /memory resume."
SWITCHED_OFF_NOTICE = "Memory is switched off here for everyone: nothing is stored, listened to or noticed."


def with_pause_notice(person: Person, message: str) -> str:
    """A message to the person; while their memory is paused, it says so."""
    return add_pause_notice(message, paused=not person.is_memory_on)


def add_pause_notice(message: str, *, paused: bool) -> str:
    """The same, where it is known whether memory is paused."""
    notice = PAUSED_NOTICE if settings.KEEPSAKE_MEMORY else SWITCHED_OFF_NOTICE
    if not paused or notice in message:
        return message
    return f"{message}\n{notice}" if message else notice


def require_memory_on() -> None:
    """Raises ConflictError where memory is off for everyone: for whoever stores what someone says."""
    if not settings.KEEPSAKE_MEMORY:
        raise ConflictError(SWITCHED_OFF_NOTICE)
