"""Re-embed: give every kept memory a vector of the configured model, whichever it has now or lacks."""

from collections.abc import Callable, Sequence
from uuid import UUID

from django.db import connection
from pgvector import HalfVector

from ..embedding.encoder import Encoder
from ..models import Memory
from ..models.memory import MemoryQuerySet
from ..models.scope import every_space

BATCH = 256
"""Texts to encode between two commits: a kill loses at most so many, and each batch fills the encoder."""

Report = Callable[[int, int], None]

WRITE = """
UPDATE memory SET embedding = given.vector::halfvec, embedding_model = %s
FROM unnest(%s::uuid[], %s::uuid[], %s::bytea[], %s::text[]) AS given (space_id, id, digest, vector)
WHERE memory.space_id = given.space_id AND memory.id = given.id AND memory.digest = given.digest
"""
"""A row whose content changed meanwhile was embedded by that change, and is left alone."""


def reembed(*, encoder: Encoder, report: Report) -> int:
    """Encodes what awaits a vector, batch by batch, each in a transaction of its own; returns how many. May be killed
    and run again anywhere: rows done are not done again. report: (done, total) after each batch."""
    with every_space():
        total = Memory.objects.awaiting_vector(encoder.name).count()
    done, last = 0, None
    while batch := _next(encoder, last):
        _write(encoder, batch)
        done += len(batch)
        last = (batch[-1].space_id, batch[-1].id)
        report(done, max(total, done))
    return done


def _next(encoder: Encoder, last: tuple[UUID, UUID] | None) -> list[Memory]:
    with every_space():
        rows = _after(Memory.objects.awaiting_vector(encoder.name), last)
        return list(rows.order_by("space_id", "id").only("space_id", "id", "content", "digest")[:BATCH])


def _after(rows: MemoryQuerySet, last: tuple[UUID, UUID] | None) -> MemoryQuerySet:
    return rows.filter(pk__gt=last) if last else rows


def _write(encoder: Encoder, batch: Sequence[Memory]) -> None:
    vectors = encoder.documents([memory.content for memory in batch])
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            WRITE,
            [
                encoder.name,
                [memory.space_id for memory in batch],
                [memory.id for memory in batch],
                [bytes(memory.digest) for memory in batch],
                [HalfVector(vector).to_text() for vector in vectors],
            ],
        )
