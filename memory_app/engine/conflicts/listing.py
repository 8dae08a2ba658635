"""The conflicts of a person, as they may see them."""

from uuid import UUID

from django.db.models import Q

from memory_app.engine.enter import Entered
from memory_app.models import Conflict
from memory_app.models.conflict import ConflictQuerySet


def conflicts_of(entered: Entered, *, memory: UUID | None = None) -> ConflictQuerySet:
    """A person's own conflicts, answered ones included, to be evaluated within the venue's spaces. memory: those of
    this one alone."""
    rows = Conflict.objects.select_related("person__space", "space")
    own = rows.filter(space_id__in=sorted(entered.venue.spaces), person=entered.person)
    return own.filter(Q(older_id=memory) | Q(newer_id=memory)) if memory else own
