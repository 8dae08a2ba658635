"""Keys: without one nothing is told, and one may do what it was granted and no more."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from memory_app.models import ApiKey
from tests.api.problems import SOMEONE, a_memory, problem_of, rows
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept")]


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer ks_00000000_wrong", "Basic YWxpY2U6eA==", "ks_00000000_wrong",
               "Bearer \u00e9\u00df", "Bearer " + "x" * 10_000],
)  # fmt: skip
def test_without_a_key_nothing_is_told(header: str | None, kept: dict[str, Any]) -> None:
    cache.clear()
    client = Client(headers={} if header is None else {"Authorization": header})
    for path in ("/memories?person=alice", f"/memories/{kept['id']}", "/people/alice"):
        response = client.get(f"/api/v1{path}")
        problem_of(response, 401)  # type: ignore[arg-type]
        assert "Bearer" in response["WWW-Authenticate"]


def test_a_key_that_expired_or_was_revoked_is_no_key() -> None:
    now = datetime.now(UTC)
    expired = ApiKey.issue("expired", scopes=["read"], expires_at=now - timedelta(seconds=1))[1]
    later = ApiKey.issue("later", scopes=["read"], expires_at=now + timedelta(hours=1))[1]
    key, revoked = ApiKey.issue("revoked", scopes=["read"])
    assert Api(revoked).get("/people/nobody").status_code == 404
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=now)
    problem_of(Api(expired).get("/people/nobody"), 401)
    problem_of(Api(revoked).get("/people/nobody"), 401)
    problem_of(Api(later).get("/people/nobody"), 404)


def test_a_key_in_the_query_string_is_no_key(key: str) -> None:
    for name in ("key", "token", "api_key", "access_token", "Authorization"):
        problem_of(Client().get(f"/api/v1/people/alice?{name}={key}"), 401)  # type: ignore[arg-type]


WRITES = {
    "keep": ("POST", "/memories", a_memory()),
    "keep many": ("POST", "/memories/batch", {"items": []}),
    "remember": ("POST", "/remember", {"person": "alice", "utterance": "remember that x is y"}),
    "edit": ("PATCH", "/memories/{id}", {"tags": []}),
    "correct": ("POST", "/memories/{id}/correct", {"content": "x"}),
    "confirm": ("POST", "/memories/{id}/confirm", {}),
    "forget": ("DELETE", "/memories/{id}", None),
    "settle": ("PATCH", "/people/alice", {"memory_enabled": False}),
}


@pytest.mark.parametrize("act", WRITES)
def test_a_key_that_reads_may_not_write(act: str, kept: dict[str, Any]) -> None:
    method, path, body = WRITES[act]
    before = _rows_without_keys()
    reader = Api(ApiKey.issue("reader", scopes=["read"])[1])
    problem_of(reader.call(method, path.format(id=kept["id"]), body), 403)
    assert _rows_without_keys() == before


def test_a_key_that_writes_may_not_read(kept: dict[str, Any]) -> None:
    writer = Api(ApiKey.issue("writer", scopes=["write"])[1])
    for path in ("/memories?person=alice", f"/memories/{kept['id']}", "/people/alice", "/people/alice/stats"):
        problem_of(writer.get(path), 403)
    problem_of(writer.post("/search", {"person": "alice", "query": "dentist"}), 403)


def _rows_without_keys() -> dict[str, str]:
    return {name: found for name, found in rows().items() if name != "api_key"}


GRANTS: dict[str, tuple[dict[str, list[str]], str, str, Any]] = {
    "another person's list": ({"people": ["bob"]}, "GET", "/memories?person=alice", None),
    "another person's search": ({"people": ["bob"]}, "POST", "/search", {"person": "alice", "query": "dentist"}),
    "another person": ({"people": ["bob"]}, "GET", "/people/alice", None),
    "another person's settings": ({"people": ["bob"]}, "PATCH", "/people/alice", {"memory_enabled": False}),
    "somebody new": ({"people": ["bob"]}, "POST", "/memories", a_memory(person="charlie")),
    "in private by a key of spaces": ({"spaces": ["kitchen"]}, "POST", "/memories", a_memory()),
    "another space": ({"spaces": ["kitchen"]}, "POST", "/memories", a_memory(venue={"space": "garage"})),
    "another space's list": ({"spaces": ["kitchen"]}, "GET", "/memories?space=garage", None),
    "another space's brief": (
        {"spaces": ["kitchen"]}, "POST", "/context", {"person": "bob", "query": "x", "venue": {"space": "garage"}},
    ),
    "for everyone by a key of one person": (
        {"people": ["bob"]}, "POST", "/memories", a_memory(person="bob", visibility="everyone"),
    ),
    "for everyone by a key of one space": (
        {"spaces": ["kitchen"]}, "POST", "/memories",
        a_memory(person="bob", venue={"space": "kitchen"}, visibility="everyone"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", GRANTS)
def test_a_key_may_do_what_it_was_granted_and_no_more(case: str, kept: dict[str, Any]) -> None:
    granted, method, path, body = GRANTS[case]
    limited = Api(ApiKey.issue("limited", scopes=["read", "write"], **granted)[1])  # type: ignore[arg-type]
    before = rows()
    problem_of(limited.call(method, path, body), 403)
    assert rows() == before


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("PATCH", {"tags": []}), ("DELETE", None)])
def test_a_memory_beyond_the_grant_is_not_there(method: str, body: object, kept: dict[str, Any]) -> None:
    for granted in ({"people": ["bob"]}, {"spaces": ["kitchen"]}):
        limited = Api(ApiKey.issue("limited", scopes=["read", "write"], **granted)[1])  # type: ignore[arg-type]
        there, missing = (limited.call(method, f"/memories/{memory}", body) for memory in (kept["id"], SOMEONE))
        problem_of(there, 404)
        assert there.content == missing.content


def test_wrong_keys_are_slowed_down_and_right_ones_are_not(api: Api) -> None:
    cache.clear()
    wrong = Api("ks_00000000_wrong")
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False):
        statuses = [wrong.get("/people/alice").status_code for _ in range(120)]
        limited = wrong.get("/people/alice")
        assert statuses == [401] * 120
        problem_of(limited, 429)
        assert 1 <= int(limited["Retry-After"]) <= 60
        assert api.get("/people/nobody").status_code == 404
    cache.clear()


def test_one_key_cannot_take_everything(api: Api) -> None:
    cache.clear()
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False):
        statuses = {api.get("/people/nobody").status_code for _ in range(1000)}
        limited = api.get("/people/nobody")
    assert statuses == {404}
    problem_of(limited, 429)
    assert limited["Retry-After"] == "1"
    cache.clear()
