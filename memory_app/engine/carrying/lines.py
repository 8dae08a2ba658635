"""Lines: what an export holds of each row, as JSON values. `export` walks the rows, `carry_back` reads lines again."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model

from memory_app.engine.settle import SETTINGS
from memory_app.models import (
    Conflict,
    Conversation,
    Entity,
    EntityLink,
    Memory,
    Note,
    Person,
    Proposal,
    Receipt,
    Signal,
    Turn,
    Version,
)

CARRIED = (
    *(
        "type",
        "category",
        "key",
        "summary",
        "content",
        "context",
        "keywords",
        "tags",
        "attributes",
        "visibility",
        "status",
    ),
    *("confidence", "protected", "sensitive", "source_type", "source_conversation", "source_speaker", "source_turns"),
    *("source_count", "event_time", "event_end", "valid_from", "valid_to", "expires_at", "supersedes", "superseded_by"),
    *("decay_rate", "reinforced_at", "access_count", "last_accessed_at", "created_at", "updated_at", "version"),
    *("deleted_at", "deleted_by", "delete_reason", "stated"),
)
"""Fields of a memory that an export carries and an import sets as they were."""

MARKS_OF_AN_EXPORT = frozenset({"id", "created_at", "source_type", "decay_rate"})
"""What tells a memory of an export from a record of others."""

OF_A_VERSION = ("number", "changed_by", "changed_at", "replaced_at", "state")
OF_A_LINK = ("surface", "confidence", "source", "moved_from", "same_as")
OF_AN_ENTITY = ("type", "name", "apart", "by_hand", "created_at")

KINDS: Mapping[str, type[Model]] = {
    "conversation": Conversation,
    "turn": Turn,
    "proposal": Proposal,
    "note": Note,
    "receipt": Receipt,
    "signal": Signal,
    "conflict": Conflict,
}
"""What lines may be besides memories and the person, parents before what refers to them."""

MADE_ANEW = frozenset(
    {"space_id", "person_id", "channel_id", "conversation_id", "run_id", "embedding", "embedding_model", "tsv", "words"}
    | {"older_digest", "newer_digest"}
)
"""Columns that no line holds: they are told by name, or follow from the rest."""


def fields_of(kind: str) -> list[str]:
    """The columns that a line of a kind of KINDS holds as they are."""
    columns = KINDS[kind]._meta.concrete_fields
    return [field.attname for field in columns if field.column and field.attname not in MADE_ANEW]


def settings_line(person: Person) -> dict[str, Any] | None:
    """How a person's memory is kept, where they chose anything."""
    unasked = Person()
    chosen = {name: getattr(person, name) for name in SETTINGS if getattr(person, name) != getattr(unasked, name)}
    return {"kind": "person", "person": person.name, **chosen} if chosen else None


def memory_line(
    memory: Memory,
    channel: str | None,
    past: Iterable[Version],
    links: Iterable[EntityLink],
    roots: Mapping[Any, Entity],
) -> dict[str, Any]:
    """A memory, what it was before, and whom it names. channel: its name. roots: what entities were merged into."""
    versions = [{name: plain(getattr(row, name)) for name in OF_A_VERSION} for row in past]
    names = [
        {"entity": _named(link.entity, roots), **{name: plain(getattr(link, name)) for name in OF_A_LINK}}
        for link in links
    ]
    return {
        "kind": "memory",
        "id": str(memory.id),
        "person": memory.person.name,
        "space": memory.space.name or None,
        "channel": channel,
        **{name: plain(getattr(memory, name)) for name in CARRIED},
        "attributes": plain(memory.told_attributes),
        "versions": versions,
        "names": names,
    }


def line_of(kind: str, row: Any, channel: str | None) -> dict[str, Any]:
    """A row of KINDS. channel: the name of the one it belongs to, if any."""
    line = {"kind": kind, "person": row.person.name, **{name: plain(getattr(row, name)) for name in fields_of(kind)}}
    if kind in ("conversation", "proposal"):
        line |= {"space": row.space.name or None, "channel": channel}
    if kind in ("turn", "proposal"):
        line["conversation"] = plain(row.conversation_id)
    if kind == "receipt":  # where a memory lives is another space once it was carried in
        line["items"] = [{name: value for name, value in item.items() if name != "space"} for item in row.items]
    return line


def plain(value: Any) -> Any:
    """A value of a column as JSON has it. Times are told to the microsecond: cut to the millisecond, as Django's
    encoder has them, they would come back as others."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if value is None or isinstance(value, str | int | float | dict):
        return value
    return DjangoJSONEncoder().default(value)


def _named(entity: Entity, roots: Mapping[Any, Entity]) -> dict[str, Any]:
    root = roots.get(entity.merged_into) if entity.merged_into else None
    into = {"into": _entity(root), "via": plain(entity.merged_via)} if root else {}
    return {**_entity(entity), **into}


def _entity(entity: Entity) -> dict[str, Any]:
    return {"id": str(entity.id), **{name: plain(getattr(entity, name)) for name in OF_AN_ENTITY}}
