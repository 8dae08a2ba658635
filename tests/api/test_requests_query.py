"""What stands in a URL, and HEAD: an unknown parameter is named, an empty question refused, and no body is sent."""

from typing import Any

import pytest
import time_machine

from memory_app.api import api as keepsake_api
from tests.api.problems import problem_of
from tests.conftest import Api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("method", "path", "unknown"),
    [
        ("GET", "/memories?person=alice&typ=fact", "typ"),
        ("GET", "/memories?person=alice&Type=fact", "Type"),
        ("GET", "/proposals?person=alice&state=pending", "state"),
        ("GET", "/people/alice?full=1", "full"),
        ("GET", "/admin/logs?operation=edit&limit=5&user=bob", "user"),
        ("POST", "/search?limit=3", "limit"),
        ("POST", "/memories?person=alice", "person"),
    ],
)
def test_a_parameter_that_a_path_does_not_take_is_named(api: Api, method: str, path: str, unknown: str) -> None:
    api.remember("alice", "Alice plays the cello")
    body = {"person": "alice", "query": "cello"} if "search" in path else {"person": "alice", "content": "Tea"}
    problem = problem_of(api.call(method, path, None if method == "GET" else body), 422)
    assert problem["errors"][0]["field"] == unknown


def test_who_asks_may_be_said_with_every_read(api: Api) -> None:
    assert api.get("/people/alice/stats?person=alice&space=kitchen").status_code == 404
    api.remember("alice", "Alice plays the cello")
    assert api.get("/people/alice/stats?person=alice&space=kitchen").status_code == 200


def test_the_refusal_names_those_that_there_are(api: Api) -> None:
    problem = problem_of(api.get("/entities?person=alice&kind=person"), 422)
    assert problem["detail"].startswith("There is no such query parameter here; these are: ")
    assert "type" in problem["detail"]
    assert problem_of(api.post("/journal?x=1", {"person": "alice", "text": "Hm"}), 422)["detail"] == (
        "This path takes no query parameters."
    )


def test_every_parameter_that_is_documented_is_taken(api: Api) -> None:
    document = keepsake_api.get_openapi_schema()
    listed = document["paths"]["/api/v1/memories"]["get"]["parameters"]
    given = {"person": "alice", "space": "kitchen", "type": "fact", "category": "fact", "status": "active"}
    given |= {"tag": "x", "entity": "Anna", "since": "2026-01-01", "until": "2026-01-01", "order": "newest"}
    given |= {"limit": "5", "cursor": "", "visible": "true", "attributes": '{"p": 1}', "visibility": "private"}
    given |= {"types": "fact", "categories": "fact", "tags": "x", "all_tags": "x", "entities": "Anna"}
    assert {parameter["name"] for parameter in listed} == set(given)
    asked = "&".join(f"{name}={value}" for name, value in given.items() if value)
    assert api.get(f"/memories?{asked}").status_code == 200


def test_a_list_is_narrowed_by_filters_in_its_address(api: Api) -> None:
    for content, tags in (("Paint the hall with Anna", ["a", "b"]), ("Sweep the shed", ["a"])):
        given = {"type": "task", "tags": tags, "attributes": {"n": len(tags)}}
        api.post("/memories", {"person": "alice", "content": content, **given})
    named = "entities=anna&types=fact&types=task"
    for asked in ("tags=b&tags=c", "all_tags=a&all_tags=b", named, 'attributes={"n": 2}'):
        listed = api.get(f"/memories?person=alice&{asked}").json()["items"]
        assert [one["content"] for one in listed] == ["Paint the hall with Anna"], asked


def test_a_filter_that_means_nothing_says_what_to_write(api: Api) -> None:
    listed = api.get('/memories?person=alice&attributes={"n": {"gte": [1]}}')
    searched = api.post("/context", {"person": "alice", "query": "x", "attributes": {"n": {"gte": [1]}}})
    for answer in (listed, searched):
        assert answer.status_code == 422
        [error] = answer.json()["errors"]
        assert error["message"] == "attributes.n.gte: compare with a number or a text"


def test_whoever_may_not_ask_is_not_told_what_is_known() -> None:
    assert Api("no key").get("/memories?typ=fact").status_code == 401


@pytest.mark.parametrize("query", ["", "   ", "\n"])
@pytest.mark.parametrize("path", ["/search", "/searches"])
def test_an_empty_question_is_refused(api: Api, path: str, query: str) -> None:
    api.remember("alice", "Alice plays the cello")
    problem = problem_of(api.post(path, {"person": "alice", "query": query}), 422)
    assert problem["errors"] == [{"field": "query", "message": "is empty: say what to look for"}]


@time_machine.travel("2026-11-20T12:00:00Z", tick=False)
@pytest.mark.parametrize(
    ("day", "status"),
    [("2026-11-20", 201), ("2026-11-21", 201), ("2026-11-22", 422), ("9999-12-31", 422), ("0001-01-01", 422)],
)
def test_a_day_that_nobody_can_tell_of_yet_is_refused(api: Api, day: str, status: int) -> None:
    assert api.post("/journal", {"person": "alice", "text": "We sailed", "date": day}).status_code == status
    assert api.post(f"/people/alice/notes/{day}", {"text": "We sailed"}).status_code == status
    meeting = {"person": "alice", "title": "Crew", "summary": "We sailed", "held_at": f"{day}T12:00:00Z"}
    assert api.post("/meetings", meeting).status_code == status


@time_machine.travel("2026-11-20T12:00:00Z", tick=False)
def test_the_refusal_of_a_day_ahead_says_which_days_may_be_given(api: Api) -> None:
    problem = problem_of(api.post("/people/alice/notes/2026-12-24", {"text": "We sailed"}), 422)
    assert [error["field"] for error in problem["errors"]] == ["date"]
    assert "2026-12-24 lies ahead: give a day up to today, 2026-11-20." in problem["errors"][0]["message"]


@pytest.mark.parametrize("path", ["/memories?person=alice", "/people/alice", "/memories/{id}", "/openapi.json"])
def test_head_answers_as_get_without_a_body(api: Api, path: str) -> None:
    kept: dict[str, Any] = api.remember("alice", "Alice plays the cello")
    path = path.format(id=kept["id"])
    get, head = api.get(path), api.call("HEAD", path)
    assert (
        (head.status_code, head["Content-Type"]) == (get.status_code, get["Content-Type"]) == (200, get["Content-Type"])
    )
    assert head["Content-Length"] == str(len(get.content))
    assert head.content == b""


def test_head_of_what_is_not_there_or_takes_no_get_says_so(api: Api) -> None:
    assert api.call("HEAD", "/memories/00000000-0000-7000-8000-00000000abcd").status_code == 404
    assert api.call("HEAD", "/search").status_code == 405
    assert Api("no key").call("HEAD", "/people/alice").status_code == 401


def test_no_text_in_an_address_fails_on_our_side(api: Api) -> None:
    """What the database cannot store is refused wherever a parameter takes text."""
    api.remember("alice", "Alice plays the cello")
    asked = 0
    for path, operations in keepsake_api.get_openapi_schema()["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", []):
            if parameter["in"] == "query" and "{" not in path:
                asked += 1
                answer = api.get(f"{path.removeprefix('/api/v1')}?person=alice&{parameter['name']}=a%00b")
                assert answer.status_code < 500, (path, parameter["name"])
    assert asked > 30
