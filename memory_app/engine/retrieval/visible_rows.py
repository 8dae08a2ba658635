"""The rows that someone may see, as SQL for the statement that ranks them: written by the ORM once for each shape.

The visibility rule and the narrowing are QuerySets; turning them into SQL takes longer than the database takes for a
thousand rows. So it is written with stand-ins for a venue's ids and for the times, and kept. What differs from one
question to the next is parameters alone, which also lets the database keep its plan.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal
from uuid import UUID

from django.db.models import (
    BooleanField,
    CharField,
    DateTimeField,
    Expression,
    ExpressionWrapper,
    F,
    Q,
    UUIDField,
    Value,
)
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce

from memory_app.engine.retrieval.query import RecallQuery
from memory_app.models import Document, Entity, Memory, Note, Segment, Turn
from memory_app.models.conversation import TurnQuerySet
from memory_app.models.document import DocumentQuerySet
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.note import NoteQuerySet
from memory_app.models.segment import UNPACKED
from memory_app.postgres.fast.prepared_query import parametrised_sql
from memory_app.rules.visibility import Venue

COLUMNS = (
    *("kind", "space_id", "id", "embedding", "embedding_model", "tsv", "passages", "passage_words"),
    *("said_by", "said_as", "said_at", "session", "position", "asks", "expires_at", "superseded", "replaced_by"),
)
"""What a search asks of each row, whatever its table."""

SEGMENT_COLUMNS = ("kind", "embedding_model", "size", "units", "words")

ENTITY_COLUMNS = ("space_id", "id", "type", "normal", "apart", "merged_into")

MAX_SHAPES = 512
"""How many are kept; a person in few spaces makes a dozen."""

TIMES = ("now", "since", "until", "as_of")
STAND_IN_TIMES = {name: datetime(year, 1, 1, tzinfo=UTC) for year, name in enumerate(TIMES, 1)}

FILTER_STAND_INS = {
    **{name: [name] for name in ("types", "categories", "visibility", "any_tags", "all_tags", "entity_names")},
    "entity_ids": [UUID(int=2**128 - 1)],
    "attributes": "$.attributes",
    "row": "$.row",
}
"""In the place of `Filters.values`."""

_FEW = {"unpacked": UNPACKED, "wanted": "id = ANY(%(ids)s::uuid[])"}

Parameters = dict[str, Any]


Only = Literal["", "unpacked", "wanted"]
"""Of visible rows all, those that are not packed as they stand, or those of the ids that a parameter gives."""


@dataclass(frozen=True, slots=True)
class QueryShape:
    """All of a question that decides which SQL answers it. kind: of row, or entity, or segment. venue: with the
    n-th id in the place of each id. filters, times: which of them narrow it. only: which of these rows."""

    kind: str
    venue: Venue
    filters: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    only: Only = ""


def visible_rows_sql(venue: Venue, recall_query: RecallQuery, now: datetime, only: Only = "") -> tuple[str, Parameters]:
    """A SELECT of `COLUMNS`, and the parameters it names; besides these `spaces`, and `ids` where they are wanted."""
    numbered, ids = _with_numbered_ids(venue)
    times = {name: moment for name, moment in _times_by_name(recall_query, now).items() if moment is not None}
    filters = {f"filter_{name}": value for name, value in recall_query.filters.values.items()}
    shapes = [
        QueryShape(kind, numbered, frozenset(recall_query.filters.values), frozenset(times), only)
        for kind in recall_query.searchable_kinds
    ]
    parameters = {f"id_{number}": identifier for number, identifier in enumerate(ids)}
    return " UNION ALL ".join(shape_sql(shape) for shape in shapes), {**parameters, **times, **filters}


def visible_entities_sql(venue: Venue) -> str:
    """A SELECT of `ENTITY_COLUMNS`, which names parameters that `visible_rows_sql` gives for the same venue."""
    return shape_sql(QueryShape("entity", _with_numbered_ids(venue)[0]))


def visible_segments_sql(venue: Venue) -> str:
    """A SELECT of `SEGMENT_COLUMNS`, as `visible_entities_sql`."""
    return shape_sql(QueryShape("segment", _with_numbered_ids(venue)[0]))


def _with_numbered_ids(venue: Venue) -> tuple[Venue, list[UUID]]:
    """The venue with the n-th id in the place of each, and these ids."""
    ids = list(dict.fromkeys(_ids(venue)))
    return _with_stand_ins(venue, {identifier: UUID(int=number) for number, identifier in enumerate(ids)}), ids


def _ids(venue: Venue) -> Iterator[UUID]:
    """Every id of a venue, always in the same order of roles."""
    yield from (venue.person, venue.home, venue.commons)
    yield from (identifier for identifier in (venue.space, venue.channel, venue.named) if identifier is not None)
    yield from sorted(venue.own)
    yield from sorted(venue.member)


def _times_by_name(recall_query: RecallQuery, now: datetime) -> dict[str, datetime | None]:
    return {"now": now, "since": recall_query.since, "until": recall_query.until, "as_of": recall_query.as_of}


def _with_stand_ins(venue: Venue, placeholders: dict[UUID, UUID]) -> Venue:
    def stand_in(identifier: UUID | None) -> UUID | None:
        return None if identifier is None else placeholders[identifier]

    return replace(
        venue,
        person=placeholders[venue.person],
        home=placeholders[venue.home],
        commons=placeholders[venue.commons],
        space=stand_in(venue.space),
        channel=stand_in(venue.channel),
        named=stand_in(venue.named),
        own=frozenset(placeholders[identifier] for identifier in venue.own),
        member=frozenset(placeholders[identifier] for identifier in venue.member),
    )


@lru_cache(MAX_SHAPES)
def shape_sql(shape: QueryShape) -> str:
    """The SQL, with a parameter for each stand-in; all else in it is the same for every question of the shape."""
    match shape.kind:
        case "entity":
            rows = Entity.objects.visible_from(shape.venue).values(*ENTITY_COLUMNS)
        case "segment":
            rows = Segment.objects.visible_from(shape.venue).values(*SEGMENT_COLUMNS)
        case _:
            rows = _said_between(_ROWS_BY_KIND[shape.kind](shape), shape.times).values(*COLUMNS)
    return _with_rows_found_first(parametrised_sql(rows, _parameter_name), shape)


def _with_rows_found_first(sql: str, shape: QueryShape) -> str:
    """The SQL, whose table is first narrowed to the few rows that are wanted. The planner would rather find them by the
    indexes that serve the rule of who sees what, and read all that someone sees."""
    if not shape.only:
        return sql
    few = f"SELECT * FROM {shape.kind} WHERE space_id = ANY(%(spaces)s::uuid[]) AND {_FEW[shape.only]} OFFSET 0"
    return sql.replace(f'FROM "{shape.kind}"', f'FROM ({few}) "{shape.kind}"', 1)


def _parameter_name(value: Any) -> str | None:
    if isinstance(value, UUID):
        return f"id_{value.int}"
    if isinstance(value, datetime):
        return TIMES[value.year - 1]
    return next((f"filter_{name}" for name, stand_in in FILTER_STAND_INS.items() if stand_in == value), None)


def _memories(shape: QueryShape) -> Any:
    as_of = STAND_IN_TIMES["as_of"] if "as_of" in shape.times else None
    visible = Memory.objects.undeleted().visible_from(shape.venue).valid(as_of, STAND_IN_TIMES["now"])
    rows = visible.matching_filters(_filters(shape), Entity.objects.visible_from(shape.venue))
    found = searched_memories(rows)
    return found if as_of is None else found.annotate(superseded=_condition_column(None))


def searched_memories(rows: MemoryQuerySet) -> Any:
    """The memories with `COLUMNS`."""
    return rows.annotate(
        kind=Value("memory"),
        said_by=F("source_speaker"),
        said_as=Value("user"),
        said_at=Coalesce("event_time", "created_at"),
        session=Cast("event_time", CharField()),
        replaced_by=F("superseded_by"),
        superseded=_condition_column(Q(status="superseded")),
        asks=_is_question(),
        **_passages("memory"),
    )


def _turns(shape: QueryShape) -> Any:
    return searched_turns(Turn.objects.searchable().visible_from(shape.venue).matching_filters(_filters(shape)))


def searched_turns(rows: TurnQuerySet) -> Any:
    """The turns with `COLUMNS`."""
    return rows.annotate(
        kind=Value("turn"),
        said_by=F("speaker"),
        said_as=F("role"),
        said_at=F("spoken_at"),
        session=Cast("conversation_id", CharField()),
        asks=_is_question(),
        **_never_replaced(),
        **_passages("turn"),
    )


def _notes(shape: QueryShape) -> Any:
    return searched_notes(Note.objects.searchable().visible_from(shape.venue).matching_filters(_filters(shape)))


def searched_notes(rows: NoteQuerySet) -> Any:
    """The notes with `COLUMNS`: of one person, in their own space; told of by nobody, and of no conversation."""
    said_at = RawSQL("(note.date + time '12:00') AT TIME ZONE 'UTC'", [], output_field=DateTimeField())
    return rows.annotate(kind=Value("note"), said_as=Value("user"), said_at=said_at, **_alone("note"))


def _documents(shape: QueryShape) -> Any:
    return searched_documents(Document.objects.undeleted().visible_from(shape.venue).matching_filters(_filters(shape)))


def searched_documents(rows: DocumentQuerySet) -> Any:
    """The documents with `COLUMNS`: as notes; of the time when they were written last."""
    return rows.annotate(
        kind=Value("document"), said_as=Value("assistant"), said_at=F("updated_at"), **_alone("document")
    )


def _filters(shape: QueryShape) -> dict[str, Any]:
    return {name: FILTER_STAND_INS[name] for name in shape.filters}


_ROWS_BY_KIND = {"memory": _memories, "turn": _turns, "note": _notes, "document": _documents}


def _alone(table: str) -> dict[str, Any]:
    """Of what nobody told, in no conversation."""
    return {
        "said_by": Value(""),
        "session": Cast("id", CharField()),
        "position": Value(0),
        "asks": _condition_column(None),
        **_never_replaced(),
        **_passages(table),
    }


def _never_replaced() -> dict[str, Any]:
    return {
        "expires_at": Cast(Value(None), DateTimeField()),
        "superseded": _condition_column(None),
        "replaced_by": Cast(Value(None), UUIDField()),
    }


def _passages(table: str) -> dict[str, Expression]:
    """Columns that the ORM does not know."""
    return {name: RawSQL(f"{table}.{name}", []) for name in ("passages", "passage_words")}


def _is_question() -> Expression:
    return _condition_column(Q(content__endswith="?") | Q(content__endswith="？"))


def _condition_column(condition: Q | None) -> Expression:
    """A condition as a column; None is never."""
    if condition is None:
        return Value(False)
    return ExpressionWrapper(condition, output_field=BooleanField())


def _said_between(rows: Any, times: frozenset[str]) -> Any:
    if "since" in times:
        rows = rows.filter(said_at__gte=STAND_IN_TIMES["since"])
    if "until" in times:
        rows = rows.filter(said_at__lt=STAND_IN_TIMES["until"])
    return rows
