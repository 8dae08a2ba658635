"""Entities over the API: listed and told as far as their memories are seen; merged, parted, and both undone."""

from typing import Any

import pytest

from memory_app.models import ApiKey, Entity
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

KITCHEN = {"space": "kitchen"}
COOKS = {"space": "kitchen", "channel": "cooks", "restricted": True}


def listed(api: Api, query: str = "person=alice") -> dict[str, int]:
    """The names of a list, in order, with how many memories speak of them."""
    answer = api.get(f"/entities?{query}")
    assert answer.status_code == 200, answer.content
    return {item["name"]: item["mention_count"] for item in answer.json()["items"]}


def id_of(api: Api, name: str, person: str = "alice") -> str:
    items = api.get(f"/entities?person={person}&limit=200").json()["items"]
    return str(next(item["id"] for item in items if item["name"] == name))


def told(api: Api, name: str, person: str = "alice") -> dict[str, Any]:
    answer = api.get(f"/entities/{id_of(api, name, person)}?person={person}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_the_most_mentioned_come_first_and_can_be_searched_and_narrowed(api: Api) -> None:
    api.remember("alice", "I met Anna in Lisbon.")
    api.remember("alice", "Anna, my sister, bakes.")
    api.remember("alice", "My friend Bob plays chess.")
    assert next(iter(listed(api).items())) == ("Anna", 2)
    assert listed(api, "person=alice&type=location") == {"Lisbon": 1}
    assert listed(api, "person=alice&q=ann") == {"Anna": 2}
    assert listed(api, "person=alice&q=tell%20me%20everything%20about%20Anna") == {"Anna": 2}
    assert listed(api, "person=alice&q=What%20do%20you%20know%20about%20Bob%3F") == {"Bob": 1}
    assert listed(api, "person=alice&q=%25") == {}
    assert api.get("/entities").status_code == 422
    assert listed(api, "person=nobody") == {}


def test_pages_follow_each_other_and_hold_everyone_once(api: Api) -> None:
    for name in ("Anna", "Bob", "Carla", "Diego", "Elena"):
        api.remember("alice", f"My friend {name} called about the {name.lower()} thing.")
    names: list[str] = []
    cursor = ""
    while cursor is not None:
        answer = api.get(f"/entities?person=alice&type=person&limit=2&cursor={cursor}").json()
        names += [item["name"] for item in answer["items"]]
        cursor = answer["next_cursor"]
    assert names == ["Anna", "Bob", "Carla", "Diego", "Elena"]


@pytest.mark.parametrize("cursor", ["x", "W10=", "WzEsMiwzLDRd", "eyJhIjoxfQ=="])
def test_a_cursor_that_is_none_of_ours_is_refused(api: Api, cursor: str) -> None:
    api.remember("alice", "I met Anna in Lisbon.")
    assert api.get(f"/entities?person=alice&cursor={cursor}").status_code == 422


def test_an_entity_tells_all_that_is_known_of_it(api: Api) -> None:
    api.remember("alice", "I met my friend José in Lisbon.")
    api.remember("alice", "My friend JOSE likes tea.")
    found = told(api, "José")
    assert (found["type"], found["mention_count"], found["aliases"]) == ("person", 2, ["JOSE"])
    assert [memory["content"] for memory in found["memories"]] == [
        "My friend JOSE likes tea.", "I met my friend José in Lisbon.",
    ]  # fmt: skip
    assert [other["name"] for other in found["related"]] == ["Lisbon"]
    assert found["summary"].startswith("In 2 memories of ")
    assert found["summary"].endswith(", with Lisbon.")


def test_memories_are_listed_by_whom_they_speak_of(api: Api) -> None:
    api.remember("alice", "I met Anna in Lisbon.")
    api.remember("alice", "We flew to Lisbon.")
    by_id = api.get(f"/memories?person=alice&entity={id_of(api, 'Anna')}").json()["items"]
    by_name = api.get("/memories?person=alice&entity=LISBON").json()["items"]
    assert [memory["content"] for memory in by_id] == ["I met Anna in Lisbon."]
    assert len(by_name) == 2
    assert api.get("/memories?person=alice&entity=Zoe").json()["items"] == []


def test_who_sees_no_memory_of_it_finds_no_entity(api: Api) -> None:
    api.remember("bob", "I met Anna in Lisbon.", venue=COOKS)
    api.remember("bob", "My boss Zorblax is loud.")
    api.remember("alice", "I met Anna in Rome.", venue=KITCHEN)
    assert set(listed(api)) == {"Anna", "Rome"}
    assert set(listed(api, "person=alice&space=kitchen")) == {"Anna", "Rome"}
    theirs = id_of(api, "Zorblax", "bob")
    assert api.get(f"/entities/{theirs}?person=alice").status_code == 404
    assert api.get(f"/entities/{theirs}?person=bob").status_code == 200
    assert told(api, "Anna")["mention_count"] == 1


def test_what_is_said_in_a_shared_space_is_one_with_ones_own(api: Api) -> None:
    api.remember("bob", "Anna cooks on Fridays.", venue=KITCHEN)
    api.remember("alice", "I saw my friend Anna.", venue=KITCHEN)
    api.remember("alice", "My friend Anna owes me money for the tickets to Rome.")
    in_private = api.get("/entities?person=alice&q=anna").json()["items"]
    asked_of_the_space = api.get("/entities?person=alice&q=anna&space=kitchen").json()["items"]
    assert [item["mention_count"] for item in in_private] == [2]
    assert [item["mention_count"] for item in asked_of_the_space] == [3]


def test_an_entity_of_nothing_but_forgotten_memories_is_gone_until_one_comes_back(api: Api) -> None:
    memory = api.remember("alice", "I met Anna in Lisbon.")
    anna = id_of(api, "Anna")
    api.call("DELETE", f"/memories/{memory['id']}?person=alice")
    assert listed(api) == {}
    assert api.get(f"/entities/{anna}?person=alice").status_code == 404
    api.post(f"/admin/memories/{memory['id']}/restore", {})
    assert listed(api)["Anna"] == 1


def test_what_was_superseded_is_no_mention_until_it_holds_again(api: Api) -> None:
    api.remember("alice", "I met Anna in Lisbon.")
    said = api.remember("alice", "My friend Anna lives in Porto.")
    assert listed(api) == {"Anna": 2, "Lisbon": 1, "Porto": 1}
    api.post(f"/memories/{said['id']}/correct", {"content": "My friend Anna lives in Faro."})
    assert listed(api) == {"Anna": 2, "Faro": 1, "Lisbon": 1}
    assert {memory["content"] for memory in told(api, "Anna")["memories"]} == {
        "My friend Anna lives in Faro.",
        "I met Anna in Lisbon.",
    }


def say(api: Api, person: str, *texts: str, venue: dict[str, Any] | None = None) -> None:
    talk = api.post("/conversations", {"person": person, "venue": venue}).json()["id"]
    answer = api.post(f"/conversations/{talk}/turns", {"turns": [{"role": "user", "content": one} for one in texts]})
    assert answer.status_code == 201, answer.content


def said_of(api: Api, name: str, person: str = "alice") -> list[str]:
    found = told(api, name, person)
    assert found["turn_count"] == len(found["turns"])
    return [turn["content"] for turn in found["turns"]]


def test_what_was_said_of_it_is_told_the_latest_first(api: Api) -> None:
    api.remember("alice", "My friend Anna bakes.")
    say(api, "alice", "I called ANNA.", "Annabel is another.", "Who knows?", "Is Anna's oven new?")
    assert said_of(api, "Anna") == ["Is Anna's oven new?", "I called ANNA."]


def test_what_was_said_of_any_of_its_names_is_said_of_it(api: Api) -> None:
    api.remember("alice", "My friend Robert Smith called.")
    api.remember("alice", "My friend Bobby is loud.")
    say(api, "alice", "Bobby came late.", "Robert Smith left.")
    api.post(f"/entities/{id_of(api, 'Bobby')}/merge?person=alice", {"into": id_of(api, "Robert Smith")})
    assert said_of(api, "Robert Smith") == ["Robert Smith left.", "Bobby came late."]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lea@tiles.example", "Write to <mailto:lea@tiles.example>!"),  # no words that the text search keeps apart
        ("Jean-Luc O'Brien", "Is it Jean-Luc O'Brien's?"),
        ("Anna Müller", "ANNA MÜLLER sang"),
        ("Mary Barnes", "Ask Mary Barnes-Smith."),
    ],
)
def test_any_name_is_found_in_what_was_said(api: Api, name: str, said: str) -> None:
    api.remember("alice", f"My friend {name} bakes.")
    say(api, "alice", said, "Nobody came.", "Anna and Mary are back.")
    assert said_of(api, name) == [said]


