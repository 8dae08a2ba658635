"""Move a memory to another level: who may see it, decided by its person alone. To another space it is a copy and a
delete in one transaction. Its id stays, and moving it back undoes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from memory_app.engine.author import Author
from memory_app.engine.change import key_is_taken, record, version_of
from memory_app.engine.edit import At, kept
from memory_app.engine.enter import Entered, enter
from memory_app.engine.history import LEFT
from memory_app.engine.keeping.mention import drop_unmentioned
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.naming.stay_parted import Parted, parted_by_hand, stay_parted
from memory_app.engine.passing.pass_on import leave, pass_rows
from memory_app.engine.passing.passage import Passage
from memory_app.engine.write_access import check_write
from memory_app.errors import Invalid, NotFound, NotGranted
from memory_app.models import COMMONS, EntityLink, Memory, Person, Space
from memory_app.models.scope import within
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


def levels(entered: Entered) -> Sequence[Level]:
    """Where the memories of a person, in private, may move to, the narrowest first."""
    home = entered.venue.home
    spaces = Space.objects.filter(id__in=entered.venue.member).annotate(
        people=Count("memberships", filter=Q(memberships__left_at=None))
    )
    return [
        Level(Visibility.PRIVATE, home),
        Level(Visibility.GLOBAL, home),
        *(Level(Visibility.SPACE, space.id, space.name, space.people) for space in spaces.order_by("name")),
        Level(Visibility.EVERYONE, COMMONS, people=Person.objects.count()),
    ]


def move(*, entered: Entered, at: At, to: Level, author: Author, now: datetime) -> Memory:
    """Moves a kept memory of the person, who is in private. Where its key holds another value there, it comes without.

    Raises NotGranted for what is another's, Invalid for what is sensitive, NotFound for a place they do not belong to.
    """
    if not any((level.visibility, level.space) == (to.visibility, to.space) for level in levels(entered)):
        raise NotFound
    return _moved(entered, at, to, None, author, now)


def move_back(*, at: At, detail: dict[str, Any], author: Author, now: datetime) -> list[Memory]:
    """Undoes a move, whose entry in the log has this detail, where nothing changed the memory since."""
    with within([at.space]):
        memory = kept(at)
        if memory.version != detail.get("version"):
            return []
    visibility, space, channel = detail["from"]
    entered = enter(person=memory.person.name, create=False)
    if UUID(space) not in entered.venue.member | {entered.venue.home, COMMONS}:
        return []
    to = Level(Visibility(visibility), UUID(space))
    return [_moved(entered, at, to, UUID(channel) if channel else None, author, now)]


def _moved(entered: Entered, at: At, to: Level, channel: UUID | None, author: Author, now: datetime) -> Memory:
    with within(entered.venue.spaces | {at.space, to.space}):
        memory = kept(at)
        if memory.person_id != entered.person.id:
            raise NotGranted(NOT_YOURS)
        space = Space.objects.get(id=to.space)
        check_write(entered.grant, memory, to=to.visibility if channel is None else Visibility.CHANNEL, space=space)
        if memory.sensitive and to.visibility is not Visibility.PRIVATE and channel is None:
            raise Invalid("visibility", STAYS_PRIVATE)
        if (memory.visibility, memory.space_id, memory.channel_id) != (to.visibility, to.space, channel):
            parted = parted_by_hand(memory)
            _change(memory, to, channel, author, now)
            _carry(memory, to, channel, parted)
        return Memory.objects.select_related(*WITH_NAMES).get(space_id=to.space, id=at.id)


def _change(memory: Memory, to: Level, channel: UUID | None, author: Author, now: datetime) -> None:
    """The level in its row, as a new version; the names it links to are of the old level, and stay there."""
    before = version_of(memory, now)
    before.state[LEFT] = str(memory.space_id)
    before.save(force_insert=True)
    EntityLink.objects.filter(space_id=memory.space_id, memory_id=memory.id).delete()
    came_from = [memory.visibility, str(memory.space_id), str(memory.channel_id) if memory.channel_id else None]
    there = Memory(space_id=to.space, person_id=memory.person_id, visibility=to.visibility, channel_id=channel)
    key = "" if memory.status == "active" and key_is_taken(there, memory.key) else memory.key
    fields: dict[str, Any] = {"key": key, "version": memory.version + 1}
    if channel is None:  # a channel is set where that is, once the memory is there
        fields |= {"visibility": to.visibility.value, "channel_id": None}
    here = Memory.objects.filter(space_id=memory.space_id, id=memory.id)
    here.update(**fields, updated_at=now, changed_by=author.label)
    detail = {"version": memory.version + 1, "changed": ["visibility"], "from": came_from}
    record(memory, "move", author, now, {**detail, "to": [to.visibility.value, str(to.space)]})


def _carry(memory: Memory, to: Level, channel: UUID | None, parted: Sequence[Parted]) -> None:
    """To the other space, if it is one, and names what it names anew, but for what someone said by hand."""
    passage = Passage(memory.space_id, to.space, memory.person_id, memory.person_id)
    ids = {"memories": [memory.id]}
    if not passage.stays:
        pass_rows(passage, ids)
        leave(passage, ids)
    drop_unmentioned(memory.space_id, memory.person_id)
    if channel is not None:
        there = Memory.objects.filter(space_id=to.space, id=memory.id)
        there.update(visibility=to.visibility.value, channel_id=channel)
    stay_parted(Memory.objects.select_related(*WITH_NAMES).get(space_id=to.space, id=memory.id), parted)
