"""Entering the venue that a request names. Writing brings whom it names into being; reading nobody, whatever the key
may do besides. A guest who was merged into a user is that user, to a key that reaches both."""

from django.http import HttpRequest

from memory_app.api.auth import grant_of, note_reader
from memory_app.api.schemas import Spoken
from memory_app.engine.enter import Entered, enter


def visited_by(request: HttpRequest, spoken: Spoken) -> Entered:
    """The person in their venue; whom and what nobody knows is as if just begun. Raises Invalid, NotGranted."""
    entered = enter(person=spoken.person, place=spoken.place, grant=grant_of(request), visit=True, as_user=True)
    return note_reader(request, entered)


def speaker(request: HttpRequest, spoken: Spoken) -> Entered:
    """The person in their venue, made at first use. Raises Invalid, NotGranted."""
    return note_reader(request, enter(person=spoken.person, place=spoken.place, grant=grant_of(request), as_user=True))
