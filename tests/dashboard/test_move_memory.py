"""Who may see a memory is its person's choice, made knowing how many that is, and it can be taken back."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.models import COMMONS, Entity, Membership, Memory, Operation, Version
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import KITCHEN, NOON, create_memory, find_undo_path, get_page, reload_memory

TEXT = "Anna Smith brings the soup on Tuesday."
CARD = "My card number is 4111 1111 1111 1111."


@pytest.fixture
def family() -> UUID:
    """The space of Alice and three others, one of whom has left."""
    for person in ("bob", "charlie", "dora", "alice"):
        venue_context = resolve_venue(person=person, place=VenueNames("family"))
    Membership.objects.filter(person__name="dora").update(left_at=NOON)
    assert venue_context.space is not None
    return venue_context.space.id


def move(client: Client, memory: Memory, level: str, space: UUID, status: int = 302) -> Any:
    answer = client.post(f"/memories/{memory.id}/move/", {"to": f"{level}:{space}"})
    assert answer.status_code == status
    return answer


def seen_by(api: Api, person: str, **venue: str) -> list[str]:
    body = {"person": person, "query": "who brings the soup on Tuesday?", **({"venue": venue} if venue else {})}
    return [result["memory"]["content"] for result in api.post("/search", body).json()["results"]]


def test_the_page_tells_how_many_will_see_it(alice: Client, family: UUID) -> None:
    memory = create_memory("alice", TEXT)
    html = get_page(alice, f"/memories/{memory.id}/move/")
    assert "Everyone in family" in html
    assert "3 people will be able to see this." in html
    assert "4 people will be able to see this." in html
    assert html.count("Nobody else will be able to see this.") == 2
    assert f'href="/memories/{memory.id}/move/"' in get_page(alice, f"/memories/{memory.id}/")


def test_a_memory_moves_to_a_space_and_back(alice: Client, family: UUID, api: Api) -> None:
    memory = create_memory("alice", TEXT)
    home = memory.space_id
    assert seen_by(api, "bob", space="family") == []
    answer = alice.post(f"/memories/{memory.id}/move/", {"to": f"space:{family}"}, follow=True)
    assert "Moved. 3 people will be able to see this." in answer.content.decode()
    now = reload_memory(memory.id)
    assert (now.visibility, now.space_id, now.version, now.changed_by) == ("space", family, 2, "user:alice")
    assert seen_by(api, "bob", space="family") == [TEXT]
    with every_space():
        assert [entity.name for entity in Entity.objects.filter(space_id=family)] == ["Anna Smith"]
        assert not Entity.objects.filter(space_id=home).exists()
        entry = Operation.objects.get(memory_id=memory.id, name="move")
    assert (entry.detail["from"], entry.detail["to"]) == (["private", str(home), None], ["space", str(family)])
    undone = alice.post(find_undo_path(answer.content.decode()), follow=True)
    assert "Put back as before 1 memory." in undone.content.decode()
    now = reload_memory(memory.id)
    assert (now.visibility, now.space_id, now.content) == ("private", home, TEXT)
    assert seen_by(api, "bob", space="family") == []
    with every_space():
        assert Memory.objects.count() == 1
        assert not Entity.objects.filter(space_id=family).exists()


@pytest.mark.parametrize(("level", "people"), [("global", ["alice"]), ("everyone", ["alice", "bob", "stranger"])])
def test_a_memory_moves_to_other_levels(alice: Client, family: UUID, api: Api, level: str, people: list[str]) -> None:
    memory = create_memory("alice", TEXT)
    space = COMMONS if level == "everyone" else memory.space_id
    move(alice, memory, level, space)
    assert (reload_memory(memory.id).visibility, reload_memory(memory.id).space_id) == (level, space)
    assert [person for person in ("alice", "bob", "stranger") if seen_by(api, person, space="family")] == people


def test_new_viewers_do_not_see_earlier_versions(alice: Client, family: UUID, api: Api) -> None:
    memory = create_memory("alice", "Bob is a bore.")
    at = MemoryRef(memory.space_id, memory.id)
    edit(at=at, changes={"content": TEXT}, author=Author("user", "alice"), now=NOON, encoder=current_encoder())
    move(alice, memory, "space", family)
    at = MemoryRef(family, memory.id)
    edit(
        at=at,
        changes={"summary": "Soup on Tuesday"},
        author=Author("user", "alice"),
        now=NOON,
        encoder=current_encoder(),
    )
    path = f"/memories/{memory.id}/history"
    told = api.get(f"{path}?person=bob&space=family").json()["items"]
    assert [(item["version"], item["state"]["content"]) for item in told] == [(3, TEXT), (4, TEXT)]
    own = api.get(f"{path}?person=alice").json()["items"]
    assert [item["version"] for item in own] == [1, 2, 3, 4]
    assert "bore" in get_page(alice, f"/memories/{memory.id}/", **{"from": "1", "to": "2"})


def test_new_viewers_do_not_see_versions_from_another_space(alice: Client, family: UUID, api: Api) -> None:
    garage = resolve_venue(person="alice", place=VenueNames("garage")).space
    assert garage is not None
    memory = create_memory("alice", "Bob is a bore.", place=VenueNames("garage"))
    at = MemoryRef(garage.id, memory.id)
    edit(at=at, changes={"content": TEXT}, author=Author("user", "alice"), now=NOON, encoder=current_encoder())
    move(alice, memory, "space", family)
    told = api.get(f"/memories/{memory.id}/history?person=bob&space=family").json()["items"]
    assert [(item["version"], item["state"]["content"]) for item in told] == [(3, TEXT)]


def test_a_key_already_taken_at_the_target_is_dropped(alice: Client, family: UUID) -> None:
    create_memory("alice", "Soup is on Mondays.", place=VenueNames("family"), key="soup")
    memory = create_memory("alice", TEXT, key="soup")
    move(alice, memory, "space", family)
    assert reload_memory(memory.id).key == ""


def test_a_channel_memory_moves_to_private_and_back(alice: Client, family: UUID) -> None:
    memory = create_memory("alice", TEXT, place=VenueNames("family", "cooks", restricted=True))
    channel, home = reload_memory(memory.id).channel_id, resolve_venue(person="alice").venue.home
    answer = alice.post(f"/memories/{memory.id}/move/", {"to": f"private:{home}"}, follow=True)
    assert (reload_memory(memory.id).space_id, reload_memory(memory.id).channel_id) == (home, None)
    alice.post(find_undo_path(answer.content.decode()))
    now = reload_memory(memory.id)
    assert (now.visibility, now.space_id, now.channel_id) == ("channel", family, channel)


def test_sensitive_memories_stay_private(alice: Client, family: UUID) -> None:
    memory = create_memory("alice", CARD)
    assert "4111" not in get_page(alice, f"/memories/{memory.id}/move/")
    for level, space in (("space", family), ("global", memory.space_id), ("everyone", COMMONS)):
        answer = move(alice, memory, level, space, status=422)
        assert "stays with you alone" in answer.content.decode()
    assert reload_memory(memory.id).visibility == "private"


def test_nobody_else_can_move_it(alice: Client, bob: Client, root: Client, family: UUID) -> None:
    memory = create_memory("alice", TEXT)
    shared = create_memory("alice", "Salad is on Monday.", place=VenueNames("family"))
    for one in (memory, shared):
        move(bob, one, "everyone", COMMONS, status=404)
        move(root, one, "everyone", COMMONS, status=403)
    assert (reload_memory(memory.id).visibility, reload_memory(shared.id).visibility) == ("private", "space")


def test_spaces_without_membership_are_not_offered(alice: Client, family: UUID) -> None:
    garage = resolve_venue(person="bob", place=VenueNames("garage")).space
    assert garage is not None
    memory = create_memory("alice", TEXT)
    move(alice, memory, "space", garage.id, status=422)
    move(alice, memory, "channel", family, status=422)
    move(alice, memory, "private", resolve_venue(person="bob").venue.home, status=422)
    Membership.objects.filter(person__name="alice").update(left_at=NOON)
    move(alice, memory, "space", family, status=422)
    assert reload_memory(memory.id).version == 1


def test_moving_to_where_it_is_changes_nothing(alice: Client) -> None:
    memory = create_memory("alice", TEXT)
    move(alice, memory, "private", memory.space_id)
    with every_space():
        assert not Version.objects.exists()


def test_a_memory_changed_since_is_not_moved_back(alice: Client, family: UUID) -> None:
    memory = create_memory("alice", TEXT)
    answer = alice.post(f"/memories/{memory.id}/move/", {"to": f"space:{family}"}, follow=True)
    edit(
        at=MemoryRef(family, memory.id),
        changes={"summary": "Soup"},
        author=KITCHEN,
        now=NOON,
        encoder=current_encoder(),
    )
    assert "nothing left to undo" in alice.post(find_undo_path(answer.content.decode()), follow=True).content.decode()
    assert reload_memory(memory.id).visibility == "space"


def test_several_are_moved_at_once_and_back(alice: Client, family: UUID) -> None:
    memories = [create_memory("alice", text) for text in (TEXT, "Salad is on Monday.", CARD)]
    theirs = create_memory("bob", "Bob sings.", place=VenueNames("family"))
    ticked = {"memory": [str(memory.id) for memory in (*memories, theirs)]}
    asked = alice.post("/memories/move/", ticked)
    html = asked.content.decode()
    assert asked.status_code == 200
    assert "3 people will be able to see this." in html
    assert "Salad is on Monday." in html
    assert "Bob sings." not in html
    assert html.count('<input type="hidden" name="memory"') == 3
    answer = alice.post("/memories/move/", {**ticked, "to": f"space:{family}"}, follow=True)
    assert "Moved 2 memories. 3 people will be able to see this." in answer.content.decode()
    assert [reload_memory(memory.id).visibility for memory in memories] == ["space", "space", "private"]
    alice.post(find_undo_path(answer.content.decode()))
    assert [reload_memory(memory.id).visibility for memory in memories] == ["private", "private", "private"]


def test_moving_without_a_selection_says_so(alice: Client, root: Client) -> None:
    assert "Tick memories" in alice.post("/memories/move/", {}, follow=True).content.decode()
    assert root.post("/memories/move/", {"memory": [str(create_memory("alice", TEXT).id)]}).status_code == 403


def parted(api: Api, memory: Memory, name: str | None = None) -> str:
    """Of this memory, Anna Smith is someone else: the id of that one."""
    anna = next(one["id"] for one in listed(api) if one["name"] == "Anna Smith")
    body = {"memories": [str(memory.id)], **({"name": name} if name else {})}
    other: str = api.post(f"/entities/{anna}/split?person=alice", body).json()["id"]
    return other


def listed(api: Api) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.get("/entities?person=alice").json()["items"]
    return [one for one in items if one["type"] == "person"]


def of(api: Api, entity: str) -> set[str]:
    return {memory["id"] for memory in api.get(f"/memories?person=alice&entity={entity}").json()["items"]}


def test_manual_entity_links_survive_a_move(alice: Client, family: UUID, api: Api) -> None:
    other, also = (create_memory("alice", f"Anna Smith sings {what}.") for what in ("in the choir", "at home"))
    memory = create_memory("alice", TEXT)
    parted(api, memory)
    move(alice, memory, "space", family)
    annas = listed(api)
    assert sorted(one["mention_count"] for one in annas) == [1, 2]
    there = next(one["id"] for one in annas if one["mention_count"] == 1)
    assert of(api, there) == {str(memory.id)}
    move(alice, memory, "private", memory.space_id)
    assert sorted(one["mention_count"] for one in listed(api)) == [1, 2]
    back = next(one["id"] for one in listed(api) if one["mention_count"] == 1)
    assert api.post(f"/entities/{back}/unsplit?person=alice", {}).status_code == 204
    assert [one["mention_count"] for one in listed(api)] == [3]
    assert of(api, listed(api)[0]["id"]) == {str(one.id) for one in (memory, other, also)}


def test_private_entity_names_are_not_shown_to_others(alice: Client, family: UUID, api: Api) -> None:
    create_memory("alice", "Anna Smith sings in the choir.")
    memory = create_memory("alice", TEXT)
    parted(api, memory, "My awful boss")
    move(alice, memory, "space", family)
    names = api.get("/entities?person=bob&space=family").json()["items"]
    assert [one["name"] for one in names if one["type"] == "person"] == ["Anna Smith"]
    assert not [one for one in listed(api) if one["name"] == "My awful boss"]


def test_private_entity_names_stay_usable_by_their_owner(alice: Client, api: Api) -> None:
    create_memory("alice", "Anna Smith sings in the choir.")
    memory = create_memory("alice", TEXT)
    parted(api, memory, "My awful boss")
    move(alice, memory, "global", memory.space_id)
    assert {one["name"] for one in listed(api)} == {"Anna Smith", "My awful boss"}
