"""The rows of one memory: those that an erasure removes, and those from which it takes the words.

Tables that refer to a memory by (space_id, memory_id) are found in the catalogue; the rest is listed here, with why.
Where the erased words stand as context before other words of the same person, they go there too.
"""

import json
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F, Q, TextField, Value
from django.db.models.functions import Cast
from psycopg import sql

from memory_app.engine.erasure.row_counts import (
    CombinedChanges,
    RowCounts,
    TableChange,
    all_of,
    any_of,
    blank_rows,
    delete_rows,
)
from memory_app.engine.erasure.traces import SearchTexts, contains_text
from memory_app.engine.memories.memory_input import new_search_fields
from memory_app.engine.segments import take_out
from memory_app.models import Memory, Operation, Proposal, Signal, Version

REMAINING_LOG_FIELDS = ("decision", "other", "version", "changed")
"""What an entry of the log may still tell of a memory that is gone: ids, counts and names of fields."""

SURVIVING_TABLES = ("operation", "proposal")
"""Tables with a memory_id whose rows do not go with the memory merely for naming it."""

_CHILD_TABLES_SQL = """
    SELECT relation.relname
    FROM pg_class AS relation JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
    WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind IN ('r', 'p')
        AND NOT relation.relispartition AND NOT attribute.attisdropped
        AND attribute.attname IN ('space_id', 'memory_id') AND relation.relname <> ALL(%s)
    GROUP BY relation.relname HAVING count(*) = 2 ORDER BY 1
"""


INSERT_TOMBSTONE = TableChange(
    "tombstone",
    sql.SQL("INSERT INTO tombstone VALUES (%(memory)s, %(erasure)s) ON CONFLICT DO NOTHING"),
    counted=False,
)
"""With the rest in one statement: each that is sent costs as much as a delete."""


BLANK_NOTE_LINES = blank_rows(
    "note",
    r"""content = array_to_string(ARRAY(
        SELECT line FROM unnest(string_to_array(content, E'\n')) WITH ORDINALITY AS of(line, n)
        WHERE line <> ALL(%(lines)s::text[]) ORDER BY n), E'\n')""",
    r"""space_id = %(home)s AND person_id = %(person)s AND author LIKE 'job:%%'
        AND string_to_array(content, E'\n') && %(lines)s::text[]""",
)
"""Lines that the day's note copied from it, word for word; what a person or an assistant noted is theirs."""


DELETE_SIGNALS = delete_rows("signal", "space_id = %(home)s AND id::text = ANY(%(signals)s::text[])")
"""What interests or a reading list were made of."""


def erase_rows(
    memory: Memory, search_texts: SearchTexts, erased_texts: Sequence[str], row_counts: RowCounts, erasure: UUID
) -> None:
    """Removes a memory and all that is its own, blanks other rows that hold its words, and leaves a tombstone.

    Expects `every_space()`.
    """
    row_counts.add("segment", take_out(memory.space_id, [memory.id]), blanked_only=True)
    own = list(Operation.objects.filter(space_id=memory.space_id, memory_id=memory.id))
    related = _related_ids(memory, own)
    _strip_log(memory, own, related, row_counts)
    _remove_links(memory, related, search_texts, row_counts)
    erase_context(memory, erased_texts, row_counts)
    lines = [f"- {line}" for text in erased_texts for line in _note_lines(" ".join(text.split()))]
    signals = Signal.objects.filter(space_id=memory.person.space_id, id__in=memory.attributes.get("signals", []))
    lines += [f"- {signal.line}" for signal in signals]
    # Only what was briefed is in a receipt: for the rest the receipts of one person are looked at, not everyone's.
    changes = _changes(briefed=memory.access_count > 0)
    row_counts.apply(changes, {**_parameters(memory), **search_texts.params, "lines": lines, "erasure": erasure})


def _note_lines(text: str) -> tuple[str, str]:
    """As a note copies it, and as it quotes it."""
    return text, f"“{text}”"


@cache
def _changes(*, briefed: bool) -> CombinedChanges:
    """The same for as long as the process lives: tables come with a migration, and a migration with a new start."""
    children = [delete_rows(table, "space_id = %(space)s AND memory_id = %(memory)s") for table in _child_tables()]
    conflicts = delete_rows("conflict", "space_id = %(space)s AND %(memory)s IN (older_id, newer_id)")
    memory = delete_rows("memory", "space_id = %(space)s AND id = %(memory)s")
    others = [
        conflicts,
        _unmentioned_entities(),
        *_proposal_changes(),
        *_record_changes(briefed),
        BLANK_NOTE_LINES,
        DELETE_SIGNALS,
    ]
    return CombinedChanges([*children, *others, memory, INSERT_TOMBSTONE])


