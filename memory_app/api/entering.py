"""Entering the venue that a reading request names, whatever else its key may do: reading brings nobody into being."""

from django.http import HttpRequest

from ..engine.enter import Entered, enter
from .auth import grant_of
from .schemas import Spoken


def visited_by(request: HttpRequest, spoken: Spoken) -> Entered:
    """The person in their venue; whom and what nobody knows is as if just begun. Raises Invalid, NotGranted."""
    return enter(person=spoken.person, place=spoken.place, grant=grant_of(request), visit=True)
