"""Re-embed: give memories, turns and notes a vector of the configured model, whichever they have now or lack; and the
long ones one for each of their passages."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any, TypeAlias
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.conversations.add_turns import turn_search_text
from memory_app.jobs.attempts import RowPlace, attempt_row, begin_attempts, end_attempts, tried_before
from memory_app.models import Document, Memory, Note, Turn
from memory_app.models.row_security import every_space
from memory_app.models.text_search import is_long, text_tsvector
from memory_app.nlp.passages import split_passages, turn_text
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, execute_binary
from memory_app.progress import ReportProgress, RunStopped, TurnOver

BATCH_SIZE = 256
"""Texts to encode between two commits: a kill loses at most so many, and each batch fills the encoder."""

TURNS_BEFORE = 2
"""Turns before one that are embedded with it: alone, "Yes, last Friday" means nothing (`docs/benchmarks.md`)."""

WRITE_SQL = """
WITH given (row, space_id, id, content, vector) AS (VALUES {rows}), free AS MATERIALIZED (
    SELECT row FROM {table} JOIN given USING (space_id, id) WHERE {table}.content = given.content
    FOR NO KEY UPDATE OF {table} SKIP LOCKED
), parts AS (
    SELECT row, array_agg(vector ORDER BY part) AS vectors,
        array_agg(to_tsvector(language::regconfig, text) ORDER BY part) AS words
    FROM (VALUES {parts}) AS passage (row, part, vector, language, text) WHERE row > 0 GROUP BY row
)
UPDATE {table} SET embedding = given.vector, embedding_model = $1, passages = vectors, passage_words = parts.words
FROM given JOIN free USING (row) LEFT JOIN parts USING (row)
WHERE {table}.space_id = given.space_id AND {table}.id = given.id
"""
"""A row whose content changed meanwhile was embedded by that change, and is left alone. One that is held just now is
not waited for: whoever holds it may next want another of these. The next run takes it."""

TEXTS_AT_ONCE = 64
"""Texts between two looks at whether it is over: half a second's work, and 512 at once are encoded no faster."""

POLL_SECONDS = 0.5

ATTEMPT_KIND = "embed"
"""What its attempts are called (`attempts`)."""

MAX_PASSAGES = 512
"""In one batch: long texts come fewer at a time, for the same reason."""


@dataclass(frozen=True, slots=True)
class EmbeddedPassage:
    """A part of a long text: what it is embedded as, and which words it is found by, in which language."""

    embedded: str
    language: str
    words: str


@dataclass(frozen=True, slots=True)
class EmbeddingWork:
    """A row to embed: its text, and its passages where it is long."""

    row: Any
    text: str
    passages: Sequence[EmbeddedPassage] = ()

    @property
    def texts(self) -> list[str]:
        return [self.text, *(passage.embedded for passage in self.passages)]


Batch: TypeAlias = Sequence[EmbeddingWork]


def embed_rows(*, encoder: Encoder, report: ReportProgress) -> int:
    """Encodes what awaits a vector, batch by batch, each in a transaction of its own; returns how many. May be killed
    and run again anywhere: rows done are not done again. report: (done, total) after each batch, and now and then."""
    with every_space():
        total = sum(rows.count() for rows in (waiting(encoder.name) for waiting, _ in ROW_KINDS))
    done, begun = 0, set[RowPlace]()
    try:
        with closing(_encode_ahead(encoder, begun, lambda: report(done, max(total, done)))) as encoded:
            for batch, vectors in encoded:
                _write_vectors(encoder.name, batch, vectors)
                _end_attempts(begun, [_row_place(work.row) for work in batch])
                done += len(batch)
                report(done, max(total, done))
    except (RunStopped, TurnOver):  # which ended no reader
        _end_attempts(begun, list(begun))
        raise
    for number in _embed_alone(encoder):
        done += number
        report(done, max(total, done))
    return done


def _end_attempts(begun: set[RowPlace], rows: Sequence[RowPlace]) -> None:
    end_attempts(ATTEMPT_KIND, rows)
    begun.difference_update(rows)


def _row_place(row: Any) -> RowPlace:
    return row.space_id, row.id