def test_what_was_said_in_another_language_is_found_by_its_words(api: Api) -> None:
    api.call("PATCH", "/people/bob", {"language": "german"})
    api.remember("alice", "My friend Anna Bürger bakes.", venue=KITCHEN)
    say(api, "bob", "Anna Bürger kommt.", venue=KITCHEN)
    anna = id_of(api, "Anna Bürger")
    turns = api.get(f"/entities/{anna}?person=alice&space=kitchen").json()["turns"]
    assert [turn["content"] for turn in turns] == ["Anna Bürger kommt."]


def test_what_others_said_is_told_to_whoever_may_see_it(api: Api) -> None:
    api.remember("alice", "My friend Anna bakes.", venue=KITCHEN)
    api.remember("bob", "My friend Anna sings.")
    say(api, "bob", "Anna was here.")
    assert said_of(api, "Anna") == []
    say(api, "bob", "Anna baked a cake.", venue=KITCHEN)
    anna = id_of(api, "Anna")
    in_private, in_the_space = (
        api.get(f"/entities/{anna}?person=alice{of}").json()["turns"] for of in ("", "&space=kitchen")
    )
    assert in_private == []
    assert [turn["content"] for turn in in_the_space] == ["Anna baked a cake."]


def test_two_names_of_one_person_are_merged_and_taken_apart_again(api: Api) -> None:
    api.remember("alice", "My friend Robert Smith called.")
    api.remember("alice", "My friend Bobby is back from Rome.")
    before = listed(api)
    bobby, robert = id_of(api, "Bobby"), id_of(api, "Robert Smith")
    merged = api.post(f"/entities/{bobby}/merge?person=alice", {"into": robert})
    assert (merged.status_code, merged.json()["mention_count"]) == (200, 2)
    found = told(api, "Robert Smith")
    assert (found["aliases"], [other["name"] for other in found["merged"]]) == (["Bobby"], ["Bobby"])
    assert len(api.get("/memories?person=alice&entity=bobby").json()["items"]) == 2
    assert api.get(f"/entities/{bobby}?person=alice").json()["name"] == "Robert Smith"
    assert api.post(f"/entities/{bobby}/unmerge?person=alice", {}).json()["name"] == "Bobby"
    assert listed(api) == before


