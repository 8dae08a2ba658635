"""The log of requests: who asked what, with which answer; never what was told, nor with which key."""

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError
from django.test import Client

from memory_app.api import request_log as logging
from memory_app.api.request_log import request_log
from memory_app.embedding.encoder import use_encoder
from memory_app.embedding.vectors import Vectors
from memory_app.models import COMMONS, Operation, Person
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.encoder import HashingEncoder

pytestmark = pytest.mark.django_db


class CountingEncoder(HashingEncoder):
    """Remembers which documents were encoded together."""

    def __init__(self) -> None:
        self.encoded: list[list[str]] = []

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.encoded.append(list(texts))
        return super().documents(texts)


def _logged() -> list[Operation]:
    """What the log holds of requests, oldest first."""
    request_log.flush()
    with every_space():
        return list(Operation.objects.filter(name="request").order_by("id"))


def _told(entry: Operation) -> tuple[str, str, int]:
    return entry.detail["method"], entry.detail["path"], entry.detail["status"]


def test_each_request_is_logged_with_its_answer(api: Api) -> None:
    memory = api.remember("alice", "The tile is blue")
    api.get(f"/memories/{memory['id']}?person=alice")
    api.get("/memories?person=alice&limit=nonsense")
    api.get("/nowhere/secret-word")
    assert [_told(entry) for entry in _logged()] == [
        ("POST", "/memories", 201),
        ("GET", "/memories/{memory_id}", 200),
        ("GET", "/memories", 422),
        ("GET", "unknown", 404),
    ]


def test_an_entry_names_the_key_the_person_and_the_memory(api: Api) -> None:
    memory = api.remember("alice", "The tile is blue")
    api.get(f"/memories/{memory['id']}?person=alice")
    written, read = _logged()
    alice = Person.objects.get(name="alice")
    assert (written.person_id, written.space_id, written.memory_id) == (alice.id, alice.space_id, None)
    assert (read.person_id, str(read.memory_id)) == (alice.id, memory["id"])
    assert read.author.startswith("key:ks_")
    assert read.author.endswith(" tests")
    assert read.detail["ms"] >= 0


def test_what_a_request_does_and_the_request_have_one_id(api: Api) -> None:
    answer = api.post("/memories", {"person": "alice", "content": "The tile is blue"})
    with every_space():
        done = Operation.objects.get(name="remember")
    assert [entry.request_id for entry in _logged()] == [done.request_id] == [answer["X-Request-Id"]]


def test_an_id_that_is_sent_is_taken_up_to_its_length(api: Api) -> None:
    answer = api.post("/memories", {"person": "alice", "content": "The tile is blue"}, X_Request_ID="x" * 500)
    assert (answer.status_code, answer["X-Request-Id"]) == (201, "x" * 64)
    assert _logged()[0].request_id == "x" * 64


@pytest.mark.parametrize("sent", ["sk-proj-heliotropeABCDEFGHIJKLMNOPQRSTUV012345", "4539148803436467", "my password"])
def test_an_id_that_may_be_a_secret_is_not_taken(api: Api, sent: str) -> None:
    answer = api.post("/memories", {"person": "alice", "content": "The tile is blue"}, X_Request_ID=sent)
    with every_space():
        told = {entry.request_id for entry in [*_logged(), *Operation.objects.all()]}
    assert told == {answer["X-Request-Id"]} == {str(UUID(answer["X-Request-Id"]))}


def test_nothing_of_what_was_sent_is_in_the_log(api: Api, key: str) -> None:
    api.remember("alice", "My canary word is heliotrope", key="heliotrope")
    api.get("/admin/logs?q=heliotrope")
    api.get("/memories/heliotrope")
    entries = _logged()
    assert len(entries) == 3
    whole = str([[getattr(entry, field.attname) for field in Operation._meta.concrete_fields] for entry in entries])
    assert "heliotrope" not in whole
    assert key not in whole


def test_who_shows_no_key_is_nobody(db: None) -> None:
    Client().get("/api/v1/memories?person=alice")
    Client(headers={"Authorization": "Bearer ks_wrong"}).get("/api/v1/memories?person=alice")
    entries = _logged()
    assert [(entry.author, entry.detail["status"], entry.space_id) for entry in entries] == [
        ("nobody", 401, COMMONS)
    ] * 2


def test_a_request_about_several_people_says_how_many_more(api: Api) -> None:
    items = [{"person": name, "content": "The tile is blue"} for name in ("alice", "bob", "charlie")]
    api.post("/memories/batch", {"items": items})
    assert [entry.detail["other_people"] for entry in _logged()] == [2]


def test_conversations_are_logged_by_their_id_and_person(api: Api) -> None:
    opened = api.post("/conversations", {"person": "alice"}).json()["id"]
    api.post(f"/conversations/{opened}/turns", {"role": "user", "content": "Hello"})
    entry = _logged()[-1]
    assert (entry.detail["ids"], entry.person_id) == ({"conversation_id": opened}, Person.objects.get().id)


