"""Re-embed: give memories and turns a vector of the configured model, whichever they have now or lack."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from pgvector import HalfVector

from ...embedding.encoder import Encoder
from ...models import Memory, Turn
from ...models.scope import every_space
from ...rules.embedded import turn_text
from .carry_out import Report

BATCH = 256
"""Texts to encode between two commits: a kill loses at most so many, and each batch fills the encoder."""

BEFORE = 2
"""Turns before one that are embedded with it: alone, "Yes, last Friday" means nothing (`bench/README.md`)."""

WRITE = """
UPDATE {table} SET embedding = given.vector::halfvec, embedding_model = %s
FROM unnest(%s::uuid[], %s::uuid[], %s::text[], %s::text[]) AS given (space_id, id, content, vector)
WHERE {table}.space_id = given.space_id AND {table}.id = given.id AND {table}.content = given.content
"""
"""A row whose content changed meanwhile was embedded by that change, and is left alone."""


def reembed(*, encoder: Encoder, report: Report) -> int:
    """Encodes what awaits a vector, batch by batch, each in a transaction of its own; returns how many. May be killed
    and run again anywhere: rows done are not done again. report: (done, total) after each batch."""
    with every_space():
        total = sum(rows.count() for rows in (_memories(encoder.name), _turns(encoder.name)))
    done = 0
    for rows, texts in ((_memories, _memory_texts), (_turns, _turn_texts)):
        last: tuple[UUID, UUID] | None = None
        while batch := _next(rows(encoder.name), last):
            _write(encoder, batch, texts(batch))
            done += len(batch)
            last = (batch[-1].space_id, batch[-1].id)
            report(done, max(total, done))
    return done


def _memories(model: str) -> QuerySet[Memory]:
    return Memory.objects.awaiting_vector(model).only("space_id", "id", "content")


def _turns(model: str) -> QuerySet[Turn]:
    fields = ("space_id", "id", "content", "conversation_id", "position", "role", "speaker")
    return Turn.objects.awaiting_vector(model).only(*fields)


def _next(rows: QuerySet[Any], last: tuple[UUID, UUID] | None) -> list[Any]:
    with every_space():
        following = rows.filter(pk__gt=last) if last else rows
        return list(following.order_by("space_id", "id")[:BATCH])


def _memory_texts(batch: Sequence[Memory]) -> list[str]:
    return [memory.content for memory in batch]


def _turn_texts(batch: Sequence[Turn]) -> list[str]:
    """Each turn with the two before it in its conversation, whether or not they are of the batch."""
    around = _around(batch)
    return [turn_text(_led(turn), [_led(before) for before in _before(turn, around)]) for turn in batch]


def _around(batch: Sequence[Turn]) -> dict[tuple[UUID, int], Turn]:
    with every_space():
        rows = Turn.objects.filter(
            space_id__in={turn.space_id for turn in batch},
            conversation_id__in={turn.conversation_id for turn in batch},
            position__gte=max(0, min(turn.position for turn in batch) - BEFORE),
            position__lte=max(turn.position for turn in batch),
        ).only("space_id", "id", "content", "conversation_id", "position", "role", "speaker")
        return {(turn.conversation_id, turn.position): turn for turn in rows}


def _before(turn: Turn, around: dict[tuple[UUID, int], Turn]) -> list[Turn]:
    """Nearest first."""
    places = [(turn.conversation_id, turn.position - back) for back in range(1, BEFORE + 1)]
    return [around[place] for place in places if place in around]


def _led(turn: Turn) -> str:
    return f"{turn.speaker or turn.role}: {turn.content}"


def _write(encoder: Encoder, batch: Sequence[Any], texts: Sequence[str]) -> None:
    vectors = encoder.documents(texts)
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            WRITE.format(table=batch[0]._meta.db_table),
            [
                encoder.name,
                [row.space_id for row in batch],
                [row.id for row in batch],
                [row.content for row in batch],
                [HalfVector(vector).to_text() for vector in vectors],
            ],
        )
