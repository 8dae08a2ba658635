"""Restore what an export holds besides memories: settings, conversations, turns, proposals, notes, receipts, signals,
conflicts and items, as they were. Doing it twice changes nothing; a line that cannot be stored stops no other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError

from memory_app.embedding.encoder import Encoder
from memory_app.engine.conversations.add_turns import turn_search_text
from memory_app.engine.documents.documents import set_words
from memory_app.engine.entities.link_mentions import LONGEST_NAME
from memory_app.engine.people.settings import SETTINGS, change_settings
from memory_app.engine.transfer.export import MODELS_OF_LINES, exported_columns
from memory_app.engine.transfer.import_format import ExportedEntity, ExportedLink, ExportedVersion, MemoryHistory
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.errors import KeepsakeError
from memory_app.models import Conflict, Conversation, Entity, EntityLink, Item, Memory, Person, Tombstone, Version
from memory_app.models.item import item_place
from memory_app.models.memory import with_context
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.models.text_search import text_tsvector
from memory_app.nlp.documents.records import Record
from memory_app.nlp.text import normalised
from memory_app.postgres.fast.insert_rows import insert_rows
from memory_app.rules.item_text import item_texts
from memory_app.rules.visibility import Placed, Visibility

RowResult = tuple[int, str, str]
"""The line, what became of it (added, there, refused, failed), and why not."""

ERASED_FOR_GOOD = "this was erased for good; nothing brings it back"
UNCHECKED_FIELDS = (
    *("space", "person", "channel", "conversation", "older", "newer", "tsv", "embedding", "vectors"),
    *("quotes", "items", "namespace", "value"),
)
"""Fields that are set here, or whose content the database alone checks."""

NOT_STORED = "something in this record cannot be stored"


def group_by_kind(records: Sequence[Record]) -> dict[str, list[Record]]:
    """The records of each kind that an export holds; what is of none of them is a memory."""
    found: dict[str, list[Record]] = {kind: [] for kind in ("person", "memory", *MODELS_OF_LINES)}
    for record in records:
        kind = record.fields.get("kind")
        marked = kind == "person" or (isinstance(kind, str) and kind in MODELS_OF_LINES and "id" in record.fields)
        found[str(kind) if marked else "memory"].append(record)
    return found


def restore_rows(kind: str, records: Sequence[Record], *, person: str | None, encoder: Encoder) -> Iterator[RowResult]:
    """Stores the lines of one kind, but for memories. person: whose they all are; None, whom each names."""
    known, erased = _existing_ids(kind, records), _erased_ids(kind, records)
    rows: list[tuple[int, Any]] = []
    for record in records:
        identifier = str(record.fields.get("id", record.line))
        if identifier in known:
            yield record.line, "there", ""
            continue
        if identifier in erased:
            yield record.line, "refused", ERASED_FOR_GOOD
            continue
        known.add(identifier)
        try:
            name = str(person or record.fields["person"])
            if kind == "person":
                yield record.line, _restore_settings(name, record.fields), ""
            else:
                rows.append((record.line, _build_row(kind, name, record.fields)))
        except (KeepsakeError, ValidationError, KeyError, ValueError, TypeError, AttributeError) as error:
            yield record.line, "failed", _error_text(error)
    if kind == "proposal" and rows:
        vectors = encoder.documents([with_context(row.content, row.context) for _, row in rows])
        for (_, row), vector in zip(rows, vectors, strict=True):
            row.embedding, row.embedding_model = vector, encoder.name
    yield from _store_or_split(rows)


def _existing_ids(kind: str, records: Sequence[Record]) -> set[str]:
    """Ids among these that are in the database already, in whatever space."""
    if kind == "person":
        return set()
    ids = [record.fields["id"] for record in records if _is_id(record.fields["id"])]
    with every_space():
        return {
            str(known)
            for known in MODELS_OF_LINES[kind]._default_manager.filter(id__in=ids).values_list("id", flat=True)
        }


def _erased_ids(kind: str, records: Sequence[Record]) -> set[str]:
    """Ids among these of what was erased for good."""
    ids = [] if kind == "person" else [record.fields["id"] for record in records if _is_id(record.fields["id"])]
    return set(map(str, Tombstone.objects.among(map(UUID, ids))))


def _restore_settings(name: str, fields: dict[str, Any]) -> str:
    """Takes over how memory was kept, in what the person has not chosen since."""
    known, defaults = resolve_venue(person=name).person, Person()
    taken = {
        setting: Person._meta.get_field(setting).to_python(fields[setting])  # type: ignore[union-attr]
        for setting in SETTINGS
        if setting in fields and getattr(known, setting) == getattr(defaults, setting)
    }
    changes = {setting: value for setting, value in taken.items() if value != getattr(known, setting)}
    change_settings(person=known, changes=changes)
    return "added" if changes else "there"


def _build_row(kind: str, person: str, fields: dict[str, Any]) -> Any:
    """The row that a line tells of, unsaved. Raises ValueError and its kin for what cannot be one."""
    row: Any = MODELS_OF_LINES[kind]()
    for name in exported_columns(kind):
        if name in fields:
            setattr(row, name, MODELS_OF_LINES[kind]._meta.get_field(name).to_python(fields[name]))  # type: ignore[union-attr]
    venue_context = resolve_venue(person=person, place=_place_of_row(kind, fields))
    row.person = venue_context.person
    _put_in_space(kind, row, venue_context, fields)
    if kind == "turn":
        row.tsv = text_tsvector(
            turn_search_text(row.speaker, row.content, row.spoken_at), venue_context.person.language
        )
    if kind == "note" and not row.is_digest:
        row.tsv = text_tsvector(row.searchable_text, venue_context.person.language)
    if kind == "item":
        _set_place(row, venue_context)
    if kind == "document":
        set_words(row, venue_context.person.language)
    row.clean_fields(exclude=UNCHECKED_FIELDS)
    return row


def _set_place(row: Item, venue_context: VenueContext) -> None:
    """Sets what an item is read by and found by, but for its vectors. Raises ValueError where its place is taken."""
    row.place = item_place(row.namespace, row.key)
    texts = item_texts(row.value, row.indexed)
    row.tsv = text_tsvector("\n".join(texts), venue_context.person.language) if texts else None
    with allowed_spaces([venue_context.venue.home]):
        if Item.objects.of_person(venue_context.person).filter(place=row.place).exists():
            raise ValueError("key: another item of this namespace and key is here")


def _place_of_row(kind: str, fields: dict[str, Any]) -> VenueNames:
    level = fields.get("visibility")
    if kind not in ("conversation", "proposal") or level not in (Visibility.SPACE, Visibility.CHANNEL):
        return VenueNames()
    channel = fields["channel"] if level == Visibility.CHANNEL else None
    return VenueNames(fields["space"], channel, restricted=bool(channel))


def _put_in_space(kind: str, row: Any, venue_context: VenueContext, fields: dict[str, Any]) -> None:
    """Where the row lives: where its like is kept here. Ids of spaces are another installation's."""
    row.space_id = venue_context.venue.home
    if kind in ("conversation", "proposal"):
        space = venue_context.venue.lives_in(Visibility(row.visibility))
        if space is None:
            raise ValueError("space: this level needs a space")
        row.space_id = space
        row.channel_id = (
            venue_context.channel.id if venue_context.channel and row.visibility == Visibility.CHANNEL else None
        )
    with allowed_spaces(venue_context.venue.spaces):
        if kind == "conversation":
            row.channel_name = row.channel_name or (venue_context.channel.name if venue_context.channel else "")
            row.external_id = "" if Conversation.objects.with_external_id_of(row).exists() else row.external_id
        elif kind in ("turn", "proposal"):
            _join_conversation(kind, row, venue_context, fields.get("conversation"))
        elif kind == "conflict":
            _set_sides(row, venue_context)
        elif kind == "receipt":
            row.items = _with_spaces(row.items, venue_context)


