"""The rows of one memory that an erasure removes, and those that it leaves without its words.

Tables that refer to a memory by (space_id, memory_id) are found in the catalogue; the rest is listed here, with why.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg import sql

from ..models import Memory, Operation, Version
from .traces import Texts, holds

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


@dataclass
class Tally:
    """Rows removed, and rows that lost words and stayed, by table."""

    removed: Counter[str] = field(default_factory=Counter)
    blanked: Counter[str] = field(default_factory=Counter)

    def delete(self, table: str, where: sql.Composable | str, params: dict[str, Any]) -> None:
        condition = sql.SQL(where) if isinstance(where, str) else where
        statement = sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), condition)
        self._note(self.removed, table, _execute(statement, params))

    def blank(self, table: str, values: str, where: sql.Composable | str, params: dict[str, Any]) -> None:
        condition = sql.SQL(where) if isinstance(where, str) else where
        statement = sql.SQL("UPDATE {} SET {} WHERE {}").format(sql.Identifier(table), sql.SQL(values), condition)
        self._note(self.blanked, table, _execute(statement, params))

    def count(self, table: str, where: sql.Composable, params: dict[str, Any]) -> None:
        """Notes rows as removed that the caller removes in its own order."""
        statement = sql.SQL("SELECT count(*) FROM {} WHERE {}").format(sql.Identifier(table), where)
        with connection.cursor() as cursor:
            cursor.execute(statement, params)
            self._note(self.removed, table, cursor.fetchone()[0])

    def _note(self, counted: Counter[str], table: str, rows: int) -> None:
        if rows:
            counted[table] += rows


def erase_rows(memory: Memory, words: Texts, tally: Tally) -> None:
    """Removes a memory and all that is its own; blanks what else holds its words. Expects `every_space()`."""
    near = _related(memory)
    params = {**_ids(memory), **words.params}
    for table in _children():
        tally.delete(table, "space_id = %(space)s AND memory_id = %(memory)s", params)
    _entities(tally, params)
    _proposals(tally, params)
    _asked_and_shown(memory, tally, params)
    _log(memory, near, tally)
    _links(memory, near, words, tally)
    tally.delete("memory", "space_id = %(space)s AND id = %(memory)s", params)


def _ids(memory: Memory) -> dict[str, Any]:
    return {
        "space": memory.space_id,
        "home": memory.person.space_id,
        "person": memory.person_id,
        "memory": memory.id,
        "pair": json.dumps([[str(memory.space_id), str(memory.id)]]),
        "item": json.dumps([{"memory": str(memory.id)}]),
    }


def _children() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_CHILDREN, [list(OUTLIVING)])
        return [name for (name,) in cursor.fetchall()]


def _entities(tally: Tally, params: dict[str, Any]) -> None:
    """Names that no memory of the person mentions any more, unless another one was merged into them."""
    tally.delete(
        "entity",
        """space_id = %(space)s AND person_id = %(person)s AND NOT EXISTS (
            SELECT FROM entity AS same JOIN entity_link AS link ON link.entity_id = same.id
            WHERE same.space_id = entity.space_id AND link.space_id = entity.space_id
                AND entity.id IN (same.id, same.merged_into)
        )""",
        params,
    )


def _proposals(tally: Tally, params: dict[str, Any]) -> None:
    """What it was noticed as, and what would merge it, goes; one that would only have replaced it is a new one now; and
    one about something else that quotes its words loses the quotes."""
    here = "space_id = %(space)s AND person_id = %(person)s"
    tally.delete(
        "proposal",
        _all(here, _any("memory_id = %(memory)s", "folds = %(memory)s", "target_id = %(memory)s AND folds IS NOT NULL",
                        holds("content"), holds("summary"))),
        params,
    )  # fmt: skip
    as_new = "relation = 'new', target_id = NULL, reason = ''"
    tally.blank("proposal", as_new, f"{here} AND target_id = %(memory)s", params)
    tally.blank(
        "proposal", "quotes = '[]', reason = ''", _all(here, _any(holds("quotes", "jsonb"), holds("reason"))), params
    )


def _asked_and_shown(memory: Memory, tally: Tally, params: dict[str, Any]) -> None:
    """Questions, briefs, searches and answers that showed it or repeat its words."""
    without = (
        "items = (SELECT coalesce(jsonb_agg(i), '[]') FROM jsonb_array_elements(items) i WHERE i->>'memory' <> %(id)s)"
    )
    params = {**params, "id": str(memory.id)}
    if memory.access_count:  # only what was briefed is in a receipt
        tally.blank("receipt", without, "items @> %(item)s::jsonb", params)
    tally.blank("receipt", "query = ''", _all("space_id = %(home)s", holds("query")), params)
    tally.delete("search", _any("found @> %(pair)s::jsonb", _all("space_id = %(home)s", holds("query"))), params)
    tally.delete("token", "memories @> %(pair)s::jsonb", params)
    tally.delete("idempotency", _any("%(memory)s = ANY(memory_ids)", holds("response", "jsonb")), params)


def _related(memory: Memory) -> set[UUID]:
    """Ids of memories that it was compared with, or that name it or are named by it."""
    rows = Operation.objects.filter(space_id=memory.space_id, memory_id=memory.id)
    others = {str(detail["other"]) for detail in rows.values_list("detail", flat=True) if detail.get("other")}
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


def _log(memory: Memory, near: set[UUID], tally: Tally) -> None:
    """Why something was decided may quote what differed: ids and counts stay."""
    own = Operation.objects.filter(space_id=memory.space_id, memory_id=memory.id)
    others = Operation.objects.filter(space_id=memory.space_id, memory_id__in=near, detail__other=str(memory.id))
    for entry in [*own, *others]:
        left = {name: value for name, value in entry.detail.items() if name in KEPT_OF_A_DETAIL or not value}
        if left != entry.detail:
            Operation.objects.filter(space_id=entry.space_id, id=entry.id).update(detail=left)
            tally.blanked["operation"] += 1


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
            tally.blanked["memory"] += 1
    for past in Version.objects.filter(space_id=memory.space_id, memory_id__in=near):
        left = _without(past.state.get("attributes"), str(memory.id), said)
        if left != past.state.get("attributes"):
            Version.objects.filter(space_id=past.space_id, id=past.id).update(state={**past.state, "attributes": left})
            tally.blanked["memory_version"] += 1


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


def _all(*conditions: sql.Composable | str) -> sql.Composable:
    return _joined(" AND ", conditions)


def _any(*conditions: sql.Composable | str) -> sql.Composable:
    return _joined(" OR ", conditions)


def _joined(word: str, conditions: tuple[sql.Composable | str, ...]) -> sql.Composable:
    parts = [sql.SQL(one) if isinstance(one, str) else one for one in conditions]
    return sql.SQL("({})").format(sql.SQL(word).join(sql.SQL("({})").format(part) for part in parts))


def _execute(statement: sql.Composable, params: dict[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        rows: int = cursor.rowcount
    return rows
