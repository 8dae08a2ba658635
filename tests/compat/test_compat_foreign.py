"""To clients of other servers too, what is another's answers exactly as what is not there, and no key reaches further
than its grant. Addresses and bodies come from the documents of these APIs, so that a new one is asked for too."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from memory_app.models import ApiKey
from tests.api.problems import rows
from tests.cast import MISSING, NOTHING, Things, settle_in, things_of
from tests.documented import Operation, compat_operations, least
from tests.worlds import NOON, undone

pytestmark = pytest.mark.django_db

FRESH = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
NOBODY = MISSING["person"]
OPEN = {"ping", "version", "health", "configure", "providers", "projects", "webhooks", "settings", "jobs", "reset"}
"""Words of addresses that name nobody and hold nothing of anyone's."""


@pytest.fixture
def alices() -> Iterator[Things]:
    with time_machine.travel(NOON, tick=False):
        settle_in()
        yield things_of("alice", *ApiKey.issue("admin", scopes=["read", "write", "admin"]))


def _client(**grant: Any) -> Client:
    _, token = ApiKey.issue("mallory", **{"scopes": ["read", "write"], **grant})
    return Client(headers={"Authorization": f"Token {token}"})


def _given(who: str, memory: str) -> dict[str, Any]:
    """Values for all fields that name someone or something."""
    return {
        "user_id": who,
        "filters": {"user_id": who},
        "messages": [{"role": "user", "content": "mine"}],
        "infer": False,
        "query": "tile",
        "memories": [{"memory_id": memory, "text": "mine"}],
        "memory_id": memory,
        "entity_id": who,
        "items": [{"content": "mine"}],
        "text": "mine",
    }


def _ask(client: Client, of: Operation, who: str, memory: str = NOTHING) -> tuple[int, bytes]:
    """What is answered, but for the names and ids that were sent. None of it has happened afterwards."""
    cache.clear()
    values = {"person": quote(who), "memory_id": memory, "event_id": memory, "kind": "user", "name": "keepsake"}
    query = urlencode({name: value for name, value in _given(who, memory).items() if name in {*of.query} - {"filters"}})
    path = of.path.format(**{**values, "project": "default"})
    body = json.dumps(least(of.body, _given(who, memory))).encode() if of.body else b""
    with undone():
        answer: Any = client.generic(of.verb, f"{path}?{query}" if query else path, body, "application/json")
        told = FRESH.sub(b"-", answer.getvalue()).replace(who.encode(), b"NAME").replace(memory.encode(), b"ID")
        return answer.status_code, told


def _names_someone(of: Operation) -> bool:
    fields = {*of.query, *of.body.get("properties", {})}
    return "{person}" in of.path or bool({"user_id", "entity_id"} & fields)


def test_someone_else_is_refused_as_nobody_is(alices: Things) -> None:
    """To a key of Mallory's, of her garage, and to one of hers that may read or write alone."""
    asked = [of for of in compat_operations() if _names_someone(of)]
    assert len(asked) > 30
    for grant in ({"people": ["mallory"]}, {"spaces": ["garage"]}, {"people": ["mallory"], "scopes": ["read"]}):
        client = _client(**grant)
        for of in asked:
            told = {who: _ask(client, of, who) for who in ("alice", NOBODY)}
            assert told["alice"] == told[NOBODY], (grant, of.verb, of.path)
            assert told["alice"][0] in (403, 404), (grant, of.verb, of.path, told)


def test_what_is_refused_changes_nothing(alices: Things) -> None:
    client, before = _client(people=["mallory"]), rows()
    for of in compat_operations():
        if of.verb != "GET" and (_names_someone(of) or "{memory_id}" in of.path):
            values = {"person": "alice", "memory_id": alices["memory_id"]["private"], "kind": "user"}
            body = json.dumps(least(of.body, _given("alice", values["memory_id"]))).encode() if of.body else b""
            cache.clear()
            query = "?user_id=alice" if "user_id" in of.query else ""
            client.generic(of.verb, of.path.format(**values) + query, body, "application/json")
    assert rows() == before


def test_an_id_in_a_body_tells_nothing_of_what_is_foreign(alices: Things) -> None:
    ids = [*alices["memory_id"].values(), NOTHING]
    for grant in ({"people": ["mallory"]}, {"spaces": ["garage"]}):
        client = _client(**grant)
        for of in compat_operations():
            if {"memories", "memory_id"} & {*of.body.get("properties", {})}:
                assert {_ask(client, of, "mallory", one) for one in ids} == {_ask(client, of, "mallory")}, of.path


def test_no_list_holds_what_is_another_persons(alices: Things) -> None:
    """Also where everyone is asked for (`*`), who is whoever the key reaches."""
    client = _client(people=["mallory"])
    for of in compat_operations():
        for who in ("mallory", "*"):
            status, told = _ask(client, of, who)
            assert status < 500, (of.verb, of.path)
            assert b"tile" not in told.replace(b"tile", b"", 0) or b"blue" not in told, (of.verb, of.path, told)
            assert b"alice" not in told.lower(), (of.verb, of.path, told)
            assert b"lisinopril" not in told


def test_every_scope_is_asked_for(alices: Things) -> None:
    """A key to read writes nothing, and a key to write is told nothing but what it sends."""
    reads, writes, before = _client(scopes=["read"]), _client(scopes=["write"]), rows()
    for of in compat_operations():
        if not OPEN & {*re.split(r"\W+", of.path)}:
            statuses = {_ask(client, of, "alice", alices["memory_id"]["private"])[0] for client in (reads, writes)}
            assert 403 in statuses, (of.verb, of.path, statuses)
            _, told = _ask(writes, of, "alice", alices["memory_id"]["private"])
            assert b"blue tile" not in told, (of.verb, of.path, told)
    assert rows() == before