def _join_conversation(kind: str, row: Any, venue_context: VenueContext, conversation: Any) -> None:
    own = Conversation.objects.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
    found = own.filter(id=conversation).first() if _is_id(conversation) else None
    if kind == "proposal":
        row.conversation_id = found.id if found and found.space_id == row.space_id else None
    elif found is None:
        raise ValueError("conversation: this turn is of none that is here")
    else:
        row.space_id, row.conversation_id = found.space_id, found.id
        row.visibility, row.channel_id = found.visibility, found.channel_id


def _set_sides(row: Conflict, venue_context: VenueContext) -> None:
    """Puts a conflict beside its two memories, and makes it about the texts that they have here."""
    own = Memory.objects.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
    here = {memory.id: memory for memory in own.filter(id__in=[row.older_id, row.newer_id])}
    if here.keys() != {row.older_id, row.newer_id} or len({memory.space_id for memory in here.values()}) > 1:
        raise ValueError("conflict: its two memories are not here")
    older, newer = here[row.older_id], here[row.newer_id]
    row.space_id, row.older_digest, row.newer_digest = older.space_id, older.digest, newer.digest


def _with_spaces(items: Any, venue_context: VenueContext) -> list[dict[str, Any]]:
    """What a brief held, with the spaces where that is now."""
    with_spaces = [dict(item) for item in items]
    ids = [item["memory"] for item in with_spaces if _is_id(item.get("memory"))]
    known = Memory.objects.filter(space_id__in=venue_context.venue.spaces, id__in=ids).values_list("id", "space_id")
    spaces = {str(memory): str(space) for memory, space in known}
    return [
        {**item, "space": spaces.get(str(item.get("memory")), str(venue_context.venue.home))} for item in with_spaces
    ]


