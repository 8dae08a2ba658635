"""Export: all that is kept of a person, one JSON object a line, so that importing it loses nothing.

Vectors, text indexes, the readings of conversations and the log are not in it: they are made again.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q, QuerySet

from memory_app.engine.people.settings import SETTINGS
from memory_app.engine.summaries.daily_note import current_notes
from memory_app.engine.venue_context import VenueContext
from memory_app.models import (
    Channel,
    Conflict,
    Conversation,
    Document,
    Entity,
    EntityLink,
    Item,
    Memory,
    Note,
    OAuthAuthorization,
    Person,
    Proposal,
    Receipt,
    Signal,
    Turn,
    Version,
)
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.rules.item_text import item_texts

ROWS_AT_A_TIME = 500

EXPORTABLE = Q(deleted_at=None, sensitive=False)
"""Of memories, what a key that only reads may carry away."""

KINDS_AFTER_CONVERSATIONS = ("proposal", "note", "receipt", "signal", "conflict", "item", "document")
"""Kinds that are told after conversations."""


def export_person(venue_context: VenueContext, *, whole: bool = True) -> Iterator[dict[str, Any]]:
    """All that is the person's own, sensitive and deleted included, as JSON values: their settings, memories, then
    conversations with their turns, proposals, notes, receipts, signals, conflicts and items, each kind
    oldest first.

    whole: False leaves out what is sensitive or was forgotten, and what tells of it.

    Each page is read in a transaction of its own: someone who takes the lines slowly holds none open.
    """
    if settings := settings_line(venue_context.person, assistant_fields(venue_context.person) if whole else []):
        yield settings
    memories = _own_rows(venue_context, "memory")
    exported = memories if whole else memories.filter(EXPORTABLE)
    for page in _pages(venue_context, exported.defer("embedding", "tsv")):
        yield from _memory_lines(venue_context, page, whole)
    for page in _pages(venue_context, _own_rows(venue_context, "conversation")):
        channels = _channel_names(venue_context, page)
        for conversation in page:
            yield row_line("conversation", conversation, channels.get(conversation.channel_id))
            yield from _turn_lines(venue_context, conversation)
    for kind in KINDS_AFTER_CONVERSATIONS:
        yield from _kind_lines(venue_context, kind, whole)


def export_json_lines(venue_context: VenueContext, *, whole: bool = True) -> Iterator[bytes]:
    """The same as JSON Lines in UTF-8, as `memory import` reads it."""
    for line in export_person(venue_context, whole=whole):
        yield json.dumps(line, ensure_ascii=False).encode() + b"\n"


def _own_rows(venue_context: VenueContext, kind: str) -> QuerySet[Any]:
    model = MODELS_OF_LINES.get(kind, Memory)
    rows: Any = model._default_manager.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
    if kind in ("item", "document"):
        rows = rows.without_index()
    found: QuerySet[Any] = rows.select_related("person", "space")
    return found


def _pages(venue_context: VenueContext, rows: QuerySet[Any], by: str = "id") -> Iterator[Sequence[Any]]:
    following = rows.order_by(by)
    while True:
        with allowed_spaces(venue_context.venue.spaces):
            page = list(following[:ROWS_AT_A_TIME])
        yield page
        if len(page) < ROWS_AT_A_TIME:
            return
        following = rows.order_by(by).filter(**{f"{by}__gt": getattr(page[-1], by)})


def _memory_lines(venue_context: VenueContext, memories: Sequence[Memory], whole: bool) -> list[dict[str, Any]]:
    here = {"space_id__in": venue_context.venue.spaces, "memory_id__in": [memory.id for memory in memories]}
    past: dict[UUID, list[Version]] = defaultdict(list)
    links: dict[UUID, list[EntityLink]] = defaultdict(list)
    with allowed_spaces(venue_context.venue.spaces):
        for version in Version.objects.filter(**here).order_by("number"):
            if whole or not version.state["sensitive"]:
                past[version.memory_id].append(version)
        for link in EntityLink.objects.filter(**here).select_related("entity").order_by("entity_id"):
            links[link.memory_id].append(link)
        linked = [link.entity for found in links.values() for link in found]
        merged = {entity.merged_into for entity in linked if entity.merged_into}
        rows = Entity.objects.filter(
            space_id__in=venue_context.venue.spaces, person=venue_context.person, id__in=merged
        )
        roots = {row.id: row for row in rows}
    channels = _channel_names(venue_context, memories)
    return [
        memory_line(memory, channels.get(memory.channel_id), past[memory.id], links[memory.id], roots)
        for memory in memories
    ]


def _turn_lines(venue_context: VenueContext, conversation: Conversation) -> Iterator[dict[str, Any]]:
    turns = Turn.objects.filter(space_id=conversation.space_id, conversation_id=conversation.id)
    for page in _pages(venue_context, turns.select_related("person").defer("embedding", "tsv"), by="position"):
        yield from (row_line("turn", turn, None) for turn in page)


def _kind_lines(venue_context: VenueContext, kind: str, whole: bool) -> Iterator[dict[str, Any]]:
    for page in _pages(venue_context, _own_rows(venue_context, kind)):
        channels = _channel_names(venue_context, page)
        exported = page if whole else _exportable_rows(venue_context, kind, page)
        yield from (row_line(kind, row, channels.get(getattr(row, "channel_id", None))) for row in exported)


def _exportable_rows(venue_context: VenueContext, kind: str, rows: Sequence[Any]) -> Sequence[Any]:
    """Without the words of what is sensitive or was forgotten: proposals that became it, and lines of notes."""
    with allowed_spaces(venue_context.venue.spaces):
        if kind == "proposal":
            became = {row.memory_id for row in rows if row.memory_id}
            memories = _own_rows(venue_context, "memory").filter(EXPORTABLE, id__in=became)
            exported = {None, *memories.values_list("id", flat=True)}
            return [row for row in rows if row.memory_id in exported]
        if kind == "conflict":
            sides = {id for row in rows for id in (row.older_id, row.newer_id)}
            exported = {
                *_own_rows(venue_context, "memory").filter(EXPORTABLE, id__in=sides).values_list("id", flat=True)
            }
            return [row for row in rows if {row.older_id, row.newer_id} <= exported]
        if kind == "document":
            return [row for row in rows if row.deleted_at is None and not sensitive_kinds(row.content)]
        if kind == "item":
            return [row for row in rows if not sensitive_kinds("\n".join(item_texts(row.value, None)))]
        if kind == "note":
            notes = [
                current
                for current in current_notes(rows)
                if current.note.deleted_at is None and not sensitive_kinds(current.text)
            ]
            for current in notes:
                current.note.text = current.text
            return [current.note for current in notes]
    return rows


def _channel_names(venue_context: VenueContext, rows: Sequence[Any]) -> dict[UUID | None, str]:
    """Names of the channels that rows belong to, of those that belong to any."""
    channel_ids = [row.channel_id for row in rows if getattr(row, "channel_id", None)]
    with allowed_spaces(venue_context.venue.spaces):
        here = Channel.objects.filter(space_id__in=venue_context.venue.spaces, id__in=channel_ids)
        return {channel.id: channel.name for channel in here}


MEMORY_FIELDS = (
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

EXPORT_MARKS = frozenset({"id", "created_at", "source_type", "decay_rate"})
"""What tells a memory of an export from a record of others."""

VERSION_FIELDS = ("number", "changed_by", "changed_at", "replaced_at", "state")
LINK_FIELDS = ("surface", "confidence", "source", "moved_from", "same_as")
ENTITY_FIELDS = ("type", "name", "apart", "by_hand", "created_at")

MODELS_OF_LINES: Mapping[str, type[Model]] = {
    "conversation": Conversation,
    "turn": Turn,
    "proposal": Proposal,
    "note": Note,
    "receipt": Receipt,
    "signal": Signal,
    "conflict": Conflict,
    "item": Item,
    "document": Document,
}
"""What lines may be besides memories and the person, parents before what refers to them."""

DERIVED_COLUMNS = frozenset(
    {"space_id", "person_id", "channel_id", "conversation_id", "run_id", "embedding", "embedding_model", "tsv", "words"}
    | {"older_digest", "newer_digest"}
    | {"place", "vectors"}
)
"""Columns that no line holds: they are told by name, or follow from the rest."""


def exported_columns(kind: str) -> list[str]:
    """The columns that a line of a kind of KINDS holds as they are."""
    columns = MODELS_OF_LINES[kind]._meta.concrete_fields
    return [field.attname for field in columns if field.column and field.attname not in DERIVED_COLUMNS]


def assistant_fields(person: Person) -> list[dict[str, Any]]:
    """Assistants that were allowed to reach a person's memory by signing in. An import allows none of them again."""
    rows = OAuthAuthorization.objects.signed_in().of_person(person.name).select_related("key").order_by("created_at")
    return [
        {
            "name": row.key.name,
            "host": row.redirect_host,
            "scopes": row.key.scopes,
            "allowed_at": json_value(row.created_at),
            "last_used_at": json_value(row.key.last_used_at),
            "ended_at": json_value(row.key.revoked_at),
        }
        for row in rows
    ]