def _embed_alone(encoder: Encoder) -> Iterator[int]:
    """Those whose reader ended over them before, or over others of their batch: one at a time, so that it shows which
    it was. How many were embedded, one by one."""
    for waiting, work in ROW_KINDS:
        for rows in _pages(waiting(encoder.name)):
            tried = tried_before(ATTEMPT_KIND, [_row_place(row) for row in rows])
            for row in rows:
                if row.id in tried:
                    yield attempt_row(ATTEMPT_KIND, _row_place(row), partial(_embed_row, encoder, work, row)) or 0


def _embed_row(encoder: Encoder, work: Callable[[Sequence[Any]], list[EmbeddingWork]], row: Any) -> int:
    batch = work([row])
    _write_vectors(encoder.name, batch, encoder.documents([text for one in batch for text in one.texts]))
    return len(batch)


def _encode_ahead(
    encoder: Encoder, begun: set[RowPlace], report_alive: Callable[[], None]
) -> Generator[tuple[Batch, Vectors], None, None]:
    """Each batch while the next is being encoded: the encoder waits neither for the database nor for the disk. The
    thread is the encoder's; the database is spoken to from the caller's alone.

    begun: holds what was begun. going_on: called while a batch is waited for; what it raises ends all of it after the
    texts at hand."""
    over = Event()
    with ThreadPoolExecutor(1, thread_name_prefix="encode") as thread, _set_when_done(over):
        ahead: tuple[Batch, Future[Vectors]] | None = None
        for batch in _batches(encoder.name, begun):
            texts = [text for work in batch for text in work.texts]
            ready, ahead = ahead, (batch, thread.submit(_encode_until, encoder, texts, over))
            if ready:
                yield ready[0], _wait_for(ready[1], report_alive)
        if ahead:
            yield ahead[0], _wait_for(ahead[1], report_alive)


@contextmanager
def _set_when_done(over: Event) -> Iterator[None]:
    try:
        yield
    finally:
        over.set()


def _encode_until(encoder: Encoder, texts: Sequence[str], over: Event) -> Vectors:
    """Of as many texts as are encoded before it is over."""
    parts = []
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        if over.is_set():
            break
        parts.append(encoder.documents(texts[start : start + TEXTS_AT_ONCE]))
    return np.concatenate(parts) if parts else np.empty((0, encoder.dimensions), dtype=np.float32)


def _wait_for(encoding: Future[Vectors], report_alive: Callable[[], None]) -> Vectors:
    while not wait([encoding], POLL_SECONDS).done:
        report_alive()
    return encoding.result()


def _batches(model: str, begun: set[RowPlace]) -> Iterator[Batch]:
    """What was not tried before, begun before it is looked at."""
    for waiting, work in ROW_KINDS:
        for rows in _pages(waiting(model)):
            tried = tried_before(ATTEMPT_KIND, [_row_place(row) for row in rows])
            fresh = [row for row in rows if row.id not in tried]
            begun.update(begin_attempts(ATTEMPT_KIND, [_row_place(row) for row in fresh]))
            if fresh:
                yield from _split_by_passages(work(fresh))


