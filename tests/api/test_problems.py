"""Every error is a problem document with the right status, says what to do, and changes no row."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from tests.api.problems import SOMEONE, problem_of
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept")]

Refused = Callable[..., dict[str, Any]]

MISSING: dict[str, tuple[str, str, Any]] = {
    "an unknown path": ("GET", "/nothing/here", None),
    "a path with an emoji": ("GET", "/%F0%9F%98%80", None),
    "a path that is no UTF-8": ("GET", "/%FF%FE", None),
    "a slash too many": ("GET", "/memories/", None),
    "an id that is none": ("GET", "/memories/5", None),
    "an id too long": ("GET", f"/memories/{SOMEONE}0", None),
    "an id of nothing": ("GET", f"/memories/{SOMEONE}", None),
    "the history of nothing": ("GET", f"/memories/{SOMEONE}/history", None),
    "an edit of a missing one": ("PATCH", f"/memories/{SOMEONE}", {"content": "x"}),
    "a correction of a missing one": ("POST", f"/memories/{SOMEONE}/correct", {"content": "x"}),
    "a confirmation of a missing one": ("POST", f"/memories/{SOMEONE}/confirm", {}),
    "a missing one forgotten": ("DELETE", f"/memories/{SOMEONE}", None),
    "a receipt of nothing": ("GET", f"/receipts/{SOMEONE}", None),
    "another's private memory": ("GET", "/memories/{id}?person=bob", None),
    "another's, edited": ("PATCH", "/memories/{id}?person=bob", {"content": "x"}),
    "another's, forgotten": ("DELETE", "/memories/{id}?person=bob", None),
    "a memory for somebody unknown": ("GET", "/memories/{id}?person=nobody", None),
    "somebody unknown": ("GET", "/people/nobody", None),
    "stats of somebody unknown": ("GET", "/people/nobody/stats", None),
}

NOT_ALLOWED: dict[str, tuple[str, str, set[str]]] = {
    "a list deleted": ("DELETE", "/memories", {"GET", "POST"}),
    "a search read": ("GET", "/search", {"POST"}),
    "a memory put": ("PUT", f"/memories/{SOMEONE}", {"GET", "PATCH", "DELETE"}),
    "a receipt posted": ("POST", f"/receipts/{SOMEONE}", {"GET"}),
    "an unheard-of method": ("BREW", "/memories", {"GET", "POST"}),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_is_not_there_is_not_found(case: str, refused: Refused) -> None:
    refused(404, *MISSING[case])


@pytest.mark.parametrize("path", ["/api/v1/memories/x/y", "/api/v2/memories", "/api/", "/api/v1/"])
def test_paths_around_the_api_are_not_found_in_its_words(path: str, api: Api) -> None:
    problem_of(api.client.get(path), 404)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", NOT_ALLOWED)
def test_a_method_that_is_not_possible_tells_those_that_are(case: str, api: Api) -> None:
    method, path, allowed = NOT_ALLOWED[case]
    response = api.call(method, path)
    assert {name.strip() for name in response["Allow"].split(",")} == allowed
    problem_of(response, 405)


@pytest.mark.parametrize("given", ["", "three", '"three"', '"-1"', '"1.0"', '"1", "2"', "{}", '"²"', "9" * 5000])
def test_an_if_match_that_is_no_version_is_bad_input(given: str, refused: Refused) -> None:
    document = refused(422, "PATCH", "/memories/{id}", {"tags": ["x"]}, If_Match=given)
    assert document["errors"][0]["field"] == "If-Match"


@pytest.mark.parametrize("given", ['"2"', '"0"', 'W/"7"', '"999999999999999999"'])
def test_an_if_match_of_another_version_fails(given: str, refused: Refused) -> None:
    refused(412, "PATCH", "/memories/{id}", {"tags": ["x"]}, If_Match=given)


def test_a_replaced_memory_is_in_conflict_with_a_correction(api: Api, refused: Refused, kept: dict[str, Any]) -> None:
    assert api.post(f"/memories/{kept['id']}/correct", {"content": "The dentist is on Friday"}).status_code == 201
    refused(409, "POST", "/memories/{id}/correct", {"content": "The dentist is on Sunday"})


def test_a_host_that_is_not_ours_is_refused_in_the_same_words(key: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {key}", "Host": "evil.example"})
    problem_of(client.get("/api/v1/people/alice"), 400)  # type: ignore[arg-type]


def test_a_crash_is_told_in_the_same_words_and_nothing_more(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("memory_app.api.people.count_memories", crash)
    api.remember("alice", "Alice plays the cello")
    api.client.raise_request_exception = False
    response = api.get("/people/alice/stats")
    problem_of(response, 500)
    assert b"secret" not in response.content


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("23503", 409, "was erased meanwhile. Nothing was changed"),
        ("40P01", 409, "Others were changing the same. Nothing was changed"),
        ("23505", 500, "failed on our side"),
        ("57014", 500, "failed on our side"),
    ],
)
def test_what_others_did_meanwhile_is_a_conflict(
    api: Api, monkeypatch: pytest.MonkeyPatch, code: str, status: int, told: str
) -> None:
    def refused(*args: object, **kwargs: object) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'heliotrope' USING ERRCODE = '{code}'; END $$")

    monkeypatch.setattr("memory_app.api.people.count_memories", refused)
    api.remember("alice", "Alice plays the cello")
    api.client.raise_request_exception = False
    response = api.get("/people/alice/stats")
    assert told in problem_of(response, status)["detail"]
    assert b"heliotrope" not in response.content
