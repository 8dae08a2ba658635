"""What a row is found by: its words, as a tsvector that the database makes, and the passages of a long text.

The number of distinct words is kept beside a tsvector: a ranking by length then reads no tsvector for it. Passages are
found each for itself. They are columns that the ORM does not know: the backfill writes them (`jobs/embed_rows.py`), the
statement that ranks reads them, nobody is shown them, and who changes a text drops them.
"""

from typing import TYPE_CHECKING
from uuid import UUID

from django.db import connection, models
from django.db.models import BooleanField, F, Func, TextField, Value
from django.db.models.expressions import RawSQL

from memory_app.nlp.queries.question import space_out_cjk

if TYPE_CHECKING:
    from memory_app.models.memory import Memory


class ToTsvector(Func):
    """to_tsvector(configuration, text), usable in INSERT and UPDATE."""

    function = "to_tsvector"
    template = "%(function)s(%(expressions)s)"

    @property
    def configuration_and_text(self) -> tuple[str, str]:
        """What it was made of."""
        configuration, text = self.get_source_expressions()
        return configuration.value, text.value


class TextSearchConfiguration(Value):
    """The name of a text search configuration."""

    def as_sql(self, compiler, connection):  # type: ignore[no-untyped-def]
        sql, params = super().as_sql(compiler, connection)
        return f"{sql}::regconfig", params


def memory_tsvector(memory: "Memory", language: str) -> ToTsvector:
    """What a memory is found by: its content, and what the summary, key and tags add to it."""
    words = memory.searchable_text
    known = words.casefold()
    added = [
        text for text in (memory.summary, memory.key.replace("_", " "), *memory.tags) if text.casefold() not in known
    ]
    return text_tsvector(" ".join([words, *added]), language)


def text_tsvector(text: str, language: str) -> ToTsvector:
    """The tsvector of a text in a language (a PostgreSQL configuration such as `english` or `simple`)."""
    return ToTsvector(TextSearchConfiguration(language), Value(space_out_cjk(text), output_field=TextField()))


def distinct_words() -> models.GeneratedField:
    """A column that the database computes from `tsv`."""
    return models.GeneratedField(
        expression=Func(F("tsv"), function="length"), output_field=models.IntegerField(), db_persist=True
    )


LONG_TEXT_BYTES = 600
"""Bytes from which a text has passages: two of them, and more than what says one thing."""

DROP_STATEMENT = "UPDATE {table} SET passages = NULL, passage_words = NULL WHERE space_id = %s AND id = %s"


def is_long(text: str) -> bool:
    return len(text.encode()) >= LONG_TEXT_BYTES


def drop_passages(space: UUID, row: UUID, table: str = "memory") -> None:
    """Of a row whose text is another now, or a part of what it was; the backfill makes new ones within a minute."""
    with connection.cursor() as cursor:
        cursor.execute(DROP_STATEMENT.format(table=table), [space, row])


def passages_missing(table: str) -> RawSQL:
    """A condition on rows of the table: long, and not in passages yet."""
    return RawSQL(
        f'("{table}".passages IS NULL AND octet_length("{table}".content) >= {LONG_TEXT_BYTES})',
        [],
        output_field=BooleanField(),
    )


HAS_PASSAGES = "num_nulls(passages) = 0"
"""Written like this because the database keeps statistics of this expression and none of the columns themselves, which
hold words. With them the planner finds the few rows that have passages by their own index."""
