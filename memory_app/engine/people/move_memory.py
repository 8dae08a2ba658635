"""Move a memory to another level, which its person alone decides, and undo that.

To another space it is a copy and a delete in one transaction; the id stays. The level `global` is offered only for what
is harmless.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from memory_app.engine.audit.log import Author, log_operation
from memory_app.engine.entities.merge_and_split import ManualLink, manual_links, restore_manual_links
from memory_app.engine.entities.relink_mentions import delete_unmentioned
from memory_app.engine.memories.edit import MemoryRef, lock_existing
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.memories.versions import LEFT_SPACE
from memory_app.engine.memories.write_version import key_is_taken, version_from
from memory_app.engine.people.transfer_rows import Transfer, delete_copied_rows, move_rows
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.engine.write_access import check_write
from memory_app.errors import Invalid, NotAllowed, NotFound
from memory_app.models import COMMONS, EntityLink, Memory, Person, Space
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.visibility import Visibility

STAYS_PRIVATE = "This is sensitive, so it stays with you alone."
NOT_YOURS = "Only the person whose memory it is may change who sees it."


@dataclass(frozen=True, slots=True)
class Level:
    """A level and place that a memory may move to, and how many people see what is there, its person among them."""

    visibility: Visibility
    space: UUID
    name: str = ""
    people: int = 1


def possible_levels(venue_context: VenueContext) -> Sequence[Level]:
    """Where the memories of a person, in private, may move to, the narrowest first."""
    home = venue_context.venue.home
    spaces = Space.objects.filter(id__in=venue_context.venue.member).annotate(
        people=Count("memberships", filter=Q(memberships__left_at=None))
    )
    return [
        Level(Visibility.PRIVATE, home),
        Level(Visibility.GLOBAL, home),
        *(Level(Visibility.SPACE, space.id, space.name, space.people) for space in spaces.order_by("name")),
        Level(Visibility.EVERYONE, COMMONS, people=Person.objects.count()),
    ]


def move(*, venue_context: VenueContext, at: MemoryRef, to: Level, author: Author, now: datetime) -> Memory:
    """Moves a kept memory of the person, who is in private. Where its key holds another value there, it comes without.

    Raises NotAllowed for what is another's, Invalid for what is sensitive, NotFound for a place they do not belong to.
    """
    if not any(
        (level.visibility, level.space) == (to.visibility, to.space) for level in possible_levels(venue_context)
    ):
        raise NotFound
    return _move_to(venue_context, at, to, None, author, now)


def undo_move(*, at: MemoryRef, detail: dict[str, Any], author: Author, now: datetime) -> list[Memory]:
    """Undoes a move, whose entry in the log has this detail, where nothing changed the memory since."""
    with allowed_spaces([at.space]):
        memory = lock_existing(at)
        if memory.version != detail.get("version"):
            return []
    visibility, space, channel = detail["from"]
    venue_context = resolve_venue(person=memory.person.name, create=False)
    if UUID(space) not in venue_context.venue.member | {venue_context.venue.home, COMMONS}:
        return []
    to = Level(Visibility(visibility), UUID(space))
    return [_move_to(venue_context, at, to, UUID(channel) if channel else None, author, now)]


def _move_to(
    venue_context: VenueContext, at: MemoryRef, to: Level, channel: UUID | None, author: Author, now: datetime
) -> Memory:
    with allowed_spaces(venue_context.venue.spaces | {at.space, to.space}):
        memory = lock_existing(at)
        if memory.person_id != venue_context.person.id:
            raise NotAllowed(NOT_YOURS)
        space = Space.objects.get(id=to.space)
        check_write(
            venue_context.grant, memory, to=to.visibility if channel is None else Visibility.CHANNEL, space=space
        )
        if memory.sensitive and to.visibility is not Visibility.PRIVATE and channel is None:
            raise Invalid("visibility", STAYS_PRIVATE)
        if (memory.visibility, memory.space_id, memory.channel_id) != (to.visibility, to.space, channel):
            links_made_by_hand = manual_links(memory)
            _write_level(memory, to, channel, author, now)
            _move_rows_to(memory, to, channel, links_made_by_hand)
        return Memory.objects.select_related(*WITH_NAMES).get(space_id=to.space, id=at.id)


def _write_level(memory: Memory, to: Level, channel: UUID | None, author: Author, now: datetime) -> None:
    """The level in its row, as a new version; the names it links to are of the old level, and stay there."""
    before = version_from(memory, now)
    before.state[LEFT_SPACE] = str(memory.space_id)
    before.save(force_insert=True)
    EntityLink.objects.filter(space_id=memory.space_id, memory_id=memory.id).delete()
    came_from = [memory.visibility, str(memory.space_id), str(memory.channel_id) if memory.channel_id else None]
    target = Memory(space_id=to.space, person_id=memory.person_id, visibility=to.visibility, channel_id=channel)
    key = "" if memory.status == "active" and key_is_taken(target, memory.key) else memory.key
    fields: dict[str, Any] = {"key": key, "version": memory.version + 1}
    if channel is None:  # a channel is set where that is, once the memory is there
        fields |= {"visibility": to.visibility.value, "channel_id": None}
    rows = Memory.objects.filter(space_id=memory.space_id, id=memory.id)
    rows.update(**fields, updated_at=now, changed_by=author.label)
    detail = {"version": memory.version + 1, "changed": ["visibility"], "from": came_from}
    log_operation(memory, "move", author, now, {**detail, "to": [to.visibility.value, str(to.space)]})


def _move_rows_to(memory: Memory, to: Level, channel: UUID | None, links_made_by_hand: Sequence[ManualLink]) -> None:
    """To the other space, if it is one, and names what it names anew, but for what someone said by hand."""
    transfer = Transfer(memory.space_id, to.space, memory.person_id, memory.person_id)
    ids = {"memories": [memory.id]}
    if not transfer.same_space:
        move_rows(transfer, ids)
        delete_copied_rows(transfer, ids)
    delete_unmentioned(memory.space_id, memory.person_id)
    if channel is not None:
        rows = Memory.objects.filter(space_id=to.space, id=memory.id)
        rows.update(visibility=to.visibility.value, channel_id=channel)
    restore_manual_links(
        Memory.objects.select_related(*WITH_NAMES).get(space_id=to.space, id=memory.id), links_made_by_hand
    )


NARROWER_LEVELS = (Visibility.PRIVATE.value, Visibility.CHANNEL.value)
"""Levels that `global` is wider than: what a space sees, others would lose."""
