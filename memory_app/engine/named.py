"""Give memories their person, space and channel, most of which whoever asks has at hand already."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.models import Channel, Memory, Person, Space


def named(rows: Iterable[Memory], entered: Entered) -> Sequence[Memory]:
    """The rows, each with the names it is shown by: no statement for what is the asker's own, else one for all people,
    spaces and channels each. Expects the venue's scope."""
    found = list(rows)
    people = {entered.person.id: entered.person}
    spaces = {space.id: space for space in (entered.person.space, entered.space) if space}
    people |= Person.objects.in_bulk(_missing((row.person_id for row in found), people))
    spaces |= Space.objects.in_bulk(_missing((row.space_id for row in found), spaces))
    channels = _channels(found)
    for row in found:
        row.person, row.space = people[row.person_id], spaces[row.space_id]
        if row.channel_id:
            row.channel = channels[row.channel_id]
    return found


def _missing(wanted: Iterable[UUID], known: Iterable[UUID]) -> set[UUID]:
    return set(wanted) - set(known)


def _channels(rows: Sequence[Memory]) -> dict[UUID, Channel]:
    spaces, ids = {row.space_id for row in rows if row.channel_id}, {row.channel_id for row in rows if row.channel_id}
    return {row.id: row for row in Channel.objects.filter(space_id__in=spaces, id__in=ids)} if ids else {}
