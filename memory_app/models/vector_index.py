"""A vector index of its own for a large space, over just the rows that whoever sees the space sees.

A shared index loses rows of one person when strangers add theirs. Which indexes exist is read from the database's
catalogue; `jobs/index_spaces.py` builds and checks them.
"""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg.sql import Literal

from memory_app.models.space import COMMONS

SEARCHABLE_ROWS = {"memory": "deleted_at IS NULL", "turn": "mode = 'conversation' AND outcome = 'ok'"}
"""Of each table with vectors: what is ever found of it."""

LIST_INDEXES = """
SELECT substring(relname FROM 6 FOR 1), obj_description(pg_class.oid, 'pg_class'), relname, indisvalid
FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
WHERE relnamespace = current_schema()::regnamespace AND starts_with(relname, 'near_')
"""
TABLES = {table[0]: table for table in SEARCHABLE_ROWS}


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """The index of one space's memories or turns, by the vectors of one model."""

    table: str
    space: UUID
    model: str
    dimensions: int

    @property
    def name(self) -> str:
        return f"near_{self.table[0]}_{self.space.hex}"

    @property
    def level_sql(self) -> str:
        """SQL: whether a row is one that all see who see the space, whatever model its vector is of."""
        level = "everyone" if self.space == COMMONS else "space"
        return f"space_id = '{self.space}'::uuid AND visibility = '{level}'"

    @property
    def rows_sql(self) -> str:
        """SQL: which rows are in it. Written out, for a parameter never tells the planner that an index fits."""
        model = Literal(self.model).as_string()
        return f"{self.level_sql} AND {SEARCHABLE_ROWS[self.table]} AND embedding_model = {model}"

    @property
    def by(self) -> str:
        """SQL: what it is ordered by; the column itself has no dimension, for it holds vectors of any model."""
        return f"(embedding::halfvec({self.dimensions}))"

    def nearest(self, to: str, limit: int) -> str:
        """SQL: ids of the rows nearest to a vector, as the index finds them. to: a parameter, with its cast."""
        select = f"SELECT id FROM {self.table} WHERE {self.rows_sql} ORDER BY {self.by} <#> {to} LIMIT {limit}"
        return select.replace("%(", "\0").replace("%", "%%").replace("\0", "%(")

    def build(self) -> None:
        """While people go on writing. Outside of any transaction."""
        self.drop()
        with connection.cursor() as cursor:
            cursor.execute(
                f"CREATE INDEX CONCURRENTLY {self.name} ON {self.table} USING hnsw ({self.by} halfvec_ip_ops)"
                f" WITH (m = 16, ef_construction = 128) WHERE {self.rows_sql}"
            )
            comment = json.dumps({"model": self.model, "dimensions": self.dimensions})
            cursor.execute(f"COMMENT ON INDEX {self.name} IS {Literal(comment).as_string()}")

    def drop(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {self.name}")


def existing_indexes() -> list[VectorIndex]:
    """Those that are there; of one that was not built to its end the model is ""."""
    with connection.cursor() as cursor:
        cursor.execute(LIST_INDEXES)
        rows = cursor.fetchall()
    return [
        _index_from_comment(TABLES[letter], comment if valid else None, name) for letter, comment, name, valid in rows
    ]


def _index_from_comment(table: str, comment: str | None, name: str) -> VectorIndex:
    details: dict[str, Any] = json.loads(comment) if comment else {}
    return VectorIndex(table, UUID(name[len("near_m_") :]), details.get("model", ""), details.get("dimensions", 0))
