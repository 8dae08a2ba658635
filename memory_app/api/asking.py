"""Whose view is asked for: the person that a request names, in private, or whatever its key reaches."""

from django.http import HttpRequest
from ninja import Schema

from memory_app.api import fields
from memory_app.api.auth import grant_of, note_reader
from memory_app.engine.enter import Entered, Place, enter
from memory_app.errors import NotFound


class Asker(Schema):
    """Whose view it is. No person: whatever the key reaches."""

    person: fields.Name | None = None
    space: fields.Name | None = None


def asker_of(request: HttpRequest, asker: Asker) -> Entered | None:
    """The person who asks, in private; None for one nobody has spoken of yet."""
    try:
        place = Place(named=asker.space)
        entered = enter(person=asker.person or "", place=place, grant=grant_of(request), create=False, as_user=True)
    except NotFound:
        return None
    return note_reader(request, entered)


def known_asker(request: HttpRequest, asker: Asker) -> Entered | None:
    """As `asker_of`, for one memory: a person nobody has spoken of sees none."""
    if asker.person is None:
        return None
    entered = asker_of(request, asker)
    if entered is None:
        raise NotFound
    return entered