def settings_line(person: Person, assistants: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """How a person's memory is kept and who reaches it, where they chose anything."""
    defaults = Person()
    chosen = {name: getattr(person, name) for name in SETTINGS if getattr(person, name) != getattr(defaults, name)}
    if assistants:
        chosen["assistants"] = assistants
    return {"kind": "person", "person": person.name, **chosen} if chosen else None


def memory_line(
    memory: Memory,
    channel: str | None,
    past: Iterable[Version],
    links: Iterable[EntityLink],
    roots: Mapping[Any, Entity],
) -> dict[str, Any]:
    """A memory, what it was before, and whom it names. channel: its name. roots: what entities were merged into."""
    versions = [{name: json_value(getattr(row, name)) for name in VERSION_FIELDS} for row in past]
    names = [
        {
            "entity": _entity_with_root(link.entity, roots),
            **{name: json_value(getattr(link, name)) for name in LINK_FIELDS},
        }
        for link in links
    ]
    return {
        "kind": "memory",
        "id": str(memory.id),
        "person": memory.person.name,
        "space": memory.space.name or None,
        "channel": channel,
        **{name: json_value(getattr(memory, name)) for name in MEMORY_FIELDS},
        "attributes": json_value(memory.visible_attributes),
        "versions": versions,
        "names": names,
    }


def row_line(kind: str, row: Any, channel: str | None) -> dict[str, Any]:
    """A row of KINDS. channel: the name of the one it belongs to, if any."""
    line = {
        "kind": kind,
        "person": row.person.name,
        **{name: json_value(getattr(row, name)) for name in exported_columns(kind)},
    }
    if kind in ("conversation", "proposal"):
        line |= {"space": row.space.name or None, "channel": channel}
    if kind in ("turn", "proposal"):
        line["conversation"] = json_value(row.conversation_id)
    if kind == "receipt":  # where a memory lives is another space once it was carried in
        line["items"] = [{name: value for name, value in item.items() if name != "space"} for item in row.items]
    return line


def json_value(value: Any) -> Any:
    """A value of a column as JSON has it. Times are told to the microsecond: cut to the millisecond, as Django's
    encoder has them, they would come back as others."""
    if isinstance(value, list):
        return [json_value(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if value is None or isinstance(value, str | int | float | dict):
        return value
    return DjangoJSONEncoder().default(value)


def _entity_with_root(entity: Entity, roots: Mapping[Any, Entity]) -> dict[str, Any]:
    root = roots.get(entity.merged_into) if entity.merged_into else None
    into = {"into": _entity_fields(root), "via": json_value(entity.merged_via)} if root else {}
    return {**_entity_fields(entity), **into}


def _entity_fields(entity: Entity) -> dict[str, Any]:
    return {"id": str(entity.id), **{name: json_value(getattr(entity, name)) for name in ENTITY_FIELDS}}
