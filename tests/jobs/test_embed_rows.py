"""A change of the embedding model: rows of both stand side by side, nothing breaks, and one job mends it."""

from collections.abc import Sequence
from io import StringIO
from threading import Event, Thread
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection

from memory_app.embedding.encoder import Encoder, use_encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.venue_context import resolve_venue
from memory_app.health import CHECKS
from memory_app.jobs.embed_rows import BATCH_SIZE, TEXTS_AT_ONCE, embed_rows
from memory_app.models import Memory
from memory_app.models.row_security import every_space
from memory_app.progress import RunStopped
from tests.conftest import Api
from tests.encoder import HashingEncoder
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

TEXTS = ("Alice plays the cello", "Anna is Alice's sister", "Soup is on Tuesdays", "The dentist is on Monday")
METHODS = ("hybrid", "vector", "text", "entity")


class OtherEncoder(HashingEncoder):
    """Another model, of another dimension."""

    name = "test-other-16"
    dimensions = 16

    def documents(self, texts: Sequence[str]) -> Vectors:
        cut = super().documents(texts)[:, :16]
        whole: Vectors = (cut / np.linalg.norm(cut, axis=1, keepdims=True)).astype(np.float32)
        return whole


class HeldEncoder(OtherEncoder):
    """Waits for leave before it encodes documents."""

    def __init__(self) -> None:
        self.reached, self.go_on = Event(), Event()

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.reached.set()
        assert self.go_on.wait(20)
        return super().documents(texts)


def _models() -> set[tuple[str | None, int]]:
    """The models of all rows, and the dimensions of their vectors."""
    with every_space():
        rows = Memory.objects.only("space_id", "id", "embedding", "embedding_model")
        return {(row.embedding_model, 0 if row.embedding is None else len(row.embedding)) for row in rows}


def _found(api: Api, query: str, method: str, person: str = "alice") -> list[str]:
    answer = api.post("/search", {"person": person, "query": query, "method": method, "explain": True})
    assert answer.status_code == 200, answer.content
    return [result["memory"]["content"] for result in answer.json()["results"]]


def _run(job: str) -> str:
    out = StringIO()
    call_command("job", "run", job, stdout=out)
    return out.getvalue()


def test_a_change_of_model_is_told_and_mended_by_one_job(api: Api) -> None:
    for text in TEXTS:
        api.remember("alice", text)
    assert CHECKS["embedding_model"]() == ""
    with use_encoder(OtherEncoder()):
        assert "job run reembed" in CHECKS["embedding_model"]()
        assert api.get("/people/alice/stats").json()["embeddings_pending"] == 4
        assert _found(api, "cello", "text") == ["Alice plays the cello"]
        assert _found(api, "cello", "hybrid")[0] == "Alice plays the cello"
        assert _found(api, "cello", "vector") == []
        assert "4" in _run("reembed")
        assert _models() == {("test-other-16", 16)}
        assert CHECKS["embedding_model"]() == ""
        assert api.get("/people/alice/stats").json()["embeddings_pending"] == 0
        assert _found(api, "cello", "vector")[0] == "Alice plays the cello"
        assert "0" in _run("reembed")
    assert api.get("/memories?person=alice&order=oldest").json()["items"][0]["embedding_model"] == "test-other-16"


@pytest.mark.parametrize("encoder_now", [HashingEncoder(), OtherEncoder()], ids=["the first", "the other"])
def test_rows_of_two_models_stand_side_by_side(api: Api, encoder_now: Encoder) -> None:
    """Of two dimensions, and one row with no vector at all."""
    for text in TEXTS[:2]:
        api.remember("alice", text, key=text[:4])
    with use_encoder(OtherEncoder()):
        for text in TEXTS[2:]:
            api.remember("alice", text, key=text[:4])
    bare = api.remember("alice", "Bob grows tomatoes")
    with every_space():
        Memory.objects.filter(id=bare["id"]).update(embedding=None, embedding_model=None)
    assert _models() == {("test-hashing-64", 64), ("test-other-16", 16), (None, 0)}
    with use_encoder(encoder_now):
        for text in (*TEXTS, "Bob grows tomatoes"):
            assert _found(api, text, "text")[0] == text
            assert text in _found(api, text, "hybrid")
            assert all(isinstance(_found(api, text, method), list) for method in METHODS)
            assert api.post("/context", {"person": "alice", "query": text}).status_code == 200
            assert api.post("/searches", {"person": "alice", "query": text}).status_code == 201
        said_again = [{"person": "alice", "content": text.upper()} for text in TEXTS]
        more = [{"person": "alice", "content": f"Number {n} of the lot is {n * 7}"} for n in range(20)]
        outcomes = [
            item["outcome"] for item in api.post("/memories/batch", {"items": said_again + more}).json()["items"]
        ]
        assert outcomes == ["duplicate"] * 4 + ["added"] * 20
        for text in TEXTS:
            assert api.remember("alice", f"No longer: {text}", key=text[:4])["supersedes"] is not None


class FailingEncoder(OtherEncoder):
    """Encodes so many times, then no more."""

    def __init__(self, times: int) -> None:
        self.left = times

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.left -= 1
        if self.left < 0:
            raise MemoryError
        return super().documents(texts)


