"""The rows of one memory that an erasure removes, and those that it leaves without its words.

Tables that refer to a memory by (space_id, memory_id) are found in the catalogue; the rest is listed here, with why.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg import sql

from memory_app.engine.erasing.erase_context import erase_context
from memory_app.engine.erasing.tally import Act, Tally, Together, blanking, deleting, either, every
from memory_app.engine.erasing.traces import Texts, holds
from memory_app.models import Memory, Operation, Signal, Version

KEPT_OF_A_DETAIL = ("decision", "other", "version", "changed")
"""What an entry of the log may still tell of a memory that is gone: ids, counts and names of fields."""

OUTLIVING = ("operation", "proposal")
"""Tables with a memory_id whose rows do not go with the memory merely for naming it."""

_CHILDREN = """
    SELECT relation.relname
    FROM pg_class AS relation JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
    WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind IN ('r', 'p')
        AND NOT relation.relispartition AND NOT attribute.attisdropped
        AND attribute.attname IN ('space_id', 'memory_id') AND relation.relname <> ALL(%s)
    GROUP BY relation.relname HAVING count(*) = 2 ORDER BY 1
"""


BURIED = Act(
    "tombstone",
    sql.SQL("INSERT INTO tombstone VALUES (%(memory)s, %(erasure)s) ON CONFLICT DO NOTHING"),
    noted=False,
)
"""With the rest in one statement: each that is sent costs as much as a delete."""


NOTED = blanking(
    "note",
    r"""content = array_to_string(ARRAY(
        SELECT line FROM unnest(string_to_array(content, E'\n')) WITH ORDINALITY AS of(line, n)
        WHERE line <> ALL(%(lines)s::text[]) ORDER BY n), E'\n')""",
    r"""space_id = %(home)s AND person_id = %(person)s AND author LIKE 'job:%%'
        AND string_to_array(content, E'\n') && %(lines)s::text[]""",
)
"""Lines that the day's note copied from it, word for word; what a person or an assistant noted is theirs."""


SIGNALS = deleting("signal", "space_id = %(home)s AND id::text = ANY(%(signals)s::text[])")
"""What interests or a reading list were made of."""


def erase_rows(memory: Memory, words: Texts, said: Sequence[str], tally: Tally, erasure: UUID) -> None:
    """Removes a memory and all that is its own; blanks what else holds its words; leaves a tombstone of the erasure.
    said: its words as they are.

    Expects `every_space()`.
    """
    own = list(Operation.objects.filter(space_id=memory.space_id, memory_id=memory.id))
    near = _related(memory, own)
    _log(memory, own, near, tally)
    _links(memory, near, words, tally)
    erase_context(memory, said, tally)
    lines = [f"- {line}" for text in said for line in _lines(" ".join(text.split()))]
    signals = Signal.objects.filter(space_id=memory.person.space_id, id__in=memory.attributes.get("signals", []))
    lines += [f"- {signal.line}" for signal in signals]
    # Only what was briefed is in a receipt: for the rest the receipts of one person are looked at, not everyone's.
    acts = _acts(briefed=memory.access_count > 0)
    tally.carry_out(acts, {**_ids(memory), **words.params, "lines": lines, "erasure": erasure})


def _lines(text: str) -> tuple[str, str]:
    """As a note copies it, and as it quotes it."""
    return text, f"“{text}”"


@cache
def _acts(*, briefed: bool) -> Together:
    """The same for as long as the process lives: tables come with a migration, and a migration with a new start."""
    children = [deleting(table, "space_id = %(space)s AND memory_id = %(memory)s") for table in _children()]
    conflicts = deleting("conflict", "space_id = %(space)s AND %(memory)s IN (older_id, newer_id)")
    memory = deleting("memory", "space_id = %(space)s AND id = %(memory)s")
    others = [conflicts, _entities(), *_proposals(), *_asked_and_shown(briefed), NOTED, SIGNALS]
    return Together([*children, *others, memory, BURIED])


def _ids(memory: Memory) -> dict[str, Any]:
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


def _children() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_CHILDREN, [list(OUTLIVING)])
        return [name for (name,) in cursor.fetchall()]


def _entities() -> Act:
    """Names that no other memory of the person mentions, unless another one was merged into them by hand."""
    return deleting(
        "entity",
        """space_id = %(space)s AND person_id = %(person)s AND NOT EXISTS (
            SELECT FROM entity AS same JOIN entity_link AS link ON link.entity_id = same.id
            WHERE same.space_id = entity.space_id AND link.space_id = entity.space_id
                AND entity.id IN (same.id, CASE WHEN same.by_hand THEN same.merged_into END)
                AND link.memory_id <> %(memory)s
        )""",
    )


