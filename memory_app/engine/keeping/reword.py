"""Reword: make the words anew that a person's memories, turns and notes are found by, as their language has them."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from memory_app.engine.enter import Entered, enter
from memory_app.engine.listening.listen import found_by
from memory_app.models import Memory, Note, Person, Turn
from memory_app.models.note import DAILY_RUN
from memory_app.models.scope import within
from memory_app.models.searchable import text_vector, words_vector

AT_ONCE = 500
"""Rows that one statement writes."""

WRITE = """
UPDATE {table} SET tsv = to_tsvector(given.language::regconfig, given.words), passages = NULL, passage_words = NULL
FROM unnest(%s::uuid[], %s::uuid[], %s::text[], %s::text[]) AS given (space_id, id, language, words)
WHERE {table}.space_id = given.space_id AND {table}.id = given.id
"""


def languages() -> list[str]:
    """The languages whose words the database knows, such as `english`; `simple` takes words as they are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT cfgname FROM pg_ts_config ORDER BY cfgname")
        return [name for (name,) in cursor.fetchall()]


def reword(person: Person) -> int:
    """Indexes all that a person keeps and said in their language, in one transaction; returns how many rows."""
    entered = enter(person=person.name, create=False)
    with within(entered.venue.spaces):
        return sum(_reworded(entered, model) for model in (Memory, Turn, Note))


def _reworded(entered: Entered, model: type[Memory | Turn | Note]) -> int:
    rows: Any = Note.objects.exclude(author=DAILY_RUN) if model is Note else model._default_manager.all()
    own = rows.filter(space_id__in=entered.venue.spaces, person=entered.person)
    done, following = 0, own.defer("embedding", "tsv").order_by("id")
    while rows := list(following[:AT_ONCE]):
        _write(rows, entered.person.language)
        done += len(rows)
        following = following.filter(id__gt=rows[-1].id)
    return done


def _write(rows: Sequence[Memory | Turn | Note], language: str) -> None:
    vectors = [_vector(row, language).configuration_and_text for row in rows]
    values = [[row.space_id for row in rows], [row.id for row in rows], *map(list, zip(*vectors, strict=True))]
    with connection.cursor() as cursor:
        cursor.execute(WRITE.format(table=rows[0]._meta.db_table), values)


def _vector(row: Memory | Turn | Note, language: str) -> Any:
    if isinstance(row, Memory):
        return text_vector(row, language)
    if isinstance(row, Note):
        return words_vector(row.words_in_context, language)
    return words_vector(found_by(row.speaker, row.content, row.spoken_at), language)
