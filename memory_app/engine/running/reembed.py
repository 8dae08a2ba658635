"""Re-embed: give memories and turns a vector of the configured model, whichever they have now or lack."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import QuerySet

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...models import Memory, Turn
from ...models.scope import every_space
from ...models.wire import Halves, send
from ...rules.embedded import turn_text
from .carry_out import Report

BATCH = 256
"""Texts to encode between two commits: a kill loses at most so many, and each batch fills the encoder."""

BEFORE = 2
"""Turns before one that are embedded with it: alone, "Yes, last Friday" means nothing (`bench/README.md`)."""

WRITE = """
UPDATE {table} SET embedding = given.vector, embedding_model = $1
FROM (VALUES {rows}) AS given (space_id, id, content, vector)
WHERE {table}.space_id = given.space_id AND {table}.id = given.id AND {table}.content = given.content
"""
"""A row whose content changed meanwhile was embedded by that change, and is left alone."""

Batch: TypeAlias = Sequence[Any]


def reembed(*, encoder: Encoder, report: Report) -> int:
    """Encodes what awaits a vector, batch by batch, each in a transaction of its own; returns how many. May be killed
    and run again anywhere: rows done are not done again. report: (done, total) after each batch."""
    with every_space():
        total = sum(rows.count() for rows in (_memories(encoder.name), _turns(encoder.name)))
    done = 0
    with closing(_encoded(encoder)) as encoded:
        for batch, vectors in encoded:
            _write(encoder.name, batch, vectors)
            done += len(batch)
            report(done, max(total, done))
    return done


def _encoded(encoder: Encoder) -> Generator[tuple[Batch, Vectors], None, None]:
    """Each batch while the next is being encoded: the encoder waits neither for the database nor for the disk. The
    thread is the encoder's; the database is spoken to from the caller's alone."""
    with ThreadPoolExecutor(1, thread_name_prefix="encode") as thread:
        ahead: tuple[Batch, Future[Vectors]] | None = None
        for batch, texts in _batches(encoder.name):
            ready, ahead = ahead, (batch, thread.submit(encoder.documents, texts))
            if ready:
                yield ready[0], ready[1].result()
        if ahead:
            yield ahead[0], ahead[1].result()


def _batches(model: str) -> Iterator[tuple[Batch, list[str]]]:
    for rows, texts in KINDS:
        last: tuple[UUID, UUID] | None = None
        while batch := _next(rows(model), last):
            yield batch, texts(batch)
            last = (batch[-1].space_id, batch[-1].id)


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


def _write(model: str, batch: Batch, vectors: Vectors) -> None:
    """In binary: as text a vector took as long to write out and to read as a third of its encoding."""
    first_of_each = range(2, 2 + 4 * len(batch), 4)
    places = (f"(${n}::uuid, ${n + 1}::uuid, ${n + 2}::text, ${n + 3}::halfvec)" for n in first_of_each)
    statement = WRITE.format(table=batch[0]._meta.db_table, rows=", ".join(places))
    values = [
        value
        for row, vector in zip(batch, vectors, strict=True)
        for value in (row.space_id, row.id, row.content, Halves(vector))
    ]
    with every_space():
        send(statement, [model, *values])


Rows: TypeAlias = Callable[[str], QuerySet[Any]]
KINDS: tuple[tuple[Rows, Callable[[Batch], list[str]]], ...] = ((_memories, _memory_texts), (_turns, _turn_texts))
