"""The mark of a contradiction among a memory's attributes: which other one says otherwise, and which was told first."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

CONFLICTS_WITH = "conflicts_with"
"""The attribute that names the memory that says otherwise, in the older of the two and in the newer."""

TOLD_FIRST = "told_first"
"""The attribute that tells whether it is the older of the two, where their ids tell it wrong: one was told anew since,
or was kept some time after it was said."""

A_MOMENT = timedelta(milliseconds=1)
"""By so much at least one of two is newer: versions keep times to the millisecond."""


def id_in(written: object) -> UUID | None:
    """The id that an attribute holds; attributes are free to write, and may hold none."""
    try:
        return UUID(str(written))
    except ValueError:
        return None


def newer_by(attributes: Mapping[str, Any], own: UUID) -> UUID | None:
    """The memory that says otherwise since, by the mark among the attributes of the memory of this id."""
    other = id_in(attributes.get(CONFLICTS_WITH))
    return newer_of(own, other, attributes.get(TOLD_FIRST))


def newer_of(own: UUID, other: UUID | None, first: object) -> UUID | None:
    """The other one, if it is the newer. first: what the mark says of that, if anything."""
    if other is None:
        return None
    is_older = first if isinstance(first, bool) else own < other
    return other if is_older else None


def told(valid_from: datetime, own: UUID) -> tuple[datetime, UUID]:
    """By what a memory is older or newer than another one: when it was told, and of what was told at once the order of
    ids."""
    return to_the_millisecond(valid_from), own


def to_the_millisecond(moment: datetime) -> datetime:
    """As versions keep a time."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
