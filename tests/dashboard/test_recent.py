"""Recently changed: what was taken away or changed in the last day, by whom, and the way back of each."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.viewer import memory_ref
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.clear import clear_memories
from memory_app.engine.deletion.fade import fade
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import edit
from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Memory, Merge, Operation
from memory_app.models.row_security import every_space
from tests.dashboard.factories import (
    KITCHEN,
    create_memory,
    create_proposal,
    get_page,
    memory_contents,
    one_line,
    reload_memory,
)

pytestmark = pytest.mark.django_db


def _now() -> datetime:
    return datetime.now(UTC)


def _undo(client: Client, number: int = 0) -> str:
    """Presses the button of an act, counted from the latest; the page it leads to."""
    found = re.findall(r'action="(/recent/[0-9a-f-]{36}/undo/)"', get_page(client, "/recent/"))
    answer = client.post(found[number], {"next": "/recent/"}, follow=True)
    assert answer.status_code == 200
    return one_line(answer.content.decode())


def _states(client: Client) -> list[str]:
    return [item["state"] for item in client.get("/recent/?format=json").json()["items"]]


def _edit(memory: Memory, content: str) -> None:
    edit(at=memory_ref(memory), changes={"content": content}, author=KITCHEN, now=_now(), encoder=current_encoder())


def test_a_deleted_memory_is_restored(alice: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    delete_memory(at=memory_ref(memory), author=KITCHEN, now=_now())
    shown = get_page(alice, "/recent/")
    assert "An assistant (kitchen) forgot" in shown
    assert "Tea is at five." in shown
    told = _undo(alice)
    assert memory_contents("alice") == {"Tea is at five."}
    assert "Brought back 1 memory." in told
    assert "brought back since" in told
    assert "/undo/" not in told


def test_undoing_an_edit_restores_the_text(alice: Client) -> None:
    memory = create_memory("alice", "Anna paints the door", tags=["art"])
    _edit(memory, "Bruno sells the boat")
    _undo(alice)
    now = reload_memory(memory.id)
    assert (now.content, now.version, "boat" in str(now.tsv)) == ("Anna paints the door", 3, False)
    assert _states(alice) == ["undone"]
    assert "undone since" in get_page(alice, "/recent/")
    _edit(memory, "Carla wrote a book")
    assert _states(alice) == ["undoable", "undone"]


def test_undoing_a_replacement_restores_the_old_and_deletes_the_new(alice: Client) -> None:
    old = create_memory("alice", "I live in Paris", key="home")
    new = create_memory("alice", "I live in Rome", key="home")
    assert reload_memory(old.id).status == "superseded"
    _undo(alice)
    assert memory_contents("alice") == {"I live in Paris"}
    assert (reload_memory(old.id).status, reload_memory(old.id).key, reload_memory(old.id).superseded_by) == (
        "active",
        "home",
        None,
    )
    assert (reload_memory(new.id).status, reload_memory(new.id).delete_reason) == ("deleted", "undone")


def test_a_correction_is_undone(alice: Client) -> None:
    old = create_memory("alice", "The plumber comes on Tuesday.")
    alice.post(f"/memories/{old.id}/correct/", {"content": "The plumber comes on Wednesday."})
    assert "You corrected" in get_page(alice, "/recent/")
    _undo(alice)
    assert memory_contents("alice") == {"The plumber comes on Tuesday."}
    assert reload_memory(old.id).status == "active"


def test_clearing_is_one_entry_and_is_undone_together(alice: Client) -> None:
    texts = {f"Drawer {n} holds spoons." for n in ("one", "two", "three")}
    for text in texts:
        create_memory("alice", text)
    clear_memories(
        venue_context=resolve_venue(person="alice"), author=Author("key", "ks_12 kitchen", request="r1"), now=_now()
    )
    assert memory_contents("alice") == set()
    assert "forgot 3 memories" in get_page(alice, "/recent/")
    _undo(alice)
    assert memory_contents("alice") == texts
    assert _states(alice)[0] == "undone"


def test_a_night_of_fading_is_one_entry(alice: Client) -> None:
    create_memory("alice", "Tea was at four.", now=_now() - timedelta(days=700))
    create_memory("alice", "Soup was on Tuesdays.", now=_now() - timedelta(days=700))
    assert fade(_now()) == 2
    assert "The nightly work let fade 2 memories" in get_page(alice, "/recent/")
    _undo(alice)
    assert memory_contents("alice") == {"Tea was at four.", "Soup was on Tuesdays."}


def test_undoing_a_rejection_reopens_the_proposal(alice: Client) -> None:
    proposal = create_proposal("alice", "Alice plays the cello")
    alice.post(f"/inbox/{proposal.id}/reject/", {"reason": "Not true"})
    shown = get_page(alice, "/recent/")
    assert "You rejected" in shown
    assert "Not true" in shown
    alice.post("/inbox/reopen/", {"proposal": str(proposal.id), "next": "/recent/"})
    assert "You rejected" not in get_page(alice, "/recent/")


def test_a_memory_changed_since_is_not_undone_but_linked_to_its_versions(alice: Client) -> None:
    memory = create_memory("alice", "The door is green")
    _edit(memory, "The door is blue")
    _edit(memory, "The door is red")
    shown = get_page(alice, "/recent/")
    assert shown.count("/undo/") == 1
    assert "changed since" in shown
    assert _states(alice) == ["undoable", "changed"]
    assert f"/memories/{memory.id}/#versions" in shown
    with every_space():
        first = Operation.objects.filter(name="edit").order_by("id")[0]
    answer = alice.post(f"/recent/{first.id}/undo/", follow=True)
    assert "There was nothing left to undo." in answer.content.decode()
    assert reload_memory(memory.id).content == "The door is red"


def test_undo_makes_a_memory_sensitive_again_and_the_list_masks_it(alice: Client) -> None:
    memory = create_memory("alice", "My card number is 4111 1111 1111 1111.")
    _edit(memory, "I have a card")
    _undo(alice)
    assert reload_memory(memory.id).sensitive
    assert "4111 1111" not in get_page(alice, "/recent/")


def test_people_undo_their_own_changes_and_super_users_all(alice: Client, bob: Client, root: Client) -> None:
    memory = create_memory("bob", "The saw is blunt.")
    delete_memory(at=memory_ref(memory), author=KITCHEN, now=_now())
    assert "Nothing was changed" in get_page(alice, "/recent/")
    with every_space():
        operation = Operation.objects.get(name="forget")
    assert alice.post(f"/recent/{operation.id}/undo/").status_code == 404
    assert "The saw is blunt." in get_page(root, "/recent/")
    assert "The saw is blunt." in get_page(bob, "/recent/")
    _undo(root)
    assert memory_contents("bob") == {"The saw is blunt."}


def test_changes_are_listed_for_one_day(alice: Client) -> None:
    memory = create_memory("alice", "Tea is at five.", now=_now() - timedelta(days=3))
    delete_memory(at=memory_ref(memory), author=KITCHEN, now=_now() - timedelta(hours=25))
    assert "Nothing was changed" in get_page(alice, "/recent/")
    with every_space():
        operation = Operation.objects.get(name="forget")
    assert alice.post(f"/recent/{operation.id}/undo/").status_code == 404


def test_the_list_has_pages_and_a_json_twin(alice: Client) -> None:
    for n in range(27):
        delete_memory(at=memory_ref(create_memory("alice", f"Shelf number {n} is full.")), author=KITCHEN, now=_now())
    told = alice.get("/recent/", {"format": "json"}).json()
    assert (len(told["items"]), told["total"], told["next"]) == (25, 27, "?page=2")
    assert {(item["operation"], item["memories"], item["can_be_undone"]) for item in told["items"]} == {
        ("forget", 1, 1)
    }
    assert get_page(alice, "/recent/", page="2").count("/undo/") == 2


def test_the_overview_and_the_navigation_link_to_recent_changes(alice: Client) -> None:
    create_memory("alice", "Tea is at five.")
    assert get_page(alice, "/").count('href="/recent/"') == 2


def test_owners_restore_within_a_month_and_super_users_later(alice: Client, root: Client) -> None:
    lately, long_ago = create_memory("alice", "The boat is sold."), create_memory("alice", "The bike is rusty.")
    delete_memory(at=memory_ref(lately), author=KITCHEN, now=_now() - timedelta(days=29))
    delete_memory(at=memory_ref(long_ago), author=KITCHEN, now=_now() - timedelta(days=31))
    shown = get_page(alice, "/deleted/")
    assert "The boat is sold." in shown
    assert "by an assistant (kitchen)" in shown
    assert "You can bring them back for 30 days." in shown
    assert "The bike is rusty." not in shown
    assert alice.get(f"/memories/{long_ago.id}/").status_code == 404
    assert alice.post(f"/memories/{long_ago.id}/restore/").status_code == 404
    assert "The bike is rusty." in get_page(root, "/deleted/")
    root.post(f"/memories/{long_ago.id}/restore/")
    alice.post(f"/memories/{lately.id}/restore/")
    assert memory_contents("alice") == {"The boat is sold.", "The bike is rusty."}


def _pressed(client: Client, kind: str) -> str:
    """Presses the last button that undoes names or a merge of people; the page it leads to."""
    found = re.findall(rf'action="(/[a-z/]+/[0-9a-f-]{{36}}/{kind}/)"', get_page(client, "/recent/"))
    answer = client.post(found[-1], {"next": "/recent/"}, follow=True)
    assert answer.status_code == 200
    return one_line(answer.content.decode())


def _twin(client: Client) -> dict[str, Any]:
    told: dict[str, Any] = client.get("/recent/?format=json").json()
    return told


def _names(client: Client) -> dict[str, str]:
    return {item["name"]: item["id"] for item in client.get("/entities/?format=json").json()["items"]}


def test_an_entity_merge_is_undone_and_redone(alice: Client) -> None:
    create_memory("alice", "My friend Anna bakes.")
    create_memory("alice", "My friend Annie paints.")
    named = _names(alice)
    alice.post(f"/entities/{named['Annie']}/merge/", {"into": named["Anna"]})
    shown = get_page(alice, "/recent/")
    assert "You merged two names" in shown
    assert "Annie" in shown
    [act] = _twin(alice)["names"]
    assert (act["operation"], act["can_be_undone"], set(act["entities"])) == (
        "merge entities",
        True,
        {named["Anna"], named["Annie"]},
    )
    assert "the names are as they were" in _pressed(alice, "undo-names")
    assert set(_names(alice)) == {"Anna", "Annie"}
    assert [act["can_be_undone"] for act in _twin(alice)["names"]] == [True, False]
    assert [act["undone"] for act in _twin(alice)["names"]] == [False, True]
    assert get_page(alice, "/recent/").count("undone since") == 1
    [again] = [act["id"] for act in _twin(alice)["names"] if act["can_be_undone"]]
    alice.post(f"/recent/{again}/undo-names/")
    assert set(_names(alice)) == {"Anna"}


def test_an_entity_split_is_undone(alice: Client) -> None:
    baker = create_memory("alice", "My friend Anna bakes.")
    create_memory("alice", "My friend Anna paints.")
    anna = _names(alice)["Anna"]
    alice.post(f"/entities/{anna}/part/", {"memory": str(baker.id), "name": "Anna the baker"})
    assert set(_names(alice)) == {"Anna", "Anna the baker"}
    assert "You parted two names" in get_page(alice, "/recent/")
    _pressed(alice, "undo-names")
    assert set(_names(alice)) == {"Anna"}
    shown = get_page(alice, "/recent/")
    assert "/undo-names/" not in shown
    assert shown.count("undone since") == 1
    assert "changed since" not in shown


def test_changes_of_another_persons_entities_cannot_be_undone(alice: Client, bob: Client) -> None:
    create_memory("alice", "My friend Anna bakes.")
    create_memory("alice", "My friend Annie paints.")
    named = _names(alice)
    alice.post(f"/entities/{named['Annie']}/merge/", {"into": named["Anna"]})
    [act] = _twin(alice)["names"]
    assert bob.post(f"/recent/{act['id']}/undo-names/").status_code == 404
    assert _twin(bob)["names"] == []
    assert set(_names(alice)) == {"Anna"}


def _merged(person: str, into: str, when: datetime) -> Merge:
    of, to = resolve_venue(person=person), resolve_venue(person=into)
    return merge_people(person=of, into=to, author=Author("key", "ks_12 kitchen"), now=when)


def test_a_merge_of_people_can_be_undone_for_30_days(alice: Client, root: Client) -> None:
    create_memory("alice", "Tea is at five.")
    create_memory("guest", "Soup is on Tuesdays.")
    merge = _merged("guest", "alice", _now() - timedelta(days=29))
    assert memory_contents("alice") == {"Tea is at five.", "Soup is on Tuesdays."}
    assert "an assistant (kitchen) merged guest into alice" in get_page(root, "/recent/")
    [act] = _twin(alice)["people"]
    assert (act["id"], act["person"], act["into"], act["can_be_undone"]) == (str(merge.id), "guest", "alice", True)
    assert act["counts"]["memories"] == 1
    assert "Taken back." in _pressed(alice, "undo")
    assert (memory_contents("alice"), memory_contents("guest")) == ({"Tea is at five."}, {"Soup is on Tuesdays."})
    assert _twin(root)["people"] == []


def test_old_or_foreign_merges_offer_no_undo(alice: Client, bob: Client, root: Client) -> None:
    create_memory("guest", "Soup is on Tuesdays.")
    merge = _merged("guest", "alice", _now() - timedelta(days=31))
    assert (_twin(alice)["people"], _twin(root)["people"]) == ([], [])
    for client in (alice, root):
        answer = client.post(f"/people/merges/{merge.id}/undo/", {"next": "/recent/"}, follow=True)
        assert "can no longer be taken back" in answer.content.decode()
    assert bob.post(f"/people/merges/{merge.id}/undo/").status_code == 404
    assert memory_contents("alice") == {"Soup is on Tuesdays."}


def test_of_two_merges_of_the_same_people_the_later_is_undone_first(root: Client) -> None:
    for text in ("Soup is on Tuesdays.", "The saw is blunt."):
        create_memory("guest", text)
        _merged("guest", "alice", _now())
    later, first = _twin(root)["people"]
    assert (later["can_be_undone"], first["can_be_undone"]) == (True, False)
    assert "merged again since: that merge goes back first" in get_page(root, "/recent/")


def test_erasures_are_listed_without_undo(alice: Client, root: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    delete_memory(at=memory_ref(memory), author=KITCHEN, now=_now())
    erasure = erase(at=memory_ref(memory), author=Author("user", "root"), now=_now())
    shown = get_page(alice, "/recent/")
    assert "Root erased a memory" in shown
    assert "for good: this cannot be undone" in shown
    assert "erased since: there is no way back" in shown
    assert "/undo/" not in shown
    assert f"/erasures/{erasure.id}/" not in shown
    assert f"/erasures/{erasure.id}/" in get_page(root, "/recent/")
    assert [(act["operation"], act["state"], act["memory"]) for act in _twin(alice)["items"]] == [
        ("erase", "gone", None),
        ("forget", "gone", None),
    ]


def test_the_json_twin_lists_decisions(alice: Client) -> None:
    first, second = create_proposal("alice", "Alice plays the cello"), create_proposal("alice", "Alice has a boat")
    alice.post(f"/inbox/{first.id}/reject/", {"reason": "Not true"})
    alice.post(f"/inbox/{second.id}/accept/")
    told = [(one["status"], one["author"], one["reason"], one["proposals"]) for one in _twin(alice)["decisions"]]
    assert told == [
        ("accepted", "user:alice", None, [str(second.id)]),
        ("rejected", "user:alice", "Not true", [str(first.id)]),
    ]
