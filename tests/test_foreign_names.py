"""Ids and names that are sent in a body or a query: a foreign one answers exactly as one that is not there.

Which fields there are is read from the OpenAPI document; one that is not known here fails.
"""

import base64
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from memory_app.engine.venue_context import VenueNames
from memory_app.models import ApiKey
from tests.cast import NOTHING, Things, settle_in, things_of
from tests.conftest import Api
from tests.documented import Operation, Schema, least, operations, resolved
from tests.worlds import NOON, undone

pytestmark = pytest.mark.django_db

FIELDS = {"into": "entity_id", "memories": "memory_id", "conversation": "conversation_id", "turns": "turn"}
"""Fields that hold ids, and what of Alice's is put there."""

FRESH = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\"took_ms\": ?[\d.e+-]+")
"""What differs between any two answers."""

GARAGE = VenueNames("garage")


@pytest.fixture(scope="module")
def module_worlds(module_rows: None) -> tuple[Things, Things]:
    """What is Alice's, and what is Mallory's: they share no space."""
    with time_machine.travel(NOON, tick=False):
        settle_in()
        admin, token = ApiKey.issue("admin", scopes=["read", "write", "admin"])
        return things_of("alice", admin, token), things_of("mallory", admin, token, place=GARAGE)


@pytest.fixture
def worlds(module_worlds: tuple[Things, Things], db: None) -> Iterator[tuple[Things, Things]]:
    with time_machine.travel(NOON, tick=False):
        yield module_worlds


def mallorys(**grant: Any) -> Client:
    _, token = ApiKey.issue("mallory", scopes=["read", "write"], **grant)
    return Client(headers={"Authorization": f"Bearer {token}"})


def _ids_in(schema: Schema) -> Iterator[tuple[str, ...]]:
    """Where in a body an id may stand: the names on the way to it."""
    schema = resolved(schema)
    for name, of in schema.get("properties", {}).items():
        inner = resolved(of)
        inner = resolved(inner["items"]) if inner.get("type") == "array" else inner
        if inner.get("format") == "uuid":
            yield (name,)
        yield from ((name, *rest) for rest in _ids_in(inner))


def _placed(schema: Schema, way: tuple[str, ...], value: str, given: dict[str, Any]) -> Any:
    """The least body, with an id in one place."""
    schema = resolved(schema)
    if schema.get("type") == "array":
        return [_placed(schema["items"], way, value, given)]
    if not way:
        return value
    return least(schema, given) | {way[0]: _placed(schema["properties"][way[0]], way[1:], value, {})}


WAYS = [(of, way) for of in operations() for way in _ids_in(of.body)]


def _answer(client: Client, of: Operation, own: Things, body: object, query: dict[str, str]) -> tuple[int, bytes]:
    """What Mallory is answered about her own things, with something of Alice's in the body or the query."""
    cache.clear()
    values = {name: next(iter(kept.values())) for name, kept in own.items()} | {
        "day": "2026-11-20",
        "name": "fade",
        "space": "garage",
    }
    path = f"{of.path.format(**values)}?{urlencode({**query, 'person': 'mallory'} if 'person' in of.query else query)}"
    with undone():
        answer: Any = client.generic(of.verb, path, json.dumps(body).encode(), "application/json")
        told = sorted(f"{name}: {given}" for name, given in answer.items() if name != "X-Request-Id")
        return answer.status_code, FRESH.sub(b"-", f"{told}".encode() + answer.getvalue())


def test_every_field_that_holds_an_id_is_known() -> None:
    assert {way[-1] for _, way in WAYS} == set(FIELDS)


def test_an_id_in_a_body_tells_nothing_of_what_is_foreign(worlds: tuple[Things, Things]) -> None:
    alices, own = worlds
    for client in (mallorys(people=["mallory"]), mallorys()):
        for of, way in WAYS:
            given = {"person": "mallory", "content": "mine", "utterance": "remember that I sing", "text": "/memory"}
            sent = [_placed(of.body, way, value, given) for value in (*alices[FIELDS[way[-1]]].values(), NOTHING)]
            told = {_answer(client, of, own, body, {}) for body in sent}
            assert len(told) == 1, (of.verb, of.path, way, told)
            assert {status for status, _ in told} <= {200, 201, 404, 422}, (of.verb, of.path, way, told)


