"""Paused: that memory is switched off is said wherever someone may think that it is on."""

from ..models import Person

PAUSED = "Memory is paused: nothing is listened to or noticed until you say /memory resume."


def tell(person: Person, message: str) -> str:
    """A message to the person; while their memory is paused, it says so."""
    return told_paused(message, paused=not person.memory_enabled)


def told_paused(message: str, *, paused: bool) -> str:
    """The same, where it is known whether memory is paused."""
    if not paused or PAUSED in message:
        return message
    return f"{message}\n{PAUSED}" if message else PAUSED