def _counted() -> int:
    """Three batches of memories: two whole ones and a small one."""
    venue_context = resolve_venue(person="alice")
    told = [MemoryInput(f"Alice counted {number * 7919} sheep.", key="") for number in range(2 * BATCH_SIZE + 30)]
    with every_space():
        Memory.objects.bulk_create([build_memory(venue_context, memory_input, NOON).memory for memory_input in told])
    return len(told)


def _with_vector() -> int:
    with every_space():
        return Memory.objects.exclude(embedding=None).count()


def test_an_encoder_that_fails_leaves_the_batches_before_it_whole() -> None:
    every = _counted()
    with pytest.raises(MemoryError):
        embed_rows(encoder=FailingEncoder(2 * BATCH_SIZE // TEXTS_AT_ONCE), report=lambda *_: None)
    assert _with_vector() == 2 * BATCH_SIZE
    embed_rows(encoder=OtherEncoder(), report=lambda *_: None)
    assert _with_vector() == every


def test_one_that_is_stopped_between_two_batches_goes_on_from_there() -> None:
    every = _counted()

    def stop(done: int, total: int) -> None:
        raise RunStopped

    with pytest.raises(RunStopped):
        embed_rows(encoder=OtherEncoder(), report=stop)
    assert _with_vector() == BATCH_SIZE
    told: list[tuple[int, int]] = []
    assert (
        embed_rows(encoder=OtherEncoder(), report=lambda done, total: told.append((done, total))) == every - BATCH_SIZE
    )
    assert told == [(BATCH_SIZE, BATCH_SIZE + 30), (BATCH_SIZE + 30, BATCH_SIZE + 30)]
    with every_space():
        for row in Memory.objects.only("space_id", "id", "content", "embedding"):
            right = OtherEncoder().documents([row.content])[0]
            assert np.allclose(np.asarray(row.embedding), right, atol=1e-3)


@pytest.mark.usefixtures("transactional_db")
def test_search_and_writing_go_on_while_it_runs(api: Api) -> None:
    kept = [api.remember("alice", text) for text in TEXTS]
    done: list[int] = []

    def run() -> None:
        try:
            done.append(embed_rows(encoder=held, report=lambda *_: None))
        finally:
            connection.close()

    held, other = HeldEncoder(), OtherEncoder()
    thread = Thread(target=run)
    thread.start()
    try:
        assert held.reached.wait(20)
        with use_encoder(other):
            assert _found(api, "cello", "text") == ["Alice plays the cello"]
            api.remember("alice", "Charlie hums")
            _edited(kept[0], "Alice plays the viola", other)
            assert api.call("DELETE", f"/memories/{kept[1]['id']}").status_code == 204
    finally:
        held.go_on.set()
        thread.join(60)
    assert done == [4]
    with use_encoder(other):
        assert _found(api, "viola", "vector")[0] == "Alice plays the viola"
        assert _found(api, "hums", "vector")[0] == "Charlie hums"
    with every_space():
        assert set(Memory.objects.undeleted().values_list("embedding_model", flat=True)) == {"test-other-16"}


def _edited(memory: dict[str, Any], content: str, encoder: Encoder) -> None:
    with every_space():
        row = Memory.objects.get(id=memory["id"])
    at, author = MemoryRef(row.space_id, row.id), Author("key", "tests")
    edit(at=at, changes={"content": content}, author=author, now=NOON, encoder=encoder)


class Unhurried(OtherEncoder):
    """Takes as long as it is left to, and counts what it encoded."""

    def __init__(self) -> None:
        self.encoded, self.go_on = 0, Event()

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.encoded += len(texts)
        assert self.go_on.wait(20)
        return super().documents(texts)


@pytest.mark.usefixtures("transactional_db")
def test_one_that_is_cancelled_does_not_encode_the_batch_to_its_end() -> None:
    _counted()
    encoder = Unhurried()

    def cancelled(done: int, total: int) -> None:
        encoder.go_on.set()
        raise RunStopped

    with pytest.raises(RunStopped):
        embed_rows(encoder=encoder, report=cancelled)
    assert encoder.encoded <= 2 * TEXTS_AT_ONCE < BATCH_SIZE
    assert _with_vector() == 0


@pytest.mark.usefixtures("transactional_db")
def test_a_row_that_someone_changes_just_now_is_left_to_the_next_run(api: Api) -> None:
    held, free = (api.remember("alice", text)["id"] for text in TEXTS[:2])
    with every_space():
        row = Memory.objects.select_for_update().get(id=held)
        night = Thread(target=_reembedded)
        night.start()
        night.join(20)
        assert not night.is_alive()
        row.save()
    with every_space():
        models = dict(Memory.objects.values_list("id", "embedding_model"))
    assert (models[UUID(held)], models[UUID(free)]) == ("test-hashing-64", "test-other-16")
    assert embed_rows(encoder=OtherEncoder(), report=lambda *_: None) == 1


def _reembedded() -> None:
    try:
        embed_rows(encoder=OtherEncoder(), report=lambda *_: None)
    finally:
        connection.close()
