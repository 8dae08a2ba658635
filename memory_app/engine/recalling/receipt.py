"""Receipts, read back: what a brief held, and which briefs there are. Only where the grant reaches their place."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from memory_app.errors import NotFound
from memory_app.models import Person, Receipt
from memory_app.models.scope import every_space
from memory_app.rules.grant import Grant


def receipt_for(*, receipt: UUID, person: str | None = None, grant: Grant) -> Receipt:
    """The receipt, its person loaded. Raises NotFound where there is none that the grant reaches, or none of the one
    who asks."""
    with every_space():
        found = Receipt.objects.select_related("person").filter(id=receipt).first()
    if found is None or not grant.allows(found.person.name, found.venue.get("space")):
        raise NotFound
    if person not in (None, found.person.name):
        raise NotFound
    return found


@dataclass(frozen=True, slots=True)
class BriefFilters:
    """What a list of briefs is narrowed to; None means any."""

    conversation: UUID | None = None
    memory: UUID | None = None
    since: datetime | None = None


def briefs_of(person: Person, filters: BriefFilters, grant: Grant) -> QuerySet[Receipt]:
    """The receipts of a person that the grant reaches, to be evaluated within their own space."""
    rows = Receipt.objects.filter(space_id=person.space_id, person=person).filter(_reached(person, grant))
    if filters.conversation:
        rows = rows.filter(conversation=filters.conversation)
    if filters.memory:
        rows = rows.filter(items__contains=[{"memory": str(filters.memory)}])
    return rows.filter(at__gte=filters.since) if filters.since else rows


def _reached(person: Person, grant: Grant) -> Q:
    """As `Grant.allows` says, of the places where they were made."""
    private = Q(venue__space=None) | Q(venue__space__isnull=True)
    shared = Q(venue__space__in=sorted(grant.spaces)) if grant.spaces else ~private
    reached = shared if grant.speaks_for(person.name) else Q(pk__in=[])
    return reached | private if grant.allows(person.name, None) else reached