def test_pages_are_not_requests_to_the_api(db: None) -> None:
    Client().get("/login/")
    assert _logged() == []


def test_while_the_database_does_not_answer_entries_wait_in_order(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(batch: Any) -> None:
        raise DatabaseError

    for _ in range(3):
        api.get(f"/memories/{uuid4()}")
    with monkeypatch.context() as patched:
        patched.setattr(logging, "log_requests", refuse)
        patched.setattr(logging, "BATCH_SIZE", 2)
        before = list(request_log.waiting)
        assert request_log.flush() == 0
        assert list(request_log.waiting) == before
    assert len(_logged()) == 3


def test_bodies_are_told_by_their_size_and_a_hash_that_no_text_can_be_tried_against(api: Api) -> None:
    body = {"person": "alice", "query": "heliotrope"}
    for sent in (body, body, {**body, "query": "hyacinth"}):
        api.post("/searches", sent)
    api.get("/people/alice")
    first, second, third, read = (entry.detail for entry in _logged())
    assert first["sent"] == second["sent"] != third["sent"]
    assert first["sent"]["size"] == len('{"person": "alice", "query": "heliotrope"}')
    assert first["sent"]["hash"] != hashlib.blake2b(b'{"person": "alice", "query": "heliotrope"}').hexdigest()[:16]
    assert len(first["answered"]["hash"]) == 16
    assert "sent" not in read


def _asked(*entries: Operation) -> list[str]:
    return [entry.detail.get("asked", "") for entry in entries or _logged()]


def test_what_was_asked_is_kept(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    api.post("/search", {"person": "alice", "query": "which tile?"})
    api.post("/context", {"person": "alice", "query": "what colour is the tile?"})
    search = api.post("/searches", {"person": "alice", "query": "tile"}).json()["id"]
    api.post(f"/searches/{search}/reply", {"text": "the blue one"})
    api.post("/commands", {"person": "alice", "text": "/memory search tile"})
    api.post("/commands", {"person": "alice", "text": "/remember the door is red"})
    assert _asked() == [
        "",
        "which tile?",
        "what colour is the tile?",
        "tile",
        "the blue one",
        "/memory search tile",
        "",
    ]
    found = api.post("/admin/search", {"query": "what colour", "tiers": ["logs"]}).json()
    assert found["totals"]["logs"] == 1


@pytest.mark.parametrize("query", ["my password is hunter2-Xy9, which site?", "when did I get my diabetes diagnosis?"])
def test_nothing_sensitive_that_was_asked_is_kept(api: Api, query: str) -> None:
    api.remember("alice", "The tile is blue")
    api.post("/search", {"person": "alice", "query": query})
    assert _asked(_logged()[-1]) == ["••••••"]


def test_of_who_is_nobody_or_paused_nothing_asked_is_kept(api: Api) -> None:
    api.post("/search", {"person": "nobody yet", "query": "heliotrope"})
    api.remember("alice", "The tile is blue")
    api.call("PATCH", "/people/alice", {"memory_enabled": False})
    api.post("/search", {"person": "alice", "query": "heliotrope"})
    assert _asked() == [""] * 4


def test_an_erasure_takes_what_was_asked_along(api: Api) -> None:
    memory = api.remember("alice", "The tile is blue")
    for query in ("is it true that the tile is blue?", "which door?"):
        api.post("/search", {"person": "alice", "query": query})
    api.post("/context", {"person": "alice", "query": "what do you remember about the tile?"})
    assert _asked()[1:] == ["is it true that the tile is blue?", "which door?", "what do you remember about the tile?"]
    api.call("DELETE", f"/memories/{memory['id']}?person=alice")
    api.post(f"/admin/memories/{memory['id']}/erase", {})
    assert [words for words in _asked() if words] == ["which door?"]


def test_what_an_erased_person_asked_just_before_is_not_kept(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    api.post("/search", {"person": "alice", "query": "heliotrope"})
    api.call("DELETE", "/people/alice", {"confirm": "alice", "reason": "asked"})
    request_log.flush()
    with every_space():
        assert "heliotrope" not in str(list(Operation.objects.values_list("detail", flat=True)))


def test_the_queries_of_many_requests_are_looked_at_in_one_go(api: Api) -> None:
    """Each by itself would take the encoder, which all wait for, twice as long."""
    api.remember("alice", "The tile is blue")
    request_log.flush()
    for query in ("which tile?", "which door?", "which tile?"):
        api.post("/search", {"person": "alice", "query": query})
    encoder = CountingEncoder()
    with use_encoder(encoder):
        entries = _logged()
    assert [entry.detail["asked"] for entry in entries[-3:]] == ["which tile?", "which door?", "which tile?"]
    assert encoder.encoded[0] == ["which door?", "which tile?"]
    assert not {"which door?", "which tile?"} & {text for call in encoder.encoded[1:] for text in call}