def test_the_place_of_a_foreign_row_in_a_list_tells_nothing(worlds: tuple[Things, Things]) -> None:
    """A cursor is made of a row; one of Alice's leads to what is Mallory's own, as one of a row that is not there."""
    _, own = worlds
    admin = Api(ApiKey.issue("lists", scopes=["read", "write", "admin"])[1])
    for number in range(3):
        admin.remember("mallory", f"Mallory knows song {number} of Rome")
        admin.remember("alice", f"Alice knows song {number} of Porto")
        admin.post("/context", {"person": "alice", "query": f"Which song of Porto is number {number}?"})
    asked = 0
    for of in operations():
        if "cursor" not in of.query or "{" in of.path or "admin" in of.path:
            continue
        listed = admin.get(f"{of.path.removeprefix('/api/v1')}?person=alice&limit=1").json()
        cursor = listed["next_cursor"]
        assert cursor, of.path
        for client in (mallorys(people=["mallory"]), mallorys()):
            sent = [{"cursor": one, "limit": "200"} for one in (cursor, _of_none(cursor))]
            told = [_answer(client, of, own, None, query) for query in sent]
            assert told[0] == told[1], of.path
            assert told[0][0] == 200, (of.path, told)
            assert b"Alice" not in told[0][1]
        asked += 1
    assert asked >= 3


def _of_none(cursor: str) -> str:
    """The same place, of a row that nobody has; names are listed by their count, and a cursor there is of a name."""
    place = json.loads(base64.urlsafe_b64decode(cursor))
    if len(place) == 2:
        place[1] = str(UUID(int=UUID(place[1]).int + 1))
    else:
        place[1] = f"{place[1]} nobody"
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


@pytest.mark.parametrize("path", ["/forget/confirm", "/commands"])
def test_a_question_that_was_put_to_another_is_no_question(worlds: tuple[Things, Things], path: str) -> None:
    admin = Api(ApiKey.issue("asks", scopes=["read", "write"])[1])
    admin.remember("alice", "Alice chose the blue bicycle")
    asked = admin.post("/forget", {"person": "alice", "utterance": "forget about the blue bicycle"}).json()
    for client in (mallorys(people=["mallory"]), mallorys(), mallorys(spaces=["garage"])):
        for person in ("mallory", "nadia"):
            tokens = (asked["token"], "x" * len(asked["token"]))
            told = {_confirmed(client, path, person, token) for token in tokens}
            assert len(told) == 1, (path, person, told)
            assert {status for status, _ in told} <= {403, 404}
    assert _confirmed(admin.client, path, "alice", asked["token"])[0] == 200


def _confirmed(client: Client, path: str, person: str, token: str) -> tuple[int, bytes]:
    cache.clear()
    body = (
        {"person": person, "token": token, "text": "yes"} if path == "/commands" else {"person": person, "token": token}
    )
    answer: Any = client.post(f"/api/v1{path}", json.dumps(body), "application/json")
    return answer.status_code, FRESH.sub(b"-", answer.getvalue())


def test_a_name_that_a_key_was_not_granted_tells_nothing(worlds: tuple[Things, Things]) -> None:
    """A person or a space that is there and one that is not are refused alike."""
    _, own = worlds
    clients = {"person": mallorys(people=["mallory"]), "space": mallorys(spaces=["garage"])}
    names = {"person": ("alice", "nadia"), "space": ("kitchen", "nowhere")}
    asked = 0
    for of in operations():
        for field, (foreign, missing) in names.items():
            answers = [_named(clients[field], of, own, field, name) for name in (foreign, missing)]
            if None in answers:
                continue
            asked += 1
            assert answers[0] == answers[1], (of.verb, of.path, field)
    assert asked > 20


def _named(client: Client, of: Operation, own: Things, field: str, name: str) -> tuple[int, bytes] | None:
    """The answer where this name is sent; None where the operation takes none such."""
    fields = of.body.get("properties", {})
    person = name if field == "person" else "mallory"
    given: dict[str, Any] = {"person": person, "query": "tile", "content": "mine", "into": person}
    if field == "space":
        given["venue"] = {"space": name}
    taken = {"person": {"person", "into"}, "space": {"venue"}}[field] & set(fields)
    if of.path.endswith("/merge") and "entities" in of.path:
        taken, given = taken - {"into"}, {**given, "into": NOTHING}
    if not taken and field not in of.query:
        return None
    body = least(of.body, given) if of.body else None
    status, answer = _answer(client, of, own, body, {field: name} if field in of.query else {})
    return status, answer.replace(name.encode(), b"NAME")