def _proposals() -> list[Act]:
    """What it was noticed as goes; one that would only have replaced it is a new one now; and
    one about something else that quotes its words loses the quotes."""
    here = "space_id = %(space)s AND person_id = %(person)s"
    goes = either("memory_id = %(memory)s", holds("content"), holds("summary"))
    stays = sql.SQL("{} IS NOT TRUE").format(goes)
    quotes = holds("quotes", "jsonb")
    without = sql.SQL(
        "relation = CASE WHEN target_id = %(memory)s THEN 'new' ELSE relation END,"
        " target_id = nullif(target_id, %(memory)s), reason = '',"
        " quotes = CASE WHEN {} THEN '[]'::jsonb ELSE quotes END"
    ).format(quotes)
    touched = either("target_id = %(memory)s", quotes, holds("reason"))
    buried = sql.SQL("INSERT INTO tombstone SELECT id, %(erasure)s FROM proposal WHERE {} ON CONFLICT DO NOTHING")
    return [
        Act("tombstone", buried.format(every(here, goes)), noted=False),
        deleting("proposal", every(here, goes)),
        blanking("proposal", without, every(here, stays, touched)),
    ]


def _asked_and_shown(briefed: bool) -> list[Act]:
    """Questions, briefs, searches and answers that showed it or repeat its words. The question of a brief that told it
    goes as well: it most likely names what it was about."""
    asked = every("space_id = %(home)s", holds("query"))
    shown = "items @> %(item)s::jsonb" if briefed else "false"
    without = (
        "query = '', items = (SELECT coalesce(jsonb_agg(item), '[]')"
        " FROM jsonb_array_elements(items) item WHERE item->>'memory' <> %(id)s)"
    )
    repeated = every("space_id = %(home)s", holds("detail", "jsonb"))
    logged = every("detail ? 'asked'", either(repeated, _BRIEFED) if briefed else repeated)
    return [
        blanking("operation", "detail = detail - 'asked'", logged),
        blanking("receipt", without, either(shown, asked)),
        deleting("search", either("found @> %(pair)s::jsonb", asked)),
        deleting("token", "memories @> %(pair)s::jsonb"),
        deleting("idempotency", either("%(memory)s = ANY(memory_ids)", holds("response", "jsonb"))),
    ]


_BRIEFED = """(space_id, request_id) IN (
    SELECT brief.space_id, brief.request_id
    FROM receipt JOIN operation AS brief ON brief.space_id = receipt.space_id
    WHERE receipt.items @> %(item)s::jsonb AND brief.name = 'brief' AND brief.request_id <> ''
        AND brief.detail->>'receipt' = receipt.id::text
)"""
"""Of the log, the requests whose briefs told it."""


def _related(memory: Memory, own: Sequence[Operation]) -> set[UUID]:
    """Ids of memories that it was compared with, or that name it or are named by it. own: its entries in the log."""
    others = {str(entry.detail["other"]) for entry in own if entry.detail.get("other")}
    named = (
        {str(one) for one in (memory.supersedes, memory.superseded_by) if one} | others | _named_in(memory.attributes)
    )
    return {UUID(one) for one in named if _is_id(one)} - {memory.id}


def _named_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {one for item in value.values() for one in _named_in(item)}
    if isinstance(value, list):
        return {one for item in value for one in _named_in(item)}
    return {value} if isinstance(value, str) and _is_id(value) else set()


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _log(memory: Memory, own: Sequence[Operation], near: set[UUID], tally: Tally) -> None:
    """Why something was decided may quote what differed: ids and counts stay."""
    others = Operation.objects.filter(space_id=memory.space_id, memory_id__in=near, detail__other=str(memory.id))
    for entry in [*own, *others]:
        left = {name: value for name, value in entry.detail.items() if name in KEPT_OF_A_DETAIL or not value}
        if left != entry.detail:
            Operation.objects.filter(space_id=entry.space_id, id=entry.id).update(detail=left)
            tally.note("operation", 1, blanks=True)


def _links(memory: Memory, near: set[UUID], words: Texts, tally: Tally) -> None:
    """What other memories say of it: the links, and titles copied from it, in them and in their versions."""
    here = Memory.objects.filter(space_id=memory.space_id, id__in=near)
    here.filter(supersedes=memory.id).update(supersedes=None)
    here.filter(superseded_by=memory.id).update(superseded_by=None)
    said = {text.casefold() for text in (memory.content, memory.summary)}
    for other in here.exclude(attributes={}):
        left = _without(other.attributes, str(memory.id), said)
        if left != other.attributes:
            Memory.objects.filter(space_id=other.space_id, id=other.id).update(attributes=left)
            tally.note("memory", 1, blanks=True)
    for past in Version.objects.filter(space_id=memory.space_id, memory_id__in=near):
        left = _without(past.state.get("attributes"), str(memory.id), said)
        if left != past.state.get("attributes"):
            Version.objects.filter(space_id=past.space_id, id=past.id).update(state={**past.state, "attributes": left})
            tally.note("memory_version", 1, blanks=True)


def _without(value: Any, identifier: str, said: set[str]) -> Any:
    """A JSON value without an id and without texts that were its own."""
    if isinstance(value, dict):
        kept = {
            name: _without(item, identifier, said) for name, item in value.items() if not _goes(item, identifier, said)
        }
        return kept
    if isinstance(value, list):
        return [_without(item, identifier, said) for item in value if not _goes(item, identifier, said)]
    return value


def _goes(item: Any, identifier: str, said: set[str]) -> bool:
    return isinstance(item, str) and (item == identifier or item.casefold() in said)
