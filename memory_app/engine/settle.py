"""Settle how a person's memory is kept: their name, time zone, policy, and whether it is on."""

from typing import Any
from zoneinfo import available_timezones

from ..errors import Invalid
from ..models import Person

SETTINGS = ("display_name", "timezone", "memory_enabled", "extraction_policy")


def settle(*, person: Person, changes: dict[str, Any]) -> Person:
    """Sets some of SETTINGS. Raises Invalid for a time zone that is none."""
    if "timezone" in changes and changes["timezone"] not in available_timezones():
        raise Invalid("timezone", "Name a time zone of the IANA database, such as Europe/Berlin.")
    for name in SETTINGS:
        if name in changes:
            setattr(person, name, changes[name])
    person.save(update_fields=sorted(set(changes) & set(SETTINGS)))
    return person
