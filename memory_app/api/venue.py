"""Whose request it is, and where: the person and venue that a body names, or the person whose view a query asks for.

Writing brings whom it names into being; reading nobody, whatever the key may do besides. A guest who was merged into a
user is that user, to a key that reaches both.
"""

from django.http import HttpRequest
from ninja import Schema

from memory_app.api import fields
from memory_app.api.auth import grant_of, named_person, set_reader
from memory_app.api.fields import InputModel
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.errors import NotFound


class VenueIn(InputModel):
    """Where the words were spoken. No space: a private talk between the person and the assistant."""

    space: fields.Name | None = None
    channel: fields.Name | None = None
    restricted: bool = False

    @property
    def place(self) -> VenueNames:
        return VenueNames(self.space, self.channel, self.restricted)


class PersonInVenue(InputModel):
    """Input that comes from a person in a venue."""

    person: fields.Name
    venue: VenueIn | None = None

    @property
    def place(self) -> VenueNames:
        return self.venue.place if self.venue else VenueNames()


def reading_venue(request: HttpRequest, payload: PersonInVenue) -> VenueContext:
    """The person in their venue; whom and what nobody knows is as if just begun. Raises Invalid, NotAllowed."""
    venue_context = resolve_venue(
        person=payload.person,
        place=payload.place,
        grant=grant_of(request),
        allow_unknown=True,
        follow_merges=True,
        found=named_person(request),
    )
    return set_reader(request, venue_context)


def writing_venue(request: HttpRequest, payload: PersonInVenue) -> VenueContext:
    """The person in their venue, made at first use. Raises Invalid, NotAllowed."""
    venue_context = resolve_venue(
        person=payload.person,
        place=payload.place,
        grant=grant_of(request),
        follow_merges=True,
        found=named_person(request),
    )
    return set_reader(request, venue_context)


def existing_person(request: HttpRequest, person: str) -> VenueContext:
    """A person who was spoken of before, in private. Raises NotFound, NotAllowed."""
    return resolve_venue(person=person, grant=grant_of(request), create=False, follow_merges=True)


class ViewerQuery(Schema):
    """Whose view it is. No person: whatever the key reaches."""

    person: fields.Name | None = None
    space: fields.Name | None = None


def viewer(request: HttpRequest, viewer_query: ViewerQuery) -> VenueContext | None:
    """The person who asks, in private; None for one nobody has spoken of yet."""
    try:
        place = VenueNames(named=viewer_query.space)
        venue_context = resolve_venue(
            person=viewer_query.person or "",
            place=place,
            grant=grant_of(request),
            create=False,
            follow_merges=True,
            found=named_person(request),
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
