"""Entering the venue that a request names: a key that may write brings whom it names into being at first use, one that
only reads finds nothing of them."""

from django.http import HttpRequest

from ..engine.enter import Entered, enter
from ..models import Scope
from .auth import grant_of, key_of
from .schemas import Spoken


def entered_by(request: HttpRequest, spoken: Spoken) -> Entered:
    """The person in their venue. To a key that only reads, whom and what nobody knows is as if just begun."""
    reads_only = not key_of(request).has(Scope.WRITE)
    return enter(person=spoken.person, place=spoken.place, grant=grant_of(request), visit=reads_only)