def _pages(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    last: RowPlace | None = None
    while page := _next_page(rows, last):
        yield page
        last = _row_place(page[-1])


def _split_by_passages(batch: Batch) -> Iterator[Batch]:
    """The batch in parts of no more passages than `MAX_PASSAGES`, or of one row."""
    start, passages = 0, 0
    for place, work in enumerate(batch):
        passages += len(work.passages)
        if passages > MAX_PASSAGES and place > start:
            yield batch[start:place]
            start, passages = place, len(work.passages)
    yield batch[start:]


def _memories_waiting(model: str) -> QuerySet[Memory]:
    rows = Memory.objects.awaiting_vector(model).select_related("person")
    return rows.only("space_id", "id", "content", "context", "person", "person__language")


def _turns_waiting(model: str) -> QuerySet[Turn]:
    fields = ("space_id", "id", "content", "conversation_id", "position", "role", "speaker", "spoken_at")
    return Turn.objects.awaiting_vector(model).select_related("person").only(*fields, "person", "person__language")


def _notes_waiting(model: str) -> QuerySet[Note]:
    rows = Note.objects.awaiting_vector(model).select_related("person")
    return rows.only("space_id", "id", "text", "date", "person", "person__language")


def _documents_waiting(model: str) -> QuerySet[Document]:
    rows = Document.objects.awaiting_vector(model).select_related("person")
    return rows.only("space_id", "id", "content", "path", "person", "person__language")


def _next_page(rows: QuerySet[Any], last: RowPlace | None) -> list[Any]:
    with every_space():
        following = rows.filter(pk__gt=last) if last else rows
        return list(following.order_by("space_id", "id")[:BATCH_SIZE])


def _work_of_rows(rows: Sequence[Memory | Note | Document]) -> list[EmbeddingWork]:
    return [
        EmbeddingWork(row, row.searchable_text, _passages(row, lambda part: part, lambda part: part)) for row in rows
    ]


def _work_of_turns(rows: Sequence[Turn]) -> list[EmbeddingWork]:
    """Each turn with the two before it in its conversation, whether or not they are of the batch."""
    around = _turns_around(rows)
    return [
        _work_of_turn(turn, [_with_speaker(before.content, before) for before in _turns_before(turn, around)])
        for turn in rows
    ]


def _work_of_turn(turn: Turn, before: Sequence[str]) -> EmbeddingWork:
    parts = _passages(
        turn,
        lambda part: turn_text(_with_speaker(part, turn), before[:1]),
        lambda part: turn_search_text(turn.speaker, part, turn.spoken_at),
    )
    return EmbeddingWork(turn, turn_text(_with_speaker(turn.content, turn), before), parts)


def _passages(
    row: Memory | Turn | Note | Document, embedded: Callable[[str], str], words: Callable[[str], str]
) -> list[EmbeddedPassage]:
    if not is_long(row.content):
        return []
    found = []
    text = row.searched_text if isinstance(row, Document) else row.content
    for part in split_passages(text):
        language, searched = text_tsvector(words(part), row.person.language).configuration_and_text
        found.append(EmbeddedPassage(embedded(part), language, searched))
    return found


def _turns_around(batch: Sequence[Turn]) -> dict[tuple[UUID, int], Turn]:
    with every_space():
        rows = Turn.objects.filter(
            space_id__in={turn.space_id for turn in batch},
            conversation_id__in={turn.conversation_id for turn in batch},
            position__gte=max(0, min(turn.position for turn in batch) - TURNS_BEFORE),
            position__lte=max(turn.position for turn in batch),
        ).only("space_id", "id", "content", "conversation_id", "position", "role", "speaker")
        return {(turn.conversation_id, turn.position): turn for turn in rows}


def _turns_before(turn: Turn, around: dict[tuple[UUID, int], Turn]) -> list[Turn]:
    """Nearest first."""
    places = [(turn.conversation_id, turn.position - back) for back in range(1, TURNS_BEFORE + 1)]
    return [around[place] for place in places if place in around]


def _with_speaker(text: str, by: Turn) -> str:
    return f"{by.speaker or by.role}: {text}"


def _write_vectors(model: str, batch: Batch, vectors: Vectors) -> None:
    """In binary: as text a vector took as long to write out and to read as a third of its encoding."""
    values: list[Any] = [model]
    rows, parts = [], ["(0, 0, NULL::halfvec, NULL, NULL)"]
    given = iter(vectors)
    for number, work in enumerate(batch, 1):
        rows.append(
            _numbered_parameters(f"({number}, ${{}}::uuid, ${{}}::uuid, ${{}}::text, ${{}}::halfvec)", len(values))
        )
        values += [work.row.space_id, work.row.id, work.row.content, BinaryHalfVector(next(given))]
        for part, passage in enumerate(work.passages):
            parts.append(
                _numbered_parameters(f"({number}, {part}, ${{}}::halfvec, ${{}}::text, ${{}}::text)", len(values))
            )
            values += [BinaryHalfVector(next(given)), passage.language, passage.words]
    statement = WRITE_SQL.format(table=batch[0].row._meta.db_table, rows=", ".join(rows), parts=", ".join(parts))
    with every_space():
        execute_binary(statement, values)


def _numbered_parameters(form: str, after: int) -> str:
    """The form with its parameters numbered, after those that are there."""
    return form.format(*range(after + 1, after + 1 + form.count("{}")))


RowsWaiting: TypeAlias = Callable[[str], QuerySet[Any]]
ROW_KINDS: tuple[tuple[RowsWaiting, Callable[[Sequence[Any]], list[EmbeddingWork]]], ...] = (
    (_memories_waiting, _work_of_rows),
    (_turns_waiting, _work_of_turns),
    (_notes_waiting, _work_of_rows),
    (_documents_waiting, _work_of_rows),
)