def _parameters(memory: Memory) -> dict[str, Any]:
    return {
        "space": memory.space_id,
        "home": memory.person.space_id,
        "person": memory.person_id,
        "memory": memory.id,
        "id": str(memory.id),
        "signals": list(memory.attributes.get("signals", [])),
        "pair": json.dumps([[str(memory.space_id), str(memory.id)]]),
        "item": json.dumps([{"memory": str(memory.id)}]),
    }


def _child_tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_CHILD_TABLES_SQL, [list(SURVIVING_TABLES)])
        return [name for (name,) in cursor.fetchall()]


def _unmentioned_entities() -> TableChange:
    """Names that no other memory of the person mentions, unless another one was merged into them by hand."""
    return delete_rows(
        "entity",
        """space_id = %(space)s AND person_id = %(person)s AND NOT EXISTS (
            SELECT FROM entity AS same JOIN entity_link AS link ON link.entity_id = same.id
            WHERE same.space_id = entity.space_id AND link.space_id = entity.space_id
                AND entity.id IN (same.id, CASE WHEN same.by_hand THEN same.merged_into END)
                AND link.memory_id <> %(memory)s
        )""",
    )


def _proposal_changes() -> list[TableChange]:
    """What it was noticed as goes; one that would only have replaced it is a new one now; and
    one about something else that quotes its words loses the quotes."""
    here = "space_id = %(space)s AND person_id = %(person)s"
    goes = any_of("memory_id = %(memory)s", contains_text("content"), contains_text("summary"))
    stays = sql.SQL("{} IS NOT TRUE").format(goes)
    quotes = contains_text("quotes", "jsonb")
    without = sql.SQL(
        "relation = CASE WHEN target_id = %(memory)s THEN 'new' ELSE relation END,"
        " target_id = nullif(target_id, %(memory)s), reason = '',"
        " quotes = CASE WHEN {} THEN '[]'::jsonb ELSE quotes END"
    ).format(quotes)
    touched = any_of("target_id = %(memory)s", quotes, contains_text("reason"))
    buried = sql.SQL("INSERT INTO tombstone SELECT id, %(erasure)s FROM proposal WHERE {} ON CONFLICT DO NOTHING")
    return [
        TableChange("tombstone", buried.format(all_of(here, goes)), counted=False),
        delete_rows("proposal", all_of(here, goes)),
        blank_rows("proposal", without, all_of(here, stays, touched)),
    ]


def _record_changes(briefed: bool) -> list[TableChange]:
    """Questions, briefs, searches and answers that showed it or repeat its words. The question of a brief that told it
    goes as well: it most likely names what it was about."""
    in_query = all_of("space_id = %(home)s", contains_text("query"))
    in_items = "items @> %(item)s::jsonb" if briefed else "false"
    without = (
        "query = '', items = (SELECT coalesce(jsonb_agg(item), '[]')"
        " FROM jsonb_array_elements(items) item WHERE item->>'memory' <> %(id)s)"
    )
    repeated = all_of("space_id = %(home)s", contains_text("detail", "jsonb"))
    logged = all_of("detail ? 'asked'", any_of(repeated, _BRIEF_REQUESTS) if briefed else repeated)
    return [
        blank_rows("operation", "detail = detail - 'asked'", logged),
        blank_rows("receipt", without, any_of(in_items, in_query)),
        delete_rows("search", any_of("found @> %(pair)s::jsonb", in_query)),
        delete_rows("token", "memories @> %(pair)s::jsonb"),
        delete_rows("idempotency", any_of("%(memory)s = ANY(memory_ids)", contains_text("response", "jsonb"))),
    ]


_BRIEF_REQUESTS = """(space_id, request_id) IN (
    SELECT brief.space_id, brief.request_id
    FROM receipt JOIN operation AS brief ON brief.space_id = receipt.space_id
    WHERE receipt.items @> %(item)s::jsonb AND brief.name = 'brief' AND brief.request_id <> ''
        AND brief.detail->>'receipt' = receipt.id::text
)"""
"""Of the log, the requests whose briefs told it."""


def _related_ids(memory: Memory, own: Sequence[Operation]) -> set[UUID]:
    """Ids of memories that it was compared with, or that name it or are named by it. own: its entries in the log."""
    others = {str(entry.detail["other"]) for entry in own if entry.detail.get("other")}
    related = (
        {str(one) for one in (memory.supersedes, memory.superseded_by) if one} | others | _ids_in(memory.attributes)
    )
    return {UUID(one) for one in related if _is_id(one)} - {memory.id}


