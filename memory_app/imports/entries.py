"""What a reader finds in a file: conversations and memories, what it leaves out and why, and what is broken where."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Literal

LONGEST_MEMORY = 20_000
"""Characters of one memory; a longer text is split between paragraphs."""

LONGEST_TURN = 100_000
"""Characters of one turn, as the API takes them; a longer one becomes several."""

FIRST_YEAR, LAST_YEAR = 2, 9998


@dataclass(frozen=True, slots=True)
class ImportedTurn:
    """One message, verbatim. id: the source's own, unique in its conversation."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    said_at: datetime | None


@dataclass(frozen=True, slots=True)
class ImportedConversation:
    """One conversation of a source. place: where in the files it stands, for whoever looks for it."""

    source: str
    id: str
    started_at: datetime | None
    turns: Sequence[ImportedTurn]
    place: str


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """Something that a source remembers. owner: the source's name of whose it is, where a file holds several people's.

    context: what the words stand under, such as a heading. category, type: as Keepsake has them; "" derives them.
    """

    source: str
    id: str
    content: str
    place: str
    said_at: datetime | None = None
    expires_at: datetime | None = None
    context: str = ""
    category: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that is left out on purpose: what it is, in the plural, with the reason."""

    reason: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that cannot be read. place: the file, and the entry by its index and id."""

    place: str
    reason: str


Entry = ImportedConversation | ImportedMemory | Skipped | Fault


class Broken(ValueError):
    """One entry cannot be read; the message says why, and repeats none of its words."""


def memories_from(content: str, **fields: Any) -> Iterator[ImportedMemory]:
    """A text as one memory, or as several where it is too long for one; `fields` are those of `ImportedMemory`."""
    parts = split_text(clean_text(content), LONGEST_MEMORY)
    for number, part in enumerate(parts, 1):
        own_id = fields["id"] if number == 1 else f"{fields['id']}#{number}"
        yield ImportedMemory(content=part, **{**fields, "id": own_id})


def turns_from(
    own_id: str, role: Literal["user", "assistant"], text: str, said_at: datetime | None
) -> list[ImportedTurn]:
    """A message as one turn, or as several where it is too long; none where it says nothing."""
    parts = split_text(clean_text(text), LONGEST_TURN)
    ids = [own_id, *(f"{own_id}#{number}" for number in range(2, len(parts) + 1))]
    return [ImportedTurn(part_id, role, part, said_at) for part_id, part in zip(ids, parts, strict=False)]


def split_text(text: str, longest: int) -> list[str]:
    """The text in parts of at most so many characters, split between paragraphs, else lines, else words, else
    anywhere; nothing is lost but the white space between parts."""
    text = text.strip()
    if len(text) <= longest:
        return [text] if text else []
    parts: list[str] = []
    while len(text) > longest:
        cuts = (text.rfind(mark, 1, longest + 1) for mark in ("\n\n", "\n", " "))
        cut = next((found for found in cuts if found > longest // 4), longest)
        parts.append(text[:cut].strip())
        text = text[cut:].strip()
    return [part for part in [*parts, text] if part]


def clean_text(text: str) -> str:
    """What a database can hold: no NUL, no half of a surrogate pair, and line feeds between lines."""
    storable = text.replace("\x00", "").encode("utf-8", "replace").decode()
    return storable.replace("\r\n", "\n").replace("\r", "\n").strip()


def digest(text: str) -> str:
    """A short name for a text that has no id of its own: equal texts have equal ones."""
    return blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=12).hexdigest()


def required_id(fields: dict[str, Any], *names: str) -> str:
    """The first of these fields that holds an id. Raises Broken."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return clean_text(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    raise Broken(f"it has no {names[0]}")


def object_of(value: Any, name: str = "it") -> dict[str, Any]:
    """The value as an object of JSON. Raises Broken."""
    if not isinstance(value, dict):
        raise Broken(f"{name} is not an object")
    return value


def list_of(value: Any, name: str) -> list[Any]:
    """The value as a list of JSON; None is an empty one. Raises Broken."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise Broken(f"{name} is not a list")
    return value


def moment_of(value: Any) -> datetime | None:
    """A time as seconds since 1970 or in ISO 8601, without an offset in UTC; None where it is neither, and in the years
    1 and 9999, by which a source says that it knows none."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _told(datetime.fromtimestamp(value, UTC))
        if isinstance(value, str) and value.strip():
            found = datetime.fromisoformat(value.strip())
            return _told(found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _told(moment: datetime) -> datetime | None:
    """The time, where each timezone has one for it."""
    return moment if FIRST_YEAR <= moment.year <= LAST_YEAR else None


_USER = re.compile(r"^(?:The user|User)(?=['’ ,:]|$)", re.IGNORECASE)


def name_person(text: str, name: str) -> str:
    """The text with a person's name where another product calls them "User" or "The user" at its start."""
    return _USER.sub(lambda found: name, text, count=1)
