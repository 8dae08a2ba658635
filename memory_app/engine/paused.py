"""Paused: that memory is switched off is said wherever someone may think that it is on."""

from django.conf import settings

from memory_app.errors import InConflict
from memory_app.models import Person

PAUSED = "Memory is paused: nothing is listened to or noticed until you say /memory resume."
OFF = "Memory is switched off here for everyone: nothing is stored, listened to or noticed."


def tell(person: Person, message: str) -> str:
    """A message to the person; while their memory is paused, it says so."""
    return told_paused(message, paused=not person.is_remembered)


def told_paused(message: str, *, paused: bool) -> str:
    """The same, where it is known whether memory is paused."""
    told = PAUSED if settings.KEEPSAKE_MEMORY else OFF
    if not paused or told in message:
        return message
    return f"{message}\n{told}" if message else told


def refuse_if_off() -> None:
    """Raises InConflict where memory is off for everyone: for whoever stores what someone says."""
    if not settings.KEEPSAKE_MEMORY:
        raise InConflict(OFF)