def _store_or_split(rows: Sequence[tuple[int, Any]]) -> Iterator[RowResult]:
    """Stores them together; where the database does not take one of them, each by itself."""
    if not rows:
        return
    try:
        with allowed_spaces({row.space_id for _, row in rows}):
            insert_rows([row for _, row in rows])
    except (DataError, IntegrityError):
        if len(rows) == 1:
            yield rows[0][0], "failed", NOT_STORED
            return
        for one in rows:
            yield from _store_or_split([one])
        return
    yield from ((line, "added", "") for line, _ in rows)


def _is_id(value: Any) -> bool:
    try:
        return bool(UUID(str(value)))
    except ValueError:
        return False


def _error_text(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]}: is missing"
    return "; ".join(error.messages) if isinstance(error, ValidationError) else str(error)


def restore_history(memories: Iterable[tuple[Memory, MemoryHistory]]) -> None:
    """Stores it for memories that are stored. Expects their spaces' scope."""
    versions: list[Version] = []
    links: list[EntityLink] = []
    known: dict[Placed, dict[tuple[str, str, int], Entity]] = {}
    for memory, history in memories:
        versions += [_new_version(memory, version) for version in history.versions]
        for link in history.links or []:
            entity = _find_or_make_entity(memory, link.entity, known.setdefault(memory.placed, {}))
            links.append(_new_link(memory, entity, link))
    insert_rows(versions)
    EntityLink.objects.bulk_create(links, ignore_conflicts=True)


def _new_version(memory: Memory, version: ExportedVersion) -> Version:
    return Version(space_id=memory.space_id, memory_id=memory.id, **version.model_dump())


def _find_or_make_entity(memory: Memory, exported: ExportedEntity, known: dict[tuple[str, str, int], Entity]) -> Entity:
    """The entity of that name beside the memory, made where there is none; merged as it was."""
    normal = normalised(exported.name)[:LONGEST_NAME]
    slot = (normal, exported.type.value, exported.apart)
    if slot not in known:
        same_level = Entity.objects.same_level(memory.placed)
        found = same_level.filter(normal=normal, type=exported.type, apart=exported.apart).first()
        known[slot] = found or _make_entity(memory, exported, normal, known)
    return known[slot]


def _make_entity(
    memory: Memory, exported: ExportedEntity, normal: str, known: dict[tuple[str, str, int], Entity]
) -> Entity:
    root = _find_or_make_entity(memory, exported.into, known) if exported.into else None
    values: Mapping[str, Any] = {"type": exported.type, "name": exported.name, "apart": exported.apart}
    made = Entity(**values, normal=normal, space_id=memory.space_id, person_id=memory.person_id, id=exported.id)
    made.visibility, made.channel_id, made.created_at = memory.visibility, memory.channel_id, exported.created_at
    made.merged_into, made.merged_via = (root.id, exported.via) if root else (None, None)
    # Exports told no `by_hand` when all that was merged was so by hand.
    made.by_hand = root is not None or exported.apart > 0 if exported.by_hand is None else exported.by_hand
    made.save(force_insert=True)
    return made


def _new_link(memory: Memory, entity: Entity, link: ExportedLink) -> EntityLink:
    return EntityLink(
        space_id=memory.space_id,
        memory_id=memory.id,
        entity_id=entity.id,
        surface=link.surface,
        confidence=link.confidence,
        source=link.source,
        moved_from=link.moved_from,
        same_as=link.same_as,
    )
