"""Rows of many other people, put straight into the database: too many to wait for a model to read.

Their texts are realistic, their vectors are random. Whatever else a memory has is taken from one the engine made.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from bench.texts import texts
from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.retrieval.pack import pack_space
from memory_app.engine.venue_context import resolve_venue
from memory_app.models.ids import new_id
from memory_app.models.row_security import every_space

ROWS_A_PERSON = 1_000
"""Rows a person."""

VECTORS = 500
"""Different random vectors; more would say no more to a search that never looks at them."""

CHANGED_COLUMNS = {
    "space_id": "fresh.space_id",
    "person_id": "fresh.person_id",
    "id": "fresh.id",
    "content": "fresh.content",
    "summary": "left(fresh.content, 100)",
    "tsv": "to_tsvector('english', fresh.content)",
    "digest": "decode(md5(fresh.content), 'hex')",
    "embedding": "(SELECT v FROM vectors WHERE vectors.n = mod(fresh.n, (SELECT count(*) FROM vectors)))",
    "key": "''",
}
"""The columns in which rows differ from the one they are modelled on."""


def add_rows_of_others(rows: int, seed: str, encoder: Encoder, now: datetime) -> None:
    """Adds so many rows, a thousand for each of new people."""
    for number in range(rows // ROWS_A_PERSON):
        add_rows_of_one(ROWS_A_PERSON, f"stranger {seed} {number}", encoder, now)
    analyse()


def add_rows_of_one(rows: int, person: str, encoder: Encoder, now: datetime) -> None:
    """Gives someone new so many rows."""
    memory_input = MemoryInput(content=f"It is {person} who likes rain.")
    author = Author("command", "bench")
    model = remember(
        venue_context=resolve_venue(person=person), memory_input=memory_input, author=author, now=now, encoder=encoder
    ).memory
    _copy_memory(model.space_id, model.person_id, model.id, texts(rows - 1, person), encoder.dimensions)
    pack_space(model.space_id)


def pack_rows_of(person: str) -> None:
    """Packs what they told, as the worker does within the minute."""
    pack_space(resolve_venue(person=person).person.space_id)


def copied_columns() -> list[str]:
    """The columns of a memory that a copy has too: not what the database works out, and not where it is packed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'memory' AND is_generated = 'NEVER'"
            " AND column_name NOT IN ('packed_as', 'packed_in')"
        )
        return [name for (name,) in cursor.fetchall()]


def analyse() -> None:
    """Lets the database count its rows, as its own housekeeping does within the minute."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) memory")


def _copy_memory(space: UUID, person: UUID, model: UUID, contents: Sequence[str], dimensions: int) -> None:
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE fresh (n int, space_id uuid, person_id uuid, id uuid, content text) ON COMMIT DROP"
        )
        cursor.execute("CREATE TEMP TABLE vectors (n int PRIMARY KEY, v halfvec) ON COMMIT DROP")
        with cursor.copy("COPY vectors FROM STDIN") as copy:
            for number, vector in enumerate(random_vectors(min(VECTORS, len(contents)), dimensions, space.int % 2**32)):
                copy.write_row((number, HalfVector(vector).to_text()))
        with cursor.copy("COPY fresh FROM STDIN") as copy:
            for number, content in enumerate(contents):
                copy.write_row((number, space, person, new_id(), content))
        names = copied_columns()
        values = ", ".join(CHANGED_COLUMNS.get(name, f"model.{name}") for name in names)
        cursor.execute(
            f"INSERT INTO memory ({', '.join(names)}) SELECT {values} FROM memory model, fresh WHERE model.id = %s",
            [model],
        )


def random_vectors(count: int, dimensions: int, seed: int) -> NDArray[np.float64]:
    """Unit vectors."""
    drawn: NDArray[np.float64] = np.random.default_rng(seed).normal(size=(count, dimensions))
    lengths: NDArray[np.float64] = np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn / lengths