def test_what_came_along_in_a_merge_goes_along_when_it_is_undone(api: Api) -> None:
    for name in ("Robert Smith", "Bobby", "Bertie"):
        api.remember("alice", f"My friend {name} called about {name}.")
    ids = {name: id_of(api, name) for name in ("Robert Smith", "Bobby", "Bertie")}
    api.post(f"/entities/{ids['Bertie']}/merge?person=alice", {"into": ids["Bobby"]})
    api.post(f"/entities/{ids['Bobby']}/merge?person=alice", {"into": ids["Robert Smith"]})
    assert listed(api) == {"Robert Smith": 3}
    api.post(f"/entities/{ids['Bobby']}/unmerge?person=alice", {})
    assert listed(api) == {"Bobby": 2, "Robert Smith": 1}


def test_two_people_of_one_name_are_parted_and_put_together_again(api: Api) -> None:
    api.remember("alice", "My sister Anna bakes.")
    other = api.remember("alice", "My boss Anna is loud.")
    before, anna = listed(api), id_of(api, "Anna")
    answer = api.post(f"/entities/{anna}/split?person=alice", {"memories": [other["id"]]})
    assert (answer.status_code, answer.json()["name"], answer.json()["mention_count"]) == (201, "Anna", 1)
    parted = answer.json()["id"]
    items = api.get("/entities?person=alice&q=anna").json()["items"]
    assert sorted(item["mention_count"] for item in items) == [1, 1]
    assert [memory["id"] for memory in api.get(f"/memories?person=alice&entity={parted}").json()["items"]] == [
        other["id"]
    ]  # fmt: skip
    assert api.call("POST", f"/entities/{parted}/unsplit?person=alice", {}).status_code == 204
    assert listed(api) == before
    with every_space():
        assert Entity.objects.filter(normal="anna").count() == 1


def test_nobody_merges_or_parts_what_is_anothers(api: Api) -> None:
    memory = api.remember("bob", "Anna cooks with my friend Carla.", venue=KITCHEN)
    anna, carla = id_of(api, "Anna", "bob"), id_of(api, "Carla", "bob")
    api.remember("alice", "I cook.", venue=KITCHEN)
    asker = "?person=alice&space=kitchen"
    assert api.get(f"/entities/{anna}{asker}").status_code == 200
    assert api.post(f"/entities/{anna}/merge{asker}", {"into": carla}).status_code == 404
    assert api.post(f"/entities/{anna}/split{asker}", {"memories": [memory["id"]]}).status_code == 404
    assert api.post(f"/entities/{anna}/unmerge{asker}", {}).status_code == 404


def test_a_name_is_not_carried_to_another_level(api: Api) -> None:
    api.remember("alice", "My friend Robert Smith called.")
    api.remember("alice", "My friend Bobby cooks.", venue=KITCHEN)
    bobby, robert = id_of(api, "Bobby"), id_of(api, "Robert Smith")
    assert api.post(f"/entities/{bobby}/merge?person=alice", {"into": robert}).status_code == 422


def test_a_key_reads_entities_of_those_it_speaks_for(api: Api) -> None:
    api.remember("alice", "I met Anna in Lisbon.")
    anna = id_of(api, "Anna")
    _, token = ApiKey.issue("bobs", scopes=["read"], people=["bob"])
    assert Api(token).get(f"/entities/{anna}").status_code == 404
    assert Api(token).get("/entities?person=alice").status_code == 403
    assert api.get(f"/entities/{anna}").json()["name"] == "Anna"
