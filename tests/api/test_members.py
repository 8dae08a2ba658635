"""Members of a space: who reads it, who speaks makes, and who is taken out sees no more of it."""

from typing import Any

import pytest

from memory_app.models import ApiKey, Membership, Operation
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

KITCHEN = {"space": "kitchen"}
SEARCH = {"query": "oven", "venue": KITCHEN}


def key(scopes: list[str] | None = None, **grant: Any) -> Api:
    return Api(ApiKey.issue("limited", scopes=scopes or ["read", "write"], **grant)[1])


@pytest.fixture(autouse=True)
def _kitchen(api: Api) -> None:
    """Alice and Bob belong to the kitchen; Mallory is known."""
    api.remember("alice", "The oven is hot", venue=KITCHEN)
    api.remember("bob", "Bob cleans the oven", venue=KITCHEN)
    api.remember("mallory", "Mallory waits")


def names(api: Api, space: str = "kitchen") -> list[str]:
    return [item["person"] for item in api.get(f"/spaces/{space}/members").json()["items"]]


def contents(api: Api, query: str) -> set[str]:
    answer = api.get(f"/memories?{query}")
    assert answer.status_code == 200, answer.content
    return {item["content"] for item in answer.json()["items"]}


def test_members_are_listed_taken_out_and_in_again(api: Api) -> None:
    assert names(api) == ["alice", "bob"]
    assert api.call("DELETE", "/spaces/kitchen/members/alice").status_code == 204
    assert names(api) == ["bob"]
    assert api.call("DELETE", "/spaces/kitchen/members/alice").status_code == 404
    assert api.call("PUT", "/spaces/kitchen/members/alice").json()["person"] == "alice"
    assert names(api) == ["alice", "bob"]
    with every_space():
        told = list(
            Operation.objects.filter(name__in=["remove member", "admit member"])
            .order_by("id")
            .values_list("name", flat=True)
        )
    assert told == ["remove member", "admit member"]


def test_who_was_taken_out_keeps_what_is_theirs_and_sees_no_more_of_the_space(api: Api) -> None:
    alices = key(people=["alice"])
    assert contents(alices, "person=alice&space=kitchen&visible=true") == {"The oven is hot", "Bob cleans the oven"}
    assert contents(alices, "space=kitchen") == {"The oven is hot", "Bob cleans the oven"}
    api.call("DELETE", "/spaces/kitchen/members/alice")
    assert contents(alices, "person=alice&visible=true") == {"The oven is hot"}
    assert contents(alices, "person=alice&space=kitchen&visible=true") == {"The oven is hot"}
    for asks in (api, alices):
        assert asks.post("/search", {"person": "alice", **SEARCH}).status_code == 403
        assert asks.post("/memories", {"person": "alice", "content": "Back", "venue": KITCHEN}).status_code == 403
    assert alices.get("/memories?space=kitchen").status_code == 403
    assert alices.get("/spaces/kitchen/members").status_code == 403


def test_a_talk_that_went_on_there_takes_no_turn_of_who_was_taken_out(api: Api) -> None:
    talk = api.post("/conversations", {"person": "alice", "venue": KITCHEN}).json()["id"]
    turn = {"role": "user", "content": "Hello there"}
    assert api.post(f"/conversations/{talk}/turns", turn).status_code == 201
    api.call("DELETE", "/spaces/kitchen/members/alice")
    assert api.post(f"/conversations/{talk}/turns", turn).status_code == 403


def test_a_key_of_a_person_opens_no_space_where_they_do_not_belong(api: Api) -> None:
    mallorys = key(people=["mallory"])
    for space in ("kitchen", "nowhere!"):
        venue = {"space": space}
        answers = [
            mallorys.post("/search", {"person": "mallory", "query": "oven", "venue": venue}),
            mallorys.post("/context", {"person": "mallory", "query": "oven", "venue": venue}),
            mallorys.post("/commands", {"person": "mallory", "text": "/memories", "venue": venue}),
            mallorys.post("/memories", {"person": "mallory", "content": "Mine", "venue": venue}),
            mallorys.post("/conversations", {"person": "mallory", "venue": venue}),
            mallorys.get(f"/memories?space={space}"),
            mallorys.get(f"/spaces/{space}/members"),
        ]
        assert [answer.status_code for answer in answers] == [403] * len(answers)
    assert names(api) == ["alice", "bob"]
    assert api.get("/spaces/nowhere!/members").status_code == 404


def test_reading_by_name_makes_no_member_and_speaking_does(api: Api) -> None:
    before = Membership.objects.count()
    asked = {"person": "mallory", **SEARCH}
    for asks in (api, key(spaces=["kitchen"])):
        assert asks.post("/search", asked).status_code == 200
        assert asks.post("/searches", asked).status_code == 201
        assert asks.post("/context", asked).status_code == 200
        assert asks.post("/commands", {"person": "mallory", "text": "/memories", "venue": KITCHEN}).status_code == 200
    api.get("/memories?person=mallory&space=kitchen")
    assert Membership.objects.count() == before
    key(spaces=["kitchen"]).remember("mallory", "Mallory speaks", venue=KITCHEN)
    assert names(api) == ["alice", "bob", "mallory"]


def test_only_an_admin_key_takes_members_out(api: Api) -> None:
    assert key().call("DELETE", "/spaces/kitchen/members/alice").status_code == 403
    admin = ["read", "write", "admin"]
    assert key(admin, people=["bob"]).call("DELETE", "/spaces/kitchen/members/alice").status_code == 403
    assert key(admin, spaces=["garage"]).call("DELETE", "/spaces/kitchen/members/alice").status_code == 403
    assert key(admin, people=["mallory"]).call("PUT", "/spaces/kitchen/members/mallory").status_code == 403
    assert names(api) == ["alice", "bob"]


def test_a_list_of_a_person_holds_their_own_unless_all_they_see_is_asked_for(api: Api) -> None:
    api.remember("bob", "The shop opens at nine", visibility="everyone")
    assert contents(api, "person=alice") == {"The oven is hot"}
    assert contents(api, "person=alice&space=kitchen") == {"The oven is hot"}
    assert contents(api, "person=alice&visible=true") == {"The oven is hot", "The shop opens at nine"}


def test_a_key_of_a_space_neither_forgets_nor_replaces_what_lives_elsewhere(api: Api) -> None:
    kitchens = key(spaces=["kitchen"])
    hers = api.remember("alice", "My favourite colour is blue", visibility="global", key="colour")
    for utterance in ("forget about my favourite colour", "forget that", "forget everything"):
        asked = kitchens.post("/forget", {"person": "alice", "venue": KITCHEN, "utterance": utterance}).json()
        assert hers["id"] not in str(asked)
        assert "colour" not in asked["message"]
        if asked["token"]:
            kitchens.post("/forget/confirm", {"person": "alice", "token": asked["token"], "choice": "yes"})
    other = {"person": "alice", "venue": KITCHEN, "content": "My favourite colour is red", "key": "colour"}
    assert kitchens.post("/memories", {**other, "visibility": "global"}).status_code == 403
    assert kitchens.post("/memories", other).status_code == 201
    paused = kitchens.post("/commands", {"person": "alice", "venue": KITCHEN, "text": "/memory pause"})
    assert paused.status_code == 403
    assert api.get("/people/alice").json()["memory_enabled"] is True
    kept = api.get(f"/memories/{hers['id']}").json()
    assert (kept["status"], kept["version"], kept["source_count"]) == ("active", hers["version"], 1)
