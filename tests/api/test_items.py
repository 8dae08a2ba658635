"""Items under namespaces: read, stored, searched, filtered, listed and expired, by nobody but their person."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import override_settings

from memory_app.engine.erasure.purge import purge_expired
from memory_app.models import ApiKey, Item, Operation, Person
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
PREFERENCES = ["memories", "preferences"]


def run(api: Api, *operations: dict[str, Any], status: int = 200, **body: Any) -> Any:
    answer = api.post("/items/batch", {"person": "alice", **body, "operations": list(operations)})
    assert answer.status_code == status, answer.content
    return answer.json()["results"] if status == 200 else answer.json()


def put(key: str, value: Any, namespace: list[str] = PREFERENCES, **more: Any) -> dict[str, Any]:
    return {"op": "put", "namespace": namespace, "key": key, "value": value, **more}


def get(key: str, namespace: list[str] = PREFERENCES, **more: Any) -> dict[str, Any]:
    return {"op": "get", "namespace": namespace, "key": key, **more}


def search(**more: Any) -> dict[str, Any]:
    return {"op": "search", **more}


def keys(answer: dict[str, Any]) -> list[str]:
    return [item["key"] for item in answer["items"]]


def test_operations_are_answered_in_order_and_see_those_before_them(api: Api) -> None:
    first, stored, second, replaced, third, gone, fourth = run(
        api,
        get("tea"),
        put("tea", {"drink": "green tea"}),
        get("tea"),
        put("tea", {"drink": "black tea"}),
        get("tea"),
        put("tea", None),
        get("tea"),
    )
    assert (first["item"], fourth["item"]) == (None, None)
    assert (stored["version"], replaced["version"]) == (1, 2)
    assert (second["item"]["value"], third["item"]["value"]) == ({"drink": "green tea"}, {"drink": "black tea"})
    assert (second["item"]["namespace"], second["item"]["person"]) == (PREFERENCES, "alice")
    assert (gone["deleted"], gone["version"]) == (True, None)


def test_of_a_key_that_is_put_twice_at_once_the_last_value_stands(api: Api) -> None:
    run(api, put("tea", {"drink": "green tea"}), put("tea", {"drink": "white tea"}))
    assert run(api, get("tea"))[0]["item"]["value"] == {"drink": "white tea"}


def test_items_are_found_by_meaning_and_words_weak_matches_too(api: Api) -> None:
    run(
        api,
        put("tea", {"text": "drinks green tea"}),
        put("code", {"text": "the gate opens with XJ-42"}),
        put("hidden", {"text": "green tea"}, index=False),
        put("title", {"title": "Green tea", "text": "boat"}, index=["title"]),
        put("parts", {"parts": [{"text": "bread"}, {"text": "green tea"}]}, index=["parts[*].text"]),
    )
    [found] = run(api, search(query="green tea", prefix=["memories"]))
    assert {*keys(found)} == {"tea", "code", "title", "parts"}
    assert {*keys(found)[:2]} == {"title", "parts"}
    assert found["items"][0]["score"] > found["items"][-1]["score"]
    [by_code] = run(api, search(query="XJ-42", limit=1))
    assert keys(by_code) == ["code"]
    [boat] = run(api, search(query="boat", limit=4))
    assert boat["items"][0]["score"] < 0.5


FILTERED: dict[str, tuple[dict[str, Any], set[str]]] = {
    "equal": ({"kind": "book"}, {"one", "two"}),
    "within": ({"author": {"name": "Ida"}}, {"one"}),
    "a list": ({"tags": ["a", "b"]}, {"one"}),
    "greater": ({"pages": {"$gt": 100}}, {"two"}),
    "at least and below": ({"pages": {"$gte": 90, "$lt": 200}}, {"one"}),
    "at most": ({"pages": {"$lte": 90}}, {"one"}),
    "other than": ({"kind": {"$ne": "book"}}, {"three"}),
    "equal, spelt out": ({"pages": {"$eq": 90}}, {"one"}),
    "texts are ordered": ({"title": {"$gt": "M"}}, {"two"}),
    "a text is no number": ({"title": {"$gt": 1}}, set()),
    "missing is null": ({"pages": None}, {"three"}),
    "both": ({"kind": "book", "pages": 300}, {"two"}),
    "a name with quotes": ({"o'\"dd": 1}, {"three"}),
}


@pytest.mark.parametrize("case", FILTERED)
def test_items_are_filtered(case: str, api: Api) -> None:
    run(
        api,
        put("one", {"kind": "book", "pages": 90, "title": "Alps", "author": {"name": "Ida"}, "tags": ["a", "b"]}),
        put("two", {"kind": "book", "pages": 300, "title": "Zoo", "author": {"name": "Max"}, "tags": ["b"]}),
        put("three", {"kind": "film", "o'\"dd": 1}),
    )
    given, wanted = FILTERED[case]
    [found] = run(api, search(filter=given))
    assert {*keys(found)} == wanted


def test_prefixes_are_whole_labels_and_without_a_query_the_latest_comes_first(api: Api) -> None:
    for number, namespace in enumerate((["a"], ["a", "b"], ["ab"], ["a%", "_"])):
        with time_machine.travel(NOON + timedelta(minutes=number), tick=False):
            run(api, put("k", {"n": number}, namespace))
    [found, rest] = run(api, search(prefix=["a"]), search(limit=2, offset=2))
    assert [item["namespace"] for item in found["items"]] == [["a", "b"], ["a"]]
    assert [item["namespace"] for item in rest["items"]] == [["a", "b"], ["a"]]


def test_namespaces_are_listed_by_their_ends_and_depth(api: Api) -> None:
    for namespace in (["a", "b", "c"], ["a", "x", "c"], ["a", "b", "d"], ["b"]):
        run(api, put("k", {}, namespace))
    listed = {"op": "list_namespaces"}
    answers = run(
        api,
        listed,
        {**listed, "prefix": ["a"], "max_depth": 2},
        {**listed, "suffix": ["c"]},
        {**listed, "prefix": ["a", "*", "c"]},
        {**listed, "limit": 1, "offset": 3},
    )
    assert [answer["namespaces"] for answer in answers] == [
        [["a", "b", "c"], ["a", "b", "d"], ["a", "x", "c"], ["b"]],
        [["a", "b"], ["a", "x"]],
        [["a", "b", "c"], ["a", "x", "c"]],
        [["a", "b", "c"], ["a", "x", "c"]],
        [["b"]],
    ]


def test_an_item_is_there_for_its_time_and_being_read_begins_that_anew(api: Api) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        run(api, put("short", {"n": 1}, ttl=10), put("long", {"n": 2}))
        clock.shift(timedelta(minutes=8))
        assert run(api, get("short"))[0]["item"]["expires_at"] == "2026-11-20T12:18:00Z"
        clock.shift(timedelta(minutes=8))
        assert len(run(api, search(refresh_ttl=False))[0]["items"]) == 2
        clock.shift(timedelta(minutes=4))
        answers = run(api, get("short"), search(), {"op": "list_namespaces"}, search(query="1"))
        assert (answers[0]["item"], keys(answers[1]), keys(answers[3])) == (None, ["long"], ["long"])
        assert run(api, put("short", {"n": 3}))[0]["version"] == 1
        run(api, put("short", {"n": 3}, ttl=1))
        clock.shift(timedelta(minutes=2))
        assert purge_expired(NOON + timedelta(minutes=40)).rows["items"] == 1


def test_a_label_of_the_namespace_names_the_person(api: Api) -> None:
    hers, his = ["memories", "alice"], ["memories", "bob"]
    body: dict[str, Any] = {"person": None, "person_label": 1}
    run(api, put("k", {"whose": "alice"}, hers), put("k", {"whose": "bob"}, his), **body)
    found = run(api, get("k", his), search(prefix=hers), search(prefix=["memories", "nobody"]), **body)
    assert found[0]["item"]["person"] == "bob"
    assert [item["value"] for item in found[1]["items"]] == [{"whose": "alice"}]
    assert found[2]["items"] == []
    assert run(api, search())[0]["items"] == found[1]["items"]
    assert not Person.objects.filter(name="nobody").exists()
    assert "label 1" in run(api, search(prefix=["memories"]), status=422, **body)["detail"]
    assert run(api, search(prefix=["memories"]), person_label=1)[0]["items"] == found[1]["items"]
    assert run(api, get("k"), status=422, person=None)["title"] == "Bad input"


def test_nobody_reads_or_writes_the_items_of_another(api: Api) -> None:
    run(api, put("k", {"secret": "swan"}))
    bobs = Api(ApiKey.issue("bob", scopes=["read", "write"], people=["bob"])[1])
    assert run(bobs, get("k"), person="bob")[0]["item"] is None
    assert run(bobs, get("k"), status=403) == run(bobs, get("k"), status=403)
    assert run(bobs, put("k", {}), status=403, person=None, person_label=0)["status"] == 403
    kitchen = Api(ApiKey.issue("kitchen", scopes=["read", "write"], spaces=["kitchen"])[1])
    assert run(kitchen, get("k"), status=403)["status"] == 403


def test_reading_and_writing_take_their_scopes(api: Api) -> None:
    reads, writes = (Api(ApiKey.issue("k", scopes=[scope])[1]) for scope in ("read", "write"))
    assert run(reads, put("k", {}), status=403)["status"] == 403
    assert run(writes, put("k", {}))[0]["version"] is None
    assert run(writes, put("k", {}), get("k"), status=403)["status"] == 403
    assert run(reads, get("k"))[0]["item"]["version"] == 1


REFUSED: dict[str, dict[str, Any]] = {
    "no namespace": put("k", {}, []),
    "an empty label": put("k", {}, [""]),
    "too many labels": put("k", {}, ["a"] * 11),
    "a value that is no object": put("k", [1]),
    "a value too large": put("k", {"text": "x" * 100_001}),
    "NUL": put("k", {"text": "a\x00"}),
    "no time": put("k", {}, ttl=0),
    "an unknown operator": search(filter={"a": {"$near": 1}}),
    "an operator of nothing": search(filter={"$gt": 1}),
    "order of a list": search(filter={"a": {"$gt": [1]}}),
    "an unknown operation": {"op": "drop"},
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_operations_are_refused_and_none_of_the_others_happens(case: str, api: Api) -> None:
    answer = run(api, put("good", {"n": 1}), REFUSED[case], status=422)
    assert answer["errors"][0]["message"]
    with every_space():
        assert not Item.objects.exists()


def test_items_have_a_limit_and_memory_can_be_switched_off(api: Api) -> None:
    with override_settings(KEEPSAKE_ITEMS=2):
        run(api, put("one", {}), put("two", {}))
        assert "more than 2 items" in run(api, put("three", {}), status=409)["detail"]
        run(api, put("one", {"n": 1}), put("two", None), put("three", None))
    with override_settings(KEEPSAKE_MEMORY=False):
        run(api, put("one", {"n": 2}), status=409)
        assert run(api, put("one", None))[0]["deleted"] is True


def test_the_same_request_again_changes_nothing_and_what_was_done_is_logged(api: Api) -> None:
    body = {"person": "alice", "operations": [put("k", {"n": 1}), put("gone", None)]}
    first, second = (api.post("/items/batch", body, Idempotency_Key="one").json() for _ in range(2))
    assert first == second
    run(api, put("k", None))
    with every_space():
        entries = [(row.name, row.detail) for row in Operation.objects.exclude(name="request").order_by("id")]
    assert entries == [("put_items", {"items": 1}), ("delete_items", {"items": 1})]
