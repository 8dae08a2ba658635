"""The visibility rule as a QuerySet method: the only way memories and turns are read for someone."""

from typing import Self, TypeVar

from django.db import models

from ..rules.visibility import Clause, Venue, clauses

Row = TypeVar("Row", bound=models.Model)


class VisibleQuerySet(models.QuerySet[Row]):
    """Rows that carry space, person, visibility and channel."""

    def visible_from(self, venue: Venue) -> Self:
        """Rows that may be seen from a venue (`rules.visibility.clauses`)."""
        visible = models.Q()
        for clause in clauses(venue):
            visible |= _as_q(clause)
        return self.filter(space_id__in=sorted(venue.spaces)).filter(visible)


def _as_q(clause: Clause) -> models.Q:
    q = models.Q(visibility=clause.visibility.value, space_id__in=sorted(clause.spaces))
    if clause.owner is not None:
        q &= models.Q(person_id=clause.owner)
    if clause.channel is not None:
        q &= models.Q(channel_id=clause.channel)
    return q
