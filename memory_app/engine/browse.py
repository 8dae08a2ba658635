"""Browse memories: a list, filtered, of what someone may see."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from memory_app.engine.enter import Entered
from memory_app.engine.locate import WITH_NAMES
from memory_app.models import Memory, Space, SpaceKind, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.rules.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is narrowed to; None means any. `since` and `until` are of the event, else of the telling. own: to
    what is the person's, of all that they may see."""

    space: str | None = None
    type: str | None = None
    category: str | None = None
    status: str | None = None
    visibility: str | None = None
    tag: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    own: bool = False


def browse(entered: Entered, filters: Filters) -> MemoryQuerySet:
    """The kept memories a person may see from their venue, to be evaluated within its spaces; by the status deleted,
    what was forgotten of their own. Who may ask for that is the caller's."""
    rows = Memory.objects.visible_from(entered.venue)
    if filters.own or filters.status == Status.DELETED:
        rows = rows.filter(person=entered.person)
    rows = rows.deleted() if filters.status == Status.DELETED else rows.kept()
    return narrowed(rows, filters).select_related(*WITH_NAMES)


def browse_space(space: str, filters: Filters) -> MemoryQuerySet:
    """The kept memories that everyone in a shared space sees, to be evaluated within it."""
    rows = Memory.objects.kept().filter(visibility=Visibility.SPACE.value)
    return narrowed(rows, filters).filter(space__kind=SpaceKind.SHARED, space__name=space).select_related(*WITH_NAMES)


def space_named(name: str) -> Space | None:
    return Space.objects.filter(kind=SpaceKind.SHARED, name=name).first()


def narrowed(rows: MemoryQuerySet, filters: Filters) -> MemoryQuerySet:
    """Rows that pass the filters."""
    for field in ("type", "category", "status", "visibility"):
        value = getattr(filters, field)
        if value:
            rows = rows.filter(**{field: value})
    if filters.space:
        rows = rows.filter(space__kind=SpaceKind.SHARED, space__name=filters.space)
    if filters.tag:
        rows = rows.filter(tags__contains=[filters.tag])
    if filters.since:
        rows = rows.filter(Q(event_time__gte=filters.since) | Q(event_time=None, created_at__gte=filters.since))
    if filters.until:
        rows = rows.filter(Q(event_time__lt=filters.until) | Q(event_time=None, created_at__lt=filters.until))
    return rows
