"""Passages: the parts of a long text, each found for itself, by its meaning and by its words.

Columns that the ORM does not know, as it does not know an index: the backfill writes them (`engine/running/reembed`),
the statement that ranks reads them, nobody is shown them; who changes a text drops them. Which parts a text has is for
`rules/passages`.
"""

from uuid import UUID

from django.db import connection
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

LONG = 600
"""Bytes from which a text has passages: two of them, and more than what says one thing."""

DROP = "UPDATE {table} SET passages = NULL, passage_words = NULL WHERE space_id = %s AND id = %s"


def is_long(text: str) -> bool:
    return len(text.encode()) >= LONG


def drop_passages(space: UUID, row: UUID, table: str = "memory") -> None:
    """Of a row whose text is another now, or a part of what it was; the backfill makes new ones within a minute."""
    with connection.cursor() as cursor:
        cursor.execute(DROP.format(table=table), [space, row])


def awaits_passages(table: str) -> RawSQL:
    """A condition on rows of the table: long, and not in passages yet."""
    return RawSQL(
        f'("{table}".passages IS NULL AND octet_length("{table}".content) >= {LONG})', [], output_field=BooleanField()
    )


HAS_PASSAGES = "num_nulls(passages) = 0"
"""Said in a way of which the database keeps statistics (`count_passages`): of the columns themselves it keeps none."""


def add_passages(table: str) -> list[str]:
    """Statements that give a table with `content` its passages."""
    return [
        f"ALTER TABLE {table} ADD COLUMN passages halfvec[], ADD COLUMN passage_words tsvector[]",
        # A vector does not compress; and statistics would hold words of a text that is erased.
        f"ALTER TABLE {table} ALTER COLUMN passages SET STORAGE EXTERNAL, ALTER COLUMN passages SET STATISTICS 0,"
        " ALTER COLUMN passage_words SET STATISTICS 0",
        f"CREATE INDEX {table}_in_passages ON {table} (space_id) WHERE passages IS NOT NULL",
        # Serves: the backfill, which finds nothing almost always.
        f"CREATE INDEX {table}_awaiting_passages ON {table} (space_id, id)"
        f" WHERE passages IS NULL AND octet_length(content) >= {LONG}",
    ]


def remove_passages(table: str) -> list[str]:
    """The way back from `add_passages`."""
    return [f"ALTER TABLE {table} DROP COLUMN passages, DROP COLUMN passage_words"]


def count_passages(table: str) -> list[str]:
    """Statements that have the database know how few rows have passages, so that it reads these by their own index.

    It took nearly all rows to have some, and read all that someone sees once more to find them: a quarter of what a
    search over ten thousand rows took of it.
    """
    return [
        f"CREATE STATISTICS {table}_passages ON (num_nulls(passages)) FROM {table}",
        f"DROP INDEX {table}_in_passages",
        # Serves: recall, which reads the passages of the few rows that have some.
        f"CREATE INDEX {table}_in_passages ON {table} (space_id) WHERE {HAS_PASSAGES}",
        f"ANALYZE {table}",
    ]


def count_no_passages(table: str) -> list[str]:
    """The way back from `count_passages`."""
    return [
        f"DROP STATISTICS {table}_passages",
        f"DROP INDEX {table}_in_passages",
        f"CREATE INDEX {table}_in_passages ON {table} (space_id) WHERE passages IS NOT NULL",
    ]
