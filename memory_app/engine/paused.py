"""Paused: that memory is switched off is said wherever someone may think that it is on."""

from ..models import Person

PAUSED = "Memory is paused: nothing is listened to or noticed until you say /memory resume."


def tell(person: Person, message: str) -> str:
    """A message to the person; while their memory is paused, it says so."""
    if person.memory_enabled or PAUSED in message:
        return message
    return f"{message}\n{PAUSED}" if message else PAUSED
