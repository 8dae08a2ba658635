"""Identifiers: UUIDv7, whose first 48 bits are the millisecond of creation, so that ids sort by time."""

from datetime import UTC, datetime
from uuid import UUID

from uuid_utils.compat import uuid7 as new_id

__all__ = ["earliest_id", "id_time", "new_id"]
# `new_id` makes a fresh UUIDv7 (RFC 9562, section 5.7). It is the library's own function, because migrations name it as
# the default of columns and must not import code of this project.


def earliest_id(moment: datetime) -> UUID:
    """The smallest UUIDv7 of the millisecond of `moment`: the bound that turns a time into a range of ids."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=milliseconds << 80)


def id_time(identifier: UUID) -> datetime:
    """When a UUIDv7 was made, to the millisecond, in UTC."""
    return datetime.fromtimestamp((identifier.int >> 80) / 1000, tz=UTC)
