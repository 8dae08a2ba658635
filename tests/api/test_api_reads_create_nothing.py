"""Reading brings nobody and nothing into being, whatever the key may do besides, and finds what there is."""

from typing import Any

import pytest

from memory_app.models import ApiKey, Channel, Membership, Person, Receipt, Search, Space
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bobs")]

PLACES: list[dict[str, Any] | None] = [
    None,
    {"space": "attic"},
    {"space": "attic", "channel": "loft", "restricted": True},
    {"space": "kitchen"},
    {"space": "kitchen", "channel": "loft"},
    {"space": "kitchen", "channel": "cooks", "restricted": True},
]


@pytest.fixture(scope="module")
def bobs(module_api: Api) -> None:
    """Bob has been in the kitchen, and everyone may know when the office is shut."""
    kitchen = {"space": "kitchen", "channel": "cooks"}
    module_api.remember("bob", "Soup is on Tuesdays", venue=kitchen, visibility="space")
    module_api.remember("bob", "Bob plays the cello")
    module_api.remember("bob", "The office is shut on Friday", visibility="everyone")


@pytest.fixture(params=[["read"], ["read", "write", "admin"]])
def reader(request: pytest.FixtureRequest, bobs: None, db: None) -> Api:
    _, token = ApiKey.issue("reader", scopes=request.param)
    return Api(token)


def there() -> list[Any]:
    with every_space():
        rows = [model.objects.count() for model in (Person, Space, Membership, Channel, Receipt, Search)]
        return [*rows, list(Channel.objects.values_list("name", "restricted"))]


@pytest.mark.parametrize("venue", PLACES)
@pytest.mark.parametrize("person", ["nobody", "bob"])
def test_reading_leaves_nobody_and_no_place_behind(reader: Api, person: str, venue: dict[str, Any] | None) -> None:
    before = there()
    asked = {"person": person, "venue": venue, "query": "when is the office shut?"}
    found = reader.post("/search", asked).json()
    assert found["results"][0]["memory"]["content"] == "The office is shut on Friday"
    briefed = reader.post("/context", asked).json()
    assert "The office is shut on Friday" in briefed["text"]
    assert (briefed["receipt"] is None) == (person == "nobody")
    narrowed = reader.post("/searches", asked)
    assert (narrowed.status_code, narrowed.json()["has_more"]) == (201, False)
    assert reader.post("/commands", {"person": person, "venue": venue, "text": "/memory"}).status_code == 200
    after = there()
    if person == "bob":  # who is known has their receipts and searches kept
        assert 1 <= after[4] - before[4] <= 2  # of the brief, and of what the command told, if it told anything
        assert after[5] - before[5] == 1
        before[4:6] = after[4:6]
    assert after == before


def test_a_stranger_in_a_space_sees_what_the_key_may_see_there(reader: Api) -> None:
    asked = {"person": "nobody", "venue": {"space": "kitchen"}, "query": "soup on Tuesdays"}
    found = reader.post("/search", asked).json()["results"]
    assert found[0]["memory"]["content"] == "Soup is on Tuesdays"
    assert "Bob plays the cello" not in {result["memory"]["content"] for result in found}


def test_a_stranger_s_search_cannot_go_on(reader: Api) -> None:
    search = reader.post("/searches", {"person": "nobody", "query": "office"}).json()["id"]
    assert reader.post(f"/searches/{search}/reply", {"text": "1"}).status_code == 404


READS = [
    "/entities?person=nobody",
    "/memories?person=nobody",
    "/proposals?person=nobody",
    "/people/nobody",
    "/people/nobody/export",
    "/people/nobody/notes/2026-11-20",
    "/people/nobody/profile.md",
    "/people/nobody/stats",
]


@pytest.mark.parametrize("path", READS)
def test_what_is_read_of_nobody_is_empty_or_not_there(reader: Api, path: str) -> None:
    before = there()
    answer = reader.get(path)
    assert (answer.status_code, answer.json().get("items")) in [(200, []), (404, None)]
    assert there() == before


@pytest.mark.parametrize("path", [path.replace("nobody", "{}") for path in READS])
def test_a_key_of_someone_else_is_not_told_who_there_is(reader: Api, path: str) -> None:
    _, token = ApiKey.issue("of carol", scopes=["read", "write"], people=["carol"])
    known, unknown = (Api(token).get(path.format(name)) for name in ("bob", "eve"))
    assert known.status_code == unknown.status_code == 403
    assert known.content.replace(b"bob", b"eve") == unknown.content
    body = {"query": "office", "text": "/memory"}
    for call, field in (("/search", "query"), ("/context", "query"), ("/searches", "query"), ("/commands", "text")):
        told = [Api(token).post(call, {"person": name, field: body[field]}) for name in ("bob", "eve")]
        assert [answer.status_code for answer in told] == [403, 403]
        assert told[0].content.replace(b"bob", b"eve") == told[1].content


def test_a_key_that_writes_brings_into_being_what_it_writes_for(api: Api) -> None:
    api.remember("alice", "I keep bees", venue={"space": "attic", "channel": "loft"})
    assert api.get("/people/alice").status_code == 200
    with every_space():
        assert [channel.name for channel in Channel.objects.filter(space__name="attic")] == ["loft"]


def test_what_is_beyond_the_grant_stays_so(reader: Api) -> None:
    _, token = ApiKey.issue("of bob", scopes=["read"], people=["bob"])
    assert Api(token).post("/search", {"person": "nobody", "query": "office"}).status_code == 403
