"""Entering the venue that a request names. Writing brings whom it names into being; reading nobody, whatever the key
may do besides."""

from django.http import HttpRequest

from ..engine.enter import Entered, enter
from .auth import grant_of
from .schemas import Spoken


def visited_by(request: HttpRequest, spoken: Spoken) -> Entered:
    """The person in their venue; whom and what nobody knows is as if just begun. Raises Invalid, NotGranted."""
    return enter(person=spoken.person, place=spoken.place, grant=grant_of(request), visit=True)


def speaker(request: HttpRequest, spoken: Spoken) -> Entered:
    """The person in their venue, made at first use. Raises Invalid, NotGranted."""
    return enter(person=spoken.person, place=spoken.place, grant=grant_of(request))
