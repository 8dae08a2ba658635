"""Ids that follow from those of the source, so that what was brought in once is found again, or known as erased."""

from datetime import datetime
from hashlib import blake2b
from uuid import UUID

LONGEST_EXTERNAL_ID = 200
LAST_MILLISECOND = (1 << 48) - 1
"""The last one that a UUIDv7 can tell; the first is that of 1970."""


def stable_id(person: UUID, *names: str, at: datetime) -> UUID:
    """A UUIDv7 of a moment for something of a person that another product calls by these names. One before 1970 has the
    first millisecond of it."""
    hashed = blake2b("\0".join([str(person), *names]).encode(), digest_size=16).digest()
    milliseconds = min(max(0, int(at.timestamp() * 1000)), LAST_MILLISECOND)
    bits = milliseconds << 80 | (int.from_bytes(hashed) & (1 << 80) - 1)
    version, variant = 0xF << 76, 0x3 << 62
    return UUID(int=bits & ~version & ~variant | 0x7 << 76 | 0x2 << 62)


def external_id(source: str, own_id: str) -> str:
    """What a conversation of a source is called here, such as "chatgpt:68f2…"."""
    whole = f"{source}:{own_id}"
    if len(whole) <= LONGEST_EXTERNAL_ID:
        return whole
    return f"{source}:{blake2b(own_id.encode(), digest_size=16).hexdigest()}"
