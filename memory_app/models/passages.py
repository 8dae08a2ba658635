"""Passages: the parts of a long text, each found for itself, by its meaning and by its words.

Columns that the ORM does not know, as it does not know an index: the backfill writes them (`engine/running/reembed`),
the statement that ranks reads them, nobody is shown them, and the database drops them when the text changes. Which
parts a text has is for `rules/passages`.
"""

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

LONG = 600
"""Bytes from which a text has passages: two of them, and more than what says one thing."""

DROP_WHEN_CHANGED = """
CREATE FUNCTION drop_passages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.passages := NULL;
    NEW.passage_words := NULL;
    RETURN NEW;
END $$
"""
"""One place for all that change a text or its language: none of them has to remember."""


def is_long(text: str) -> bool:
    return len(text.encode()) >= LONG


def awaits_passages(table: str) -> RawSQL:
    """A condition on rows of the table: long, and not in passages yet."""
    return RawSQL(
        f'("{table}".passages IS NULL AND octet_length("{table}".content) >= {LONG})', [], output_field=BooleanField()
    )


def add_passages(table: str) -> list[str]:
    """Statements that give a table with `content` and `tsv` its passages. Once for all tables, before:
    `DROP_WHEN_CHANGED`."""
    return [
        f"ALTER TABLE {table} ADD COLUMN passages halfvec[], ADD COLUMN passage_words tsvector[]",
        # A vector does not compress; and statistics would hold words of a text that is erased.
        f"ALTER TABLE {table} ALTER COLUMN passages SET STORAGE EXTERNAL, ALTER COLUMN passages SET STATISTICS 0,"
        " ALTER COLUMN passage_words SET STATISTICS 0",
        # Serves: recall, which reads the passages of the few rows that have some.
        f"CREATE INDEX {table}_in_passages ON {table} (space_id) WHERE passages IS NOT NULL",
        # Serves: the backfill, which finds nothing almost always.
        f"CREATE INDEX {table}_awaiting_passages ON {table} (space_id, id)"
        f" WHERE passages IS NULL AND octet_length(content) >= {LONG}",
        f"CREATE TRIGGER {table}_drop_passages BEFORE UPDATE OF content, tsv ON {table} FOR EACH ROW"
        " WHEN (OLD.passages IS NOT NULL AND (NEW.content, NEW.tsv) IS DISTINCT FROM (OLD.content, OLD.tsv))"
        " EXECUTE FUNCTION drop_passages()",
    ]


def remove_passages(table: str) -> list[str]:
    """The way back from `add_passages`."""
    return [
        f"DROP TRIGGER {table}_drop_passages ON {table}",
        f"ALTER TABLE {table} DROP COLUMN passages, DROP COLUMN passage_words",
    ]
