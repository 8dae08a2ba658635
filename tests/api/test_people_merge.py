"""A guest's memories pass to a person: nothing is lost, nothing is seen by more people, and all of it goes back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory_app.models import ApiKey, Entity, Item, Memory, Merge, Operation, Person, Token, Turn, Version
from memory_app.models.row_security import every_space
from tests.api.test_people_export import lines, of_kind, talk_of
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("guest")]

KITCHEN = {"space": "kitchen"}


def merge(api: Api, person: str = "guest", into: str = "alice", status: int = 200) -> Any:
    answer = api.post(f"/people/{person}/merge", {"into": into})
    assert answer.status_code == status, answer.content
    return answer.json()


def undo(api: Api, person: str = "guest", into: str = "alice", status: int = 200) -> Any:
    answer = api.post(f"/people/{person}/merge/undo", {"into": into})
    assert answer.status_code == status, answer.content
    return answer.json()


def kept(api: Api, person: str) -> set[str]:
    """Contents of what holds now, as the person sees it in private."""
    items = api.get(f"/memories?person={person}&visible=true&status=active&limit=200").json()["items"]
    return {item["content"] for item in items}


def of_the_guest(name: str = "guest") -> Api:
    """Calls with a key of the guest alone, to whom the guest is nobody else."""
    _, token = ApiKey.issue("thread", scopes=["read", "write"], people=[name])
    return Api(token)


def everything(api: Api, *people: str) -> list[dict[str, Any]]:
    """All that is exported of people, their names left out, in one order."""
    told = [line for person in people for line in lines(api, person)]
    return sorted(({**line, "person": ""} for line in told), key=lambda line: (line["kind"], str(line.get("id"))))


def put_item(api: Api, person: str, namespace: list[str], key: str, drink: str) -> None:
    put = {"op": "put", "namespace": namespace, "key": key, "value": {"drink": drink}}
    assert api.post("/items/batch", {"person": person, "operations": [put]}).status_code == 200


def items_of(api: Api, person: str) -> dict[str, str]:
    """Drinks by namespace and key; an id in a key is left out."""
    asked = {"person": person, "operations": [{"op": "search", "limit": 100}]}
    items = api.post("/items/batch", asked).json()["results"][0]["items"]
    return {"/".join([*item["namespace"], item["key"].split(" (")[0]]): item["value"]["drink"] for item in items}


@pytest.fixture(scope="module")
def guest(module_api: Api) -> Api:
    """A guest of whom there is something of every kind, and Alice, who has some of it too."""
    api = module_api
    sister = api.remember("guest", "Anna Smith is my sister")
    api.call("PATCH", f"/memories/{sister['id']}", {"content": "Anna Smith is my big sister"})
    api.post("/context", {"person": "guest", "query": "who is Anna Smith?"})
    api.remember("guest", "I speak French", visibility="global")
    api.remember("guest", "The office is shut on Friday", visibility="everyone")
    api.remember("guest", "Soup is on Tuesdays", venue=KITCHEN)
    gone = api.remember("guest", "I hum in the bath")
    api.call("DELETE", f"/memories/{gone['id']}")
    talk_of(api, "guest", None, "c-1")
    api.post("/people/guest/notes/2026-11-20", {"text": "Rain all day"})
    api.post("/signals", {"person": "guest", "kind": "save", "subject": "Understanding CRDTs"})
    put_item(api, "guest", ["memories", "guest"], "tea", "green")
    api.post("/people/guest/documents", {"path": "trip.md", "content": "Rome"})
    api.remember("alice", "Anna Smith plays the cello")
    return api


def test_a_merge_moves_everything_and_keeps_ids(guest: Api) -> None:
    before = everything(guest, "guest", "alice")
    # In the kitchen Alice is nobody yet, so what was said there stays the guest's.
    soup = [line for line in before if line.get("content") == "Soup is on Tuesdays"]
    answer = merge(guest)
    assert (answer["person"], answer["into"], answer["undone_at"]) == ("guest", "alice", None)
    assert answer["counts"] == {
        "memories": 4, "conversations": 1, "turns": 6, "proposals": answer["counts"]["proposals"],
        "notes": 1, "receipts": 1, "signals": 1, "conflicts": 0, "items": 1, "documents": 1,
        "duplicates": 0, "replaced": 0,
    }  # fmt: skip
    after = everything(guest, "alice")
    assert {(line["kind"], line.get("id")) for line in after} == {
        (line["kind"], line.get("id")) for line in before if line not in soup
    }
    assert kept(of_the_guest(), "guest") == {"Soup is on Tuesdays", "The office is shut on Friday"}
    assert kept(guest, "alice") == {
        "Anna Smith is my big sister",
        "I speak French",
        "The office is shut on Friday",
        "Anna Smith plays the cello",
    }
    sister = next(line for line in after if line.get("content") == "Anna Smith is my big sister")
    assert [past["state"]["content"] for past in sister["versions"]] == ["Anna Smith is my sister"]


def test_merged_memories_are_found_linked_and_briefed(guest: Api) -> None:
    merge(guest)
    found = guest.post("/search", {"person": "alice", "query": "Anna Smith sister"}).json()["results"]
    assert found[0]["memory"]["content"] == "Anna Smith is my big sister"
    entities = guest.get("/entities?person=alice&q=Anna%20Smith").json()["items"]
    assert len(entities) == 1
    named = guest.get(f"/entities/{entities[0]['id']}?person=alice").json()["memories"]
    assert {memory["content"] for memory in named} == {"Anna Smith is my big sister", "Anna Smith plays the cello"}
    with every_space():
        assert not Entity.objects.filter(person__name="guest", visibility="private").exists()
        [receipt] = of_kind(lines(guest, "alice"), "receipt")
        home = str(Person.objects.get(name="alice").space_id)
        stored = guest.get(f"/receipts/{receipt['id']}").json()
    assert {item["space"] for item in stored["items"]} == {home}


def test_the_log_moves_along_and_records_the_merge(guest: Api) -> None:
    before = guest.get("/admin/logs?person=guest&limit=200").json()["items"]
    merge(guest)
    with every_space():
        alice = Person.objects.get(name="alice")
        here = set(Operation.objects.filter(space_id=alice.space_id).values_list("name", flat=True))
    assert {"remember", "edit", "forget", "merge_people"} <= here
    assert len(before) > 4


def test_memories_in_a_space_move_if_the_other_is_a_member(guest: Api) -> None:
    guest.remember("alice", "Salad is on Mondays", venue=KITCHEN)
    merge(guest)
    assert "Soup is on Tuesdays" in kept(guest, "alice")
    assert "Soup is on Tuesdays" not in kept(of_the_guest(), "guest")
    memory = next(line for line in lines(guest, "alice") if line.get("content") == "Soup is on Tuesdays")
    assert (memory["visibility"], memory["space"]) == ("space", "kitchen")
    undo(guest)
    assert "Soup is on Tuesdays" in kept(guest, "guest")
    assert "Soup is on Tuesdays" not in kept(guest, "alice")


def test_private_memories_stay_private_after_a_merge(guest: Api) -> None:
    guest.remember("bob", "Bob cooks", venue=KITCHEN)
    guest.remember("alice", "Salad is on Mondays", venue=KITCHEN)
    merge(guest)
    for asked in ({"person": "bob"}, {"person": "bob", "venue": KITCHEN}, {"person": "alice", "venue": KITCHEN}):
        found = guest.post("/search", {**asked, "query": "big sister Anna Smith"}).json()["results"]
        assert "Anna Smith is my big sister" not in {result["memory"]["content"] for result in found}


def test_of_the_same_key_or_text_the_newer_memory_stays(api: Api) -> None:
    api.remember("zoe", "I live in Paris", key="home")
    api.remember("visitor", "I live in Rome", key="home")
    api.remember("visitor", "My shoe size is 42", key="shoe")
    api.remember("zoe", "My shoe size is 43", key="shoe")
    old = api.remember("visitor", "I play the cello")
    api.remember("zoe", "I play the cello")
    answer = merge(api, "visitor", "zoe")
    assert (answer["counts"]["duplicates"], answer["counts"]["replaced"]) == (1, 2)
    assert kept(api, "zoe") - kept(api, "alice") == {"I live in Rome", "My shoe size is 43", "I play the cello"}
    told = {line["content"]: line for line in lines(api, "zoe") if line["status"] != "active"}
    assert (told["I live in Paris"]["status"], told["My shoe size is 42"]["status"]) == ("superseded", "superseded")
    cello = next(line for line in lines(api, "zoe") if line["id"] == old["id"])
    assert (cello["status"], cello["delete_reason"]) == ("deleted", "merged")
    rome = next(line for line in lines(api, "zoe") if line["content"] == "I live in Rome")
    assert rome["supersedes"] == told["I live in Paris"]["id"]


def test_undoing_a_merge_restores_everything(guest: Api) -> None:
    guest.remember("alice", "I live in Paris", key="home")
    guest.remember("guest", "I live in Rome", key="home")
    guest.remember("guest", "My shoe size is 42", key="shoe")
    guest.remember("alice", "My shoe size is 43", key="shoe")
    before = {name: settled(guest, name) for name in ("guest", "alice")}
    merge(guest)
    assert settled(guest, "alice") != before["alice"]
    answer = undo(guest)
    assert answer["undone_at"]
    for name in ("guest", "alice"):
        assert settled(guest, name) == before[name]
    assert [line["external_id"] for line in of_kind(lines(guest, "guest"), "conversation")] == ["c-1"]
    undo(guest, status=404)


def settled(api: Api, person: str) -> list[Any]:
    """What is exported of a person, but for when and how often it was written."""
    bookkeeping = {"updated_at", "version", "versions", "ended_at", "names"}
    told = [{name: value for name, value in line.items() if name not in bookkeeping} for line in lines(api, person)]
    return sorted(told, key=lambda line: (line["kind"], str(line.get("id"))))


def test_edits_by_the_other_person_do_not_move_back(guest: Api) -> None:
    merge(guest)
    sister = next(line for line in lines(guest, "alice") if line.get("content") == "Anna Smith is my big sister")
    guest.call("PATCH", f"/memories/{sister['id']}", {"content": "Zoe Jones knows my secret"})
    guest.remember("alice", "Said after the merge")
    undo(guest)
    assert "Anna Smith is my big sister" in kept(guest, "guest")
    assert "Zoe Jones" not in str(lines(guest, "guest"))
    assert guest.get("/entities?person=guest&q=Zoe").json()["items"] == []
    assert kept(guest, "alice") == {
        "Anna Smith plays the cello",
        "Said after the merge",
        "The office is shut on Friday",
    }
    with every_space():
        assert not Version.objects.filter(state__content__contains="Zoe").exists()


def test_turns_after_a_merge_do_not_move_back(guest: Api) -> None:
    talk = of_kind(lines(guest, "guest"), "conversation")[0]["id"]
    merge(guest)
    turn = {"role": "user", "content": "This is Alice speaking"}
    assert guest.post(f"/conversations/{talk}/turns", turn).status_code == 201
    undo(guest)
    assert "This is Alice speaking" not in str(lines(guest, "guest"))
    assert "This is Alice speaking" in str(lines(guest, "alice"))
    with every_space():
        assert Turn.objects.filter(person__name="guest").count() == 6


def test_memories_erased_since_the_merge_stay_erased(guest: Api) -> None:
    merge(guest)
    sister = next(line for line in lines(guest, "alice") if line.get("content") == "Anna Smith is my big sister")
    assert guest.post(f"/admin/memories/{sister['id']}/erase", {}).status_code == 200
    undo(guest)
    assert "big sister" not in str(lines(guest, "guest")) + str(lines(guest, "alice"))


def test_external_ids_that_collide_are_restored_by_undo(guest: Api) -> None:
    talk_of(guest, "alice", None, "c-1")
    merge(guest)
    names = [line["external_id"] for line in of_kind(lines(guest, "alice"), "conversation")]
    assert sorted(names) == ["", "c-1"]
    undo(guest)
    assert [line["external_id"] for line in of_kind(lines(guest, "guest"), "conversation")] == ["c-1"]


def test_a_merge_can_be_undone_for_30_days(guest: Api) -> None:
    merge(guest)
    with every_space():
        Merge.objects.update(at=timezone.now() - timedelta(days=30, minutes=1))
    assert "30 days" in undo(guest, status=409)["detail"]


def test_a_merge_sent_again_changes_nothing(guest: Api) -> None:
    first = merge(guest)
    assert merge(guest) == first
    undo(guest)
    assert "Anna Smith is my big sister" in kept(guest, "guest")


def test_chained_merges_are_undone_in_order(guest: Api) -> None:
    before = kept(guest, "guest")
    merge(guest, "guest", "alice")
    merge(guest, "alice", "bob")
    assert "take that merge back first" in undo(guest, "guest", "alice", status=409)["detail"]
    undo(guest, "alice", "bob")
    undo(guest, "guest", "alice")
    assert kept(guest, "guest") == before


def test_a_merged_person_may_start_again(guest: Api) -> None:
    merge(guest)
    of_the_guest().remember("guest", "A new guest sings")
    merge(guest)
    assert "A new guest sings" in kept(guest, "alice")
    undo(guest)
    assert "A new guest sings" not in kept(guest, "alice")
    assert "Anna Smith is my big sister" in kept(guest, "alice")


def test_erasing_either_person_removes_the_merge_record(guest: Api) -> None:
    merge(guest)
    answer = guest.call("DELETE", "/people/guest")
    assert answer.json()["check"]["left"] == {}
    with every_space():
        assert not Merge.objects.exists()
    assert "Anna Smith is my big sister" in kept(guest, "alice")
    undo(guest, status=404)


def test_a_guest_whose_user_was_erased_is_the_guest_again(guest: Api) -> None:
    merge(guest)
    assert guest.call("DELETE", "/people/alice").json()["check"]["left"] == {}
    assert guest.remember("guest", "I sing in a choir")["person"] == "guest"


def test_who_may_merge(guest: Api) -> None:
    for scopes, people, status in (
        (["read"], [], 403),
        (["write", "read"], ["guest"], 403),
        (["write", "read"], ["alice"], 403),
        (["write", "read"], ["guest", "alice"], 200),
    ):
        _, token = ApiKey.issue("one", scopes=scopes, people=people)
        assert Api(token).post("/people/guest/merge", {"into": "alice"}).status_code == status
    merge(guest, "nobody", status=404)
    merge(guest, "alice", "alice", status=422)


def test_a_key_of_some_spaces_leaves_the_others_alone(guest: Api) -> None:
    guest.remember("alice", "Salad is on Mondays", venue=KITCHEN)
    _, token = ApiKey.issue("one", scopes=["write", "read"], people=["guest", "alice"], spaces=["garage"])
    merge(Api(token))
    assert "Soup is on Tuesdays" in kept(of_the_guest(), "guest")


def test_open_questions_and_tokens_are_not_merged(guest: Api) -> None:
    asked = guest.post("/forget", {"person": "guest", "utterance": "forget about Anna Smith"}).json()
    merge(guest)
    answer = guest.post("/forget/confirm", {"person": "guest", "token": asked["token"], "choice": "1"})
    assert answer.status_code == 404
    with every_space():
        assert not Token.objects.filter(person__name="alice").exists()
        assert Memory.objects.filter(content="Anna Smith is my big sister", deleted_at=None).exists()


def test_a_key_reused_since_stays_with_the_newer_memory(api: Api) -> None:
    api.remember("visitor", "I live in Rome", key="home")
    merge(api, "visitor", "zoe")
    of_the_guest("visitor").remember("visitor", "I live in Oslo", key="home")
    undo(api, "visitor", "zoe")
    told = {line["content"]: line["key"] for line in lines(api, "visitor")}
    assert told == {"I live in Rome": "", "I live in Oslo": "home"}


def test_a_thread_that_was_merged_goes_on_as_its_user(guest: Api) -> None:
    merge(guest)
    said = guest.remember("guest", "My boat is called Nora")
    talk = guest.post("/conversations", {"person": "guest", "external_id": "c-1"}).json()
    assert (said["person"], talk["person"]) == ("alice", "alice")
    guest.post("/commands", {"person": "guest", "text": "/remember I sing in a choir"})
    assert {"My boat is called Nora", "I sing in a choir"} <= kept(guest, "alice")
    found = guest.post("/search", {"person": "guest", "query": "who plays the cello?"}).json()["results"]
    assert found[0]["memory"]["content"] == "Anna Smith plays the cello"
    asked = guest.post("/forget", {"person": "guest", "utterance": "forget about my boat"}).json()
    done = guest.post("/forget/confirm", {"person": "guest", "token": asked["token"], "choice": "yes"})
    assert done.json()["status"] == "done"


def test_a_key_of_the_guest_alone_stays_the_guests(guest: Api) -> None:
    merge(guest)
    thread = of_the_guest()
    assert thread.remember("guest", "My boat is called Nora")["person"] == "guest"
    assert "cello" not in str(thread.post("/search", {"person": "guest", "query": "who plays the cello?"}).json())
    assert kept(thread, "guest") == {"My boat is called Nora", "Soup is on Tuesdays", "The office is shut on Friday"}
    assert thread.get("/people/guest/profile.md").content.decode().count("Anna Smith") == 0


def test_after_undo_the_guest_is_the_guest_and_what_was_said_meanwhile_stays(guest: Api) -> None:
    merge(guest)
    guest.remember("guest", "My boat is called Nora")
    undo(guest)
    assert "My boat is called Nora" in kept(guest, "alice")
    assert guest.remember("guest", "I sing in a choir")["person"] == "guest"
    merge(guest, "alice", "guest")
    assert guest.remember("guest", "I dance")["person"] == "guest"
    assert guest.remember("alice", "I ski")["person"] == "guest"


def test_an_open_conflict_moves_and_moves_back(api: Api) -> None:
    api.remember("guest", "The budget for the kitchen is 50,000")
    api.remember("guest", "The budget for the kitchen is 60,000")
    api.remember("alice", "Alice hums in the bath")
    (before,) = api.get("/conflicts?person=guest").json()["items"]
    merge(api)
    (passed,) = api.get("/conflicts?person=alice").json()["items"]
    assert passed["id"] == before["id"]
    undo(api)
    assert api.get("/conflicts?person=alice").json()["items"] == []
    assert [one["id"] for one in api.get("/conflicts?person=guest").json()["items"]] == [before["id"]]


def test_items_move_to_the_other_name_and_back(guest: Api) -> None:
    put_item(guest, "guest", ["memories", "guest"], "cake", "milk")
    put_item(guest, "alice", ["memories", "alice"], "tea", "black")
    for person in ("guest", "alice"):
        put_item(guest, person, ["common"], "jam", person)
    merge(guest)
    assert {*items_of(guest, "alice")} == {"memories/alice/tea", "memories/alice/cake", "common/jam"}
    with every_space():
        names = sorted((row.key.split(" (")[0], row.value["drink"]) for row in Item.objects.all())
    assert names == [("cake", "milk"), ("jam", "alice"), ("jam", "guest"), ("tea", "black"), ("tea", "green")]
    undo(guest)
    assert items_of(guest, "alice") == {"memories/alice/tea": "black", "common/jam": "alice"}
    again = items_of(of_the_guest(), "guest")
    assert again == {"memories/guest/tea": "green", "memories/guest/cake": "milk", "common/jam": "guest"}


def test_a_document_passes_beside_one_of_its_path_and_goes_back_to_it(guest: Api) -> None:
    guest.post("/people/alice/documents", {"path": "trip.md", "content": "Porto"})
    merge(guest)
    paths = {item["path"].split(" (")[0] for item in guest.get("/people/alice/documents").json()["items"]}
    assert paths == {"trip.md"}
    assert guest.get("/people/alice/documents?path=trip.md").json()["items"][0]["content"] == "Porto"
    undo(guest)
    assert [item["path"] for item in of_the_guest().get("/people/guest/documents").json()["items"]] == ["trip.md"]
    assert len(guest.get("/people/alice/documents").json()["items"]) == 1
