"""Passages: the parts of a long text, each found for itself, by its meaning and by its words.

Columns that the ORM does not know, as it does not know an index: the backfill writes them (`engine/running/reembed`),
the statement that ranks reads them, nobody is shown them; who changes a text drops them. Which parts a text has is for
`rules/passages`.
"""

from uuid import UUID

from django.db import connection
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

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
