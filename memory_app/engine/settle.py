"""Settle how a person's memory is kept: their name, time zone, language, policies, and whether it is on."""

from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from django.db import transaction

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.keeping.reword import languages, reword
from memory_app.engine.logbook.event import event
from memory_app.errors import Invalid
from memory_app.models import Person
from memory_app.rules.language_code import language_named

SETTINGS = ("display_name", "timezone", "language", "memory_enabled", "extraction_policy", "sensitive_policy")


TOLD = ("memory_enabled", "extraction_policy", "sensitive_policy", "timezone", "language")
"""Settings whose new value the log tells; what someone is called is theirs."""


def settle(
    *, person: Person, changes: dict[str, Any], author: Author | None = None, now: datetime | None = None
) -> Person:
    """Sets some of SETTINGS; all that is kept is found by the words of a new language from then on. Raises Invalid for
    a time zone or a language that is none.

    author: who did, and when, for the log; None where an import takes settings over, which is told as one.
    """
    if "timezone" in changes and changes["timezone"] not in available_timezones():
        raise Invalid("timezone", "Name a time zone of the IANA database, such as Europe/Berlin.")
    if "language" in changes:
        changes = {**changes, "language": language_named(changes["language"])}
        if changes["language"] not in languages():
            raise Invalid("language", f"Name one of {', '.join(languages())}, or its code, such as de.")
    changed = sorted(name for name in set(changes) & set(SETTINGS) if changes[name] != getattr(person, name))
    for name in changed:
        setattr(person, name, changes[name])
    with transaction.atomic():
        if "language" in changed:
            one_writer(person.id)  # first: nobody changes what is indexed anew, nor waits for the person and it
        person.save(update_fields=changed)
        if "language" in changed:
            reword(person)
        if changed and author and now:
            told = {"changed": changed, **{name: changes[name] for name in changed if name in TOLD}}
            event("settle", told, author=author, now=now, space=person.space_id, person=person.id)
    return person
