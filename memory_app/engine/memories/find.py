"""Find memories by id or by filters, as far as someone may see them, with the names that they are shown by.

A memory that does not exist and one that may not be seen are answered alike.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory_app.engine.audit.request_log import note_person
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import check_write
from memory_app.errors import NotAllowed, NotFound
from memory_app.models import Conversation, Memory, Space, SpaceKind, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import Grant
from memory_app.rules.visibility import Visibility

WITH_NAMES = ("person", "space", "channel")

NO_CONVERSATION = "There is no such conversation of this person. Nothing was changed."


def find_memory(*, memory: UUID, venue_context: VenueContext | None, grant: Grant) -> Memory:
    """The memory that a person sees from their venue, or, without a person, that the grant reaches. Raises NotFound."""
    found = _visible_memory(venue_context, memory) if venue_context else _granted_memory(grant, memory)
    if found is None:
        raise NotFound
    return found


def find_own_memory(*, memory: UUID, venue_context: VenueContext | None, grant: Grant, removes: bool = False) -> Memory:
    """As `find_memory`, for someone who changes or only removes it: of what a person sees, only their own. Raises
    NotFound, NotAllowed."""
    found = find_memory(memory=memory, venue_context=venue_context, grant=grant)
    if venue_context and not found.belongs_to(venue_context.venue):
        raise NotAllowed("This memory is someone else's; only they can change it.")
    check_write(grant, found, removes=removes)
    return found


def find_any_memory(*, memory: UUID, grant: Grant, removes: bool = False) -> Memory:
    """The memory in tier 1 or 2 that the grant reaches, for super users who restore or erase it. Raises NotFound,
    NotAllowed."""
    with every_space():
        found = Memory.objects.select_related(*WITH_NAMES).filter(id=memory).first()
    if found is None or not _grant_reaches(grant, found):
        raise NotFound
    check_write(grant, found, removes=removes)
    return found


def check_own_conversation(*, conversation: UUID, venue_context: VenueContext) -> None:
    """Raises NotFound unless this person has such a conversation."""
    with every_space():
        own = Conversation.objects.filter(id=conversation, person=venue_context.person)
        if not own.exists():
            raise NotFound(NO_CONVERSATION)


def _visible_memory(venue_context: VenueContext, memory: UUID) -> Memory | None:
    with allowed_spaces(venue_context.venue.spaces):
        return _existing().visible_from(venue_context.venue).filter(id=memory).first()


def _granted_memory(grant: Grant, memory: UUID) -> Memory | None:
    """An id does not tell the space, so all spaces are searched; then the grant decides."""
    with every_space():
        found = _existing().filter(id=memory).first()
    if found is None or not _grant_reaches(grant, found):
        return None
    note_person(found.person_id, found.person.space_id)
    return found


def _grant_reaches(grant: Grant, memory: Memory) -> bool:
    if memory.visibility in (Visibility.SPACE, Visibility.CHANNEL):
        return grant.allows(memory.person.name, memory.space.name)
    return grant.allows(memory.person.name, None)


def _existing() -> MemoryQuerySet:
    return Memory.objects.undeleted().select_related(*WITH_NAMES)


@dataclass(frozen=True, slots=True)
class MemoryFilters:
    """Filters of a list; None means any. `since` and `until` compare the time of the event, or else of creation. own:
    only the person's own memories, of all that they may see."""

    space: str | None = None
    type: str | None = None
    category: str | None = None
    status: str | None = None
    visibility: str | None = None
    tag: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    own: bool = False


def visible_memories(venue_context: VenueContext, filters: MemoryFilters) -> MemoryQuerySet:
    """The memories that a person may see from their venue, to be evaluated with its spaces allowed. With the status
    deleted, their own deleted ones; the caller decides who may ask for these."""
    rows = Memory.objects.visible_from(venue_context.venue)
    if filters.own or filters.status == Status.DELETED:
        rows = rows.filter(person=venue_context.person)
    rows = rows.deleted() if filters.status == Status.DELETED else rows.undeleted()
    return apply_filters(rows, filters).select_related(*WITH_NAMES)


def space_memories(space: str, filters: MemoryFilters) -> MemoryQuerySet:
    """The memories that everyone in a shared space sees, to be evaluated with that space allowed."""
    rows = Memory.objects.undeleted().filter(visibility=Visibility.SPACE.value)
    return (
        apply_filters(rows, filters).filter(space__kind=SpaceKind.SHARED, space__name=space).select_related(*WITH_NAMES)
    )


def find_space(name: str) -> Space | None:
    return Space.objects.filter(kind=SpaceKind.SHARED, name=name).first()


def apply_filters(rows: MemoryQuerySet, filters: MemoryFilters) -> MemoryQuerySet:
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