def _ids_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {one for item in value.values() for one in _ids_in(item)}
    if isinstance(value, list):
        return {one for item in value for one in _ids_in(item)}
    return {value} if isinstance(value, str) and _is_id(value) else set()


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _strip_log(memory: Memory, own: Sequence[Operation], related: set[UUID], row_counts: RowCounts) -> None:
    """Why something was decided may quote what differed: ids and counts stay."""
    others = Operation.objects.filter(space_id=memory.space_id, memory_id__in=related, detail__other=str(memory.id))
    for entry in [*own, *others]:
        remaining = {name: value for name, value in entry.detail.items() if name in REMAINING_LOG_FIELDS or not value}
        if remaining != entry.detail:
            Operation.objects.filter(space_id=entry.space_id, id=entry.id).update(detail=remaining)
            row_counts.add("operation", 1, blanked_only=True)


def _remove_links(memory: Memory, related: set[UUID], search_texts: SearchTexts, row_counts: RowCounts) -> None:
    """What other memories say of it: the links, and titles copied from it, in them and in their versions."""
    here = Memory.objects.filter(space_id=memory.space_id, id__in=related)
    here.filter(supersedes=memory.id).update(supersedes=None)
    here.filter(superseded_by=memory.id).update(superseded_by=None)
    erased_texts = {text.casefold() for text in (memory.content, memory.summary)}
    for other in here.exclude(attributes={}):
        remaining = _without_traces(other.attributes, str(memory.id), erased_texts)
        if remaining != other.attributes:
            Memory.objects.filter(space_id=other.space_id, id=other.id).update(attributes=remaining)
            row_counts.add("memory", 1, blanked_only=True)
    for past in Version.objects.filter(space_id=memory.space_id, memory_id__in=related):
        remaining = _without_traces(past.state.get("attributes"), str(memory.id), erased_texts)
        if remaining != past.state.get("attributes"):
            Version.objects.filter(space_id=past.space_id, id=past.id).update(
                state={**past.state, "attributes": remaining}
            )
            row_counts.add("memory_version", 1, blanked_only=True)


def _without_traces(value: Any, identifier: str, erased_texts: set[str]) -> Any:
    """A JSON value without an id and without texts that were its own."""
    if isinstance(value, dict):
        remaining = {
            name: _without_traces(item, identifier, erased_texts)
            for name, item in value.items()
            if not _is_trace(item, identifier, erased_texts)
        }
        return remaining
    if isinstance(value, list):
        return [
            _without_traces(item, identifier, erased_texts)
            for item in value
            if not _is_trace(item, identifier, erased_texts)
        ]
    return value


def _is_trace(item: Any, identifier: str, erased_texts: set[str]) -> bool:
    return isinstance(item, str) and (item == identifier or item.casefold() in erased_texts)


def erase_context(memory: Memory, erased_texts: Sequence[str], row_counts: RowCounts) -> None:
    """Takes away the context of memories and proposals, and of earlier versions, that is part of one of the texts, or
    has one in it. Their vectors are made anew by the next backfill. Expects `every_space()`."""
    texts = {text for text in erased_texts if text}
    here = Memory.objects.filter(space_id=memory.space_id, person_id=memory.person_id).exclude(id=memory.id)
    for other in _with_context_like(here, texts).select_related("person"):
        fields = {"context": "", "embedding": None, "embedding_model": None}
        Memory.objects.filter(space_id=other.space_id, id=other.id).update(**fields, **new_search_fields(other, fields))
        row_counts.add("memory", 1, blanked_only=True)
    proposals = Proposal.objects.filter(space_id=memory.space_id, person_id=memory.person_id)
    ids = list(_with_context_like(proposals, texts).values_list("id", flat=True))
    row_counts.add("proposal", proposals.filter(id__in=ids).update(context=""), blanked_only=True)
    for past in Version.objects.filter(space_id=memory.space_id, memory__person_id=memory.person_id).filter(
        state__context__in=texts
    ):
        Version.objects.filter(space_id=past.space_id, id=past.id).update(state={**past.state, "context": ""})
        row_counts.add("memory_version", 1, blanked_only=True)


def _with_context_like(rows: Any, texts: Collection[str]) -> Any:
    """Those of some rows whose context is among these texts, or has one of them in it."""
    found = Q(pk__isnull=True)
    for n, text in enumerate(texts):
        rows = rows.annotate(**{f"said_{n}": Cast(Value(text), TextField())})
        found |= Q(context__icontains=text) | Q(**{f"said_{n}__icontains": F("context")})
    return rows.exclude(context="").filter(found)
