"""Limits and the log of these addresses are the API's; errors are plain JSON, which is what their clients read."""

from typing import Any

import pytest
from django.core.cache import cache

from memory_app.api import auth
from memory_app.api.request_log import request_log
from memory_app.models import ApiKey, Operation
from memory_app.models.row_security import every_space
from tests.compat.conftest import JSON, Compat

pytestmark = pytest.mark.django_db

SAID = {"messages": [{"role": "user", "content": "My canary word is heliotrope"}], "infer": False, "user_id": "alice"}


def test_a_request_is_logged_by_its_template_and_without_words(mem0: Compat, key: str) -> None:
    [kept] = mem0.call("POST", "/v3/memories/add/", SAID)["results"]
    mem0.call("GET", f"/v1/memories/{kept['id']}/")
    mem0.send("GET", "/v1/memories/heliotrope/")
    mem0.call("DELETE", "/v2/entities/user/alice/")
    Compat(key, "hindsight", "Bearer").send("GET", "/v1/default/banks/heliotrope/profile")
    request_log.flush()
    with every_space():
        entries = list(Operation.objects.filter(name="request").order_by("id"))
    assert [(one.detail["method"], one.detail["path"], one.detail["status"]) for one in entries] == [
        ("POST", "/compat/mem0/v3/memories/add/", 200),
        ("GET", "/compat/mem0/v1/memories/{memory_id}/", 200),
        ("GET", "unknown", 404),
        ("DELETE", "/compat/mem0/v2/entities/{kind}/{person}/", 200),
        ("GET", "/compat/hindsight/v1/default/banks/{person}/profile", 404),
    ]
    assert str(entries[1].memory_id) == kept["id"]
    assert "heliotrope" not in str([(one.detail, one.author) for one in entries])


def test_too_many_and_too_large_are_said_in_json(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for scheme in ("Token", "X-API-Key"):
        mem0 = Compat(key, scheme=scheme)
        large = {**SAID, "messages": [{"role": "user", "content": "x" * 100_000}] * 7}
        assert "640 KiB" in mem0.refused(413, "POST", "/v3/memories/add/", large)
        assert mem0.refused(422, "POST", "/v3/memories/add/", {**SAID, "messages": [{"content": "x" * 60_000}]})
    nobody = Compat("", scheme="X-API-Key")
    assert "64 KiB" in nobody.refused(413, "POST", "/v3/memories/add/", {"messages": "x" * 70_000})
    cache.clear()
    monkeypatch.setattr(auth.key_throttle, "num_requests", 1)
    mem0 = Compat(key)
    mem0.call("GET", "/v1/ping/")
    answer: Any = mem0.send("GET", "/v1/ping/")
    assert (answer.status_code, answer["Content-Type"]) == (429, JSON)
    assert int(answer["Retry-After"]) >= 1
    cache.clear()


def test_bad_input_says_what_to_send(mem0: Compat) -> None:
    search = "/v3/memories/search/"
    deep: Any = {"user_id": "alice"}
    for _ in range(10):
        deep = {"AND": [deep]}
    for filters, said in (
        ({"user_id": "alice", "created_at": {"gte": "soon"}}, "2026-11-20"),
        ({"user_id": {"like": "a"}}, "icontains"),
        ({"user_id": "alice", "metadata": {"a": {"gt": None}}}, "compares with"),
        ({"user_id": "alice", "metadata": {"a": {"gt": 10**400}}}, ""),
        ({"AND": []}, "list of filters"),
        ({"user_id": "x" * 300}, "1 to 190"),
        (deep, "nested"),
        ({"OR": [{"user_id": "alice"}] * 60}, "conditions"),
    ):
        assert said in mem0.refused(422, "POST", search, {"query": "tea", "filters": filters}), filters
    assert "user_id" in mem0.refused(400, "POST", search, {"query": "tea", "filters": {"created_at": {"gte": 0}}})
    assert "JSON" in mem0.refused(422, "GET", "/v1/memories/?filters=open('x')")
    for change in (
        {"expiration_date": "9999-12-31"},
        {"expiration_date": "soon"},
        {"timestamp": 1e300},
        {"user_id": ""},
    ):
        assert mem0.refused(422, "POST", "/v3/memories/add/", {**SAID, **change}), change
    assert "docs/compat.md" in mem0.refused(404, "GET", "/v9/nothing/")
    assert mem0.send("PATCH", "/v1/ping/").status_code == 405


def test_a_key_to_write_is_told_what_it_sent_and_no_more() -> None:
    writes = Compat(ApiKey.issue("writes", scopes=["write"])[1])
    [kept] = writes.call("POST", "/v3/memories/add/", SAID)["results"]
    assert kept["memory"] == "My canary word is heliotrope"
    assert writes.call("PUT", f"/v1/memories/{kept['id']}/", {"metadata": {"a": 1}})["memory"] == ""
