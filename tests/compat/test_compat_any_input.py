"""Whatever is sent in a field, the answer is one of success or says in plain JSON what is wrong with it."""

import json
import os
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client

from tests.compat.conftest import JSON
from tests.documented import Operation, compat_operations, least
from tests.worlds import undone

pytestmark = pytest.mark.django_db

DEEP: Any = "x"
for _ in range(40):
    DEEP = [{"AND": DEEP}]

ODD: tuple[Any, ...] = (None, "", "\x00", "\ud800", -1, 10**400, [], [None], {}, {"": {"in": [{}]}}, DEEP, True)
ODD_FILTERS: tuple[Any, ...] = (
    {"user_id": None},
    {"user_id": []},
    {"user_id": ["alice", 7, True]},
    {"user_id": {"gt": "a", "contains": "l"}},
    {"AND": [{"user_id": "alice"}, {"NOT": {"metadata": {'a"b\\$."c': {"icontains": "(["}}}}]},
    {"user_id": "alice", "metadata": {"a": {"ne": None, "in": [None, 1.5, "x", True]}}},
    {"user_id": "alice", "created_at": {"gte": -1e18, "lt": "9999-12-31T23:59:59-14:00"}},
    {"user_id": "alice", "updated_at": "*", "keywords": {"contains": "tea"}, "categories": ["x", "y"]},
    {"user_id": "alice", "categories": {"gt": "a"}, "agent_id": {"lte": "z"}},
    {"OR": [{"run_id": "*"}, {"app_id": "*"}, {"agent_id": {"ne": "a"}}]},
)
SOME = int(os.environ.get("WAYS", "2"))
"""Ways of `ODD` for each field: `WAYS=12 python -m pytest tests/compat/test_compat_any_input.py` tries all of them."""

GIVEN: dict[str, Any] = {
    "user_id": "alice",
    "messages": [{"role": "user", "content": "I like tea"}],
    "infer": False,
    "query": "tea",
    "filters": {"user_id": "alice"},
    "items": [{"content": "I like tea"}],
}


@pytest.fixture
def client(key: str) -> Client:
    return Client(headers={"X-API-Key": key})


def _bodies(of: Operation) -> Iterator[dict[str, Any]]:
    """The least body with each of its fields odd in turn, each in ways drawn at random; and with odd filters."""
    good = least(of.body, GIVEN)
    for name in of.body["properties"]:
        for odd in (*random.sample(ODD, SOME), *(ODD_FILTERS if name == "filters" else ())):
            yield {**good, name: odd}


def test_no_body_is_a_fault_of_ours(client: Client) -> None:
    tried = 0
    for of in compat_operations():
        for body in _bodies(of) if of.body.get("properties") else ():
            answer = _answer(client, of, json.dumps(body).encode())
            tried += 1
            assert answer.status_code < 500, (of.verb, of.path, body, answer.content)
            assert answer.status_code < 400 or (answer["Content-Type"] == JSON and json.loads(answer.content)["detail"])
    assert tried > 200


def test_no_query_is_a_fault_of_ours(client: Client) -> None:
    for of in compat_operations():
        body = json.dumps(least(of.body, GIVEN)).encode() if of.body else b""
        for name in of.query:
            for odd in ("", "\x00", "-1", "9" * 400, "[[" * 2_000, "{'user_id': open}"):
                answer = _answer(client, of, body, {"user_id": "alice", name: odd})
                assert answer.status_code < 500, (of.verb, of.path, name, odd, answer.content)


def _answer(client: Client, of: Operation, body: bytes, query: dict[str, str] | None = None) -> Any:
    cache.clear()
    values = {"person": "alice", "memory_id": "01990000-0000-7000-8000-00000000dead", "kind": "user", "name": "x"}
    path = of.path.format(**values, project="x", event_id=values["memory_id"])
    with undone():
        return client.generic(of.verb, f"{path}?{urlencode(query or {})}", body, JSON)
