"""Erase a person: everything of theirs in every space, what they said included; and tell what went.

Tables are found in the catalogue by the columns that tie a row to a person, a space or a memory, so that one added
later is not missed. What others keep and said stays, though it may speak of them.
"""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from psycopg import sql

from ..errors import NotFound
from ..models import COMMONS, Erased, Erasure, Operation, Person
from ..models.scope import every_space
from .author import Author
from .change import one_writer
from .erased_outside import write_outside
from .proof import sign
from .tally import Tally, blanking, deleting
from .traces import Texts, pattern, traces

_TABLES_WITH = """
    SELECT relation.relname, array_agg(attribute.attname::text)
    FROM pg_class AS relation JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
    JOIN pg_type AS type ON type.oid = attribute.atttypid
    WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind IN ('r', 'p')
        AND NOT relation.relispartition AND NOT attribute.attisdropped AND attribute.attnum > 0 AND typname = 'uuid'
    GROUP BY relation.relname ORDER BY 1
"""

TELLING = ("erasure", "tombstone")

THEIR_MEMORIES = "SELECT id FROM memory WHERE person_id = %(person)s"
MADE_OF_THEIRS = (
    "EXISTS (SELECT FROM jsonb_array_elements({column}) item"
    " WHERE (item->>{key})::uuid IN (SELECT id FROM memory WHERE person_id = %(person)s))"
)


def erase_person(*, name: str, author: Author, now: datetime) -> Erasure:
    """Erases a person in one transaction. Raises NotFound. The next who is called so is someone new."""
    with every_space():
        person = Person.objects.filter(name=name).first()
        if person is None:
            raise NotFound(f"Nothing is known of a person {name!r}.")
        one_writer(person.id)
        erasure = Erasure(kind=Erased.PERSON, subject=person.id, of_space=person.space_id, at=now, by=author.label)
        erasure.finished_at = now
        tally = Tally()
        _bury(person, erasure)
        _remove(person, tally)
        erasure.removed = dict(sorted(tally.removed.items()))
        erasure.blanked = dict(sorted(tally.blanked.items()))
        _search(erasure)
        sign(erasure).save(force_insert=True)
        transaction.on_commit(lambda: write_outside([erasure]), robust=True)
        _log(erasure, author, now)
    return erasure


def _bury(person: Person, erasure: Erasure) -> None:
    with connection.cursor() as cursor:
        statement = f"INSERT INTO tombstone SELECT id, %(erasure)s FROM ({THEIR_MEMORIES}) ON CONFLICT DO NOTHING"
        cursor.execute(statement, {"person": person.id, "erasure": erasure.id})


def _remove(person: Person, tally: Tally) -> None:
    params = {"person": person.id, "home": person.space_id, "name": person.name, "id": str(person.id)}
    tables = _tables_with_ids()
    _shown_to_others(tally, params)
    tied = {table for table, columns in tables.items() if "space_id" in columns} - {"person"}
    conditions = {table: _theirs(tables[table]) for table in sorted(tied)}
    # Counted first: a row that goes with the one it belongs to would not be counted when its own turn comes.
    for table, condition in conditions.items():
        tally.count(table, condition, params)
    for table in sorted(conditions, key=lambda table: table == "memory"):
        _delete(table, conditions[table], params)
    last = [
        deleting("job_run", "subject IN (%(name)s, %(id)s)"),
        blanking("dashboard_user", "person_id = NULL", "person_id = %(person)s"),
        deleting("person", "id = %(person)s"),
        deleting("space", "id = %(home)s"),
    ]
    tally.together(last, params)


def _theirs(columns: list[str]) -> sql.SQL:
    """The rows of a table that are theirs: in their own space, in their name, or of a memory of theirs."""
    parts = ["space_id = %(home)s"]
    if "person_id" in columns:
        parts.append("person_id = %(person)s")
    elif "memory_id" in columns:
        parts.append(f"memory_id IN ({THEIR_MEMORIES})")
    return sql.SQL(" OR ".join(parts))


def _shown_to_others(tally: Tally, params: dict[str, Any]) -> None:
    """Answers, briefs and searches in which a memory of theirs was shown."""
    shown = f"memory_ids && ARRAY({THEIR_MEMORIES}) OR response::text LIKE %(named)s"
    named = f'%"person": {pattern(json.dumps(params["name"], ensure_ascii=False))}%'
    in_items = MADE_OF_THEIRS.format(column="items", key="'memory'")
    in_found = MADE_OF_THEIRS.format(column="found", key="1")
    acts = [
        deleting("idempotency", shown),
        blanking("receipt", "items = '[]'", f"person_id <> %(person)s AND {in_items}"),
        deleting("search", f"person_id <> %(person)s AND {in_found}"),
    ]
    tally.together(acts, {**params, "named": named})


def _search(erasure: Erasure) -> None:
    """Whether any column still holds the id of the person or of their space. Expects `every_space()`."""
    left = traces(Texts.of([str(erasure.subject), str(erasure.of_space)]))
    tables = _tables_with_ids()
    erasure.found = {**left.left, **left.said, **_ids_left(tables, [erasure.subject, erasure.of_space])}
    erasure.searched = left.searched + sum(len(columns) for columns in tables.values())


def _ids_left(tables: dict[str, list[str]], ids: list[UUID]) -> dict[str, int]:
    found: dict[str, int] = {}
    for table, columns in tables.items():
        counts = [sql.SQL("count(*) FILTER (WHERE {} = ANY(%s))").format(sql.Identifier(name)) for name in columns]
        statement = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(counts), sql.Identifier(table))
        with connection.cursor() as cursor:
            cursor.execute(statement, [ids] * len(columns))
            counted = cursor.fetchone()
        found |= {f"{table}.{name}": rows for name, rows in zip(columns, counted, strict=True) if rows}
    return found


def _tables_with_ids() -> dict[str, list[str]]:
    """Tables and their columns of ids, without those that tell of what is gone."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES_WITH)
        return {table: list(columns) for table, columns in cursor.fetchall() if table not in TELLING}


def _delete(table: str, where: sql.SQL, params: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), where), params)


def _log(erasure: Erasure, author: Author, now: datetime) -> None:
    """Names the erasure only: an entry that named the person would be one more trace."""
    Operation.objects.create(
        space_id=COMMONS,
        at=now,
        name="erase_person",
        author=author.label,
        request_id=author.request,
        detail={"erasure": str(erasure.id), "removed": erasure.removed},
    )
