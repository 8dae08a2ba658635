"""Entering the venue that a request names. Writing brings whom it names into being; reading nobody, whatever the key
may do besides. A guest who was merged into a user is that user, to a key that reaches both.

Whose view is asked for: the person that a request names, in private, or whatever its key reaches.
"""

from django.http import HttpRequest
from ninja import Schema

from memory_app.api import fields
from memory_app.api.auth import grant_of, set_reader
from memory_app.api.schemas import PersonInVenue
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.errors import NotFound


def reading_venue(request: HttpRequest, payload: PersonInVenue) -> VenueContext:
    """The person in their venue; whom and what nobody knows is as if just begun. Raises Invalid, NotAllowed."""
    venue_context = resolve_venue(
        person=payload.person, place=payload.place, grant=grant_of(request), allow_unknown=True, follow_merges=True
    )
    return set_reader(request, venue_context)


def writing_venue(request: HttpRequest, payload: PersonInVenue) -> VenueContext:
    """The person in their venue, made at first use. Raises Invalid, NotAllowed."""
    return set_reader(
        request, resolve_venue(person=payload.person, place=payload.place, grant=grant_of(request), follow_merges=True)
    )


class ViewerQuery(Schema):
    """Whose view it is. No person: whatever the key reaches."""

    person: fields.Name | None = None
    space: fields.Name | None = None


def viewer(request: HttpRequest, viewer_query: ViewerQuery) -> VenueContext | None:
    """The person who asks, in private; None for one nobody has spoken of yet."""
    try:
        place = VenueNames(named=viewer_query.space)
        venue_context = resolve_venue(
            person=viewer_query.person or "", place=place, grant=grant_of(request), create=False, follow_merges=True
        )
    except NotFound:
        return None
    return set_reader(request, venue_context)


def known_viewer(request: HttpRequest, viewer_query: ViewerQuery) -> VenueContext | None:
    """As `viewer`, for one memory: a person nobody has spoken of sees none."""
    if viewer_query.person is None:
        return None
    venue_context = viewer(request, viewer_query)
    if venue_context is None:
        raise NotFound
    return venue_context
