"""The page of one memory: edit, correct, confirm, forget, undo, and what is shown of something sensitive."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.viewer import memory_ref
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.edit import edit
from memory_app.engine.memories.memory_input import MemorySource
from memory_app.engine.summaries.reflect import reflect
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Memory
from tests.dashboard.factories import KITCHEN, NOON, create_memory, find_undo_path, memory_contents, reload_memory

CARD = "My card number is 4111 1111 1111 1111."


def html(client: Client, memory: Memory, **parameters: str) -> str:
    answer = client.get(f"/memories/{memory.id}/", parameters)
    assert answer.status_code == 200
    return answer.content.decode()


def form(memory: Memory, **typed: Any) -> dict[str, Any]:
    """What a browser sends of the edit form, with some of it typed over."""
    now = reload_memory(memory.id)
    fields = {"version": now.version, "content": now.content, "summary": now.summary, "type": now.type}
    more = {"category": now.category, "key": now.key, "keywords": ", ".join(now.keywords), "tags": ", ".join(now.tags)}
    return {**fields, **more, "event_time": "", "expires_at": "", **typed}


def test_an_edit_changes_only_the_edited_fields(alice: Client) -> None:
    memory = create_memory("alice", "We chose the red tile.", tags=["house"], type="decision")
    answer = alice.post(f"/memories/{memory.id}/edit/", form(memory, content="We chose the blue tile.", summary=""))
    assert answer["Location"] == f"/memories/{memory.id}/"
    now = reload_memory(memory.id)
    assert (now.content, now.summary, now.tags, now.type) == (
        "We chose the blue tile.",
        "We chose the blue tile.",
        ["house"],
        "decision",
    )
    assert (now.version, now.changed_by) == (2, "user:alice")


def test_saving_without_a_change_makes_no_version(alice: Client) -> None:
    memory = create_memory("alice", "Line one.\nLine two.")
    answer = alice.post(f"/memories/{memory.id}/edit/", form(memory, content="Line one.\r\nLine two."), follow=True)
    assert "Nothing was different" in answer.content.decode()
    assert reload_memory(memory.id).version == 1


def test_words_are_read_between_commas_and_times_in_the_readers_zone(alice: Client) -> None:
    memory = create_memory("alice", "Dinner with Bob.")
    memory.person.timezone = "Europe/Berlin"
    memory.person.save()
    typed = form(memory, tags=" food ,, friends,food ", event_time="2026-12-04T20:00:00")
    assert alice.post(f"/memories/{memory.id}/edit/", typed).status_code == 302
    now = reload_memory(memory.id)
    assert now.tags == ["food", "friends"]
    assert now.event_time is not None
    assert now.event_time.isoformat() == "2026-12-04T19:00:00+00:00"
    assert 'value="2026-12-04T20:00:00"' in alice.get(f"/memories/{memory.id}/edit/").content.decode()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"content": "   "}, "This field is required."),
        ({"content": "nul\x00"}, "Null characters are not allowed."),
        ({"tags": "nul\x00"}, "Null characters are not allowed."),
        ({"type": "dream"}, "dream is not one of the available choices."),
        ({"tags": "x" * 101}, "A word has at most 100 characters."),
        ({"keywords": ",".join(map(str, range(51)))}, "At most 50 words."),
        ({"event_time": "tomorrow"}, "Enter a valid date/time."),
        ({"version": "two"}, "Enter a whole number."),
    ],
)
def test_what_cannot_be_saved_is_said_beside_its_field_and_stays_typed(
    alice: Client, typed: dict[str, str], said: str
) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    answer = alice.post(f"/memories/{memory.id}/edit/", form(memory, **{"summary": "Tiles, at last", **typed}))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "Tiles, at last" in answer.content.decode()
    assert reload_memory(memory.id).version == 1


def test_an_edit_over_a_change_made_meanwhile_loses_nothing_and_asks(alice: Client) -> None:
    memory = create_memory("alice", "We chose the red tile.")
    typed = form(memory, content="We chose the blue tile.", tags="mine")
    edit(
        at=memory_ref(memory),
        changes={"content": "We chose the green tile."},
        author=KITCHEN,
        now=NOON,
        encoder=current_encoder(),
    )
    answer = alice.post(f"/memories/{memory.id}/edit/", typed)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "It changed meanwhile" in page
    assert "an assistant (kitchen) changed this memory" in page
    assert "<del>green</del><ins>blue</ins>" in page
    assert 'value="mine"' in page
    assert reload_memory(memory.id).content == "We chose the green tile."
    assert alice.post(f"/memories/{memory.id}/edit/", {**typed, "version": "2"}).status_code == 302
    now = reload_memory(memory.id)
    assert (now.content, now.tags, now.version) == ("We chose the blue tile.", ["mine"], 3)


def test_versions_are_compared_word_by_word(alice: Client) -> None:
    memory = create_memory("alice", "We chose the red tile.")
    for colour in ("green", "blue"):
        alice.post(f"/memories/{memory.id}/edit/", form(memory, content=f"We chose the {colour} tile.", summary="Tile"))
    assert "We chose the <del>green</del><ins>blue</ins> tile." in html(alice, memory)
    assert "We chose the <del>red</del><ins>blue</ins> tile." in html(alice, memory, **{"from": "1", "to": "3"})
    assert "We chose the <del>red</del><ins>green</ins> tile." in html(alice, memory, **{"from": "2", "to": "1"})
    assert "We chose the <del>green</del><ins>blue</ins> tile." in html(alice, memory, **{"from": "9", "to": "x"})


def test_a_correction_supersedes_the_old_memory_and_both_are_linked(alice: Client) -> None:
    old = create_memory("alice", "The plumber comes on Tuesday.")
    answer = alice.post(f"/memories/{old.id}/correct/", {"content": "The plumber comes on Wednesday."}, follow=True)
    new = reload_memory(answer.redirect_chain[0][0].split("/")[2])
    assert f'href="/memories/{old.id}/"' in answer.content.decode()
    assert f'href="/memories/{new.id}/"' in html(alice, old)
    again = alice.post(f"/memories/{old.id}/correct/", {"content": "The plumber comes on Friday."})
    assert again.status_code == 409
    assert "already replaced" in again.content.decode()
    assert "The plumber comes on Friday." in again.content.decode()


def test_confirming_protects_a_memory(alice: Client) -> None:
    memory = create_memory("alice", "Charlie is allergic to hazelnuts.", confidence=0.5)
    alice.post(f"/memories/{memory.id}/confirm/")
    now = reload_memory(memory.id)
    assert (now.protected, now.confidence) == (True, 1.0)
    assert "Kept for good." in html(alice, memory)


def test_deleting_can_be_undone_at_once_and_later(alice: Client) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    said = alice.post(f"/memories/{memory.id}/forget/", follow=True).content.decode()
    assert "Forgotten. No assistant will recall this any more." in said
    undo = find_undo_path(said)
    assert undo in alice.get("/memories/").content.decode()
    assert undo in alice.get("/").content.decode()
    alice.post(undo)
    assert memory_contents("alice") == {"We chose the blue tile."}
    assert undo not in alice.get("/memories/").content.decode()
    assert "There was nothing left to undo." in alice.post(undo, follow=True).content.decode()


def test_several_memories_are_deleted_and_restored_together(alice: Client) -> None:
    texts = {"We chose the blue tile.", "Bob plays chess.", "Tea at five."}
    memories = [create_memory("alice", text) for text in sorted(texts)]
    answer = alice.post(
        "/memories/forget/", {"memory": [memory.id for memory in memories[:2]], "next": "/memories/?q=t"}, follow=True
    )
    said = answer.content.decode()
    assert answer.redirect_chain == [("/memories/?q=t", 302)]
    assert "Forgot 2 memories." in said
    assert memory_contents("alice") == {"We chose the blue tile."}
    alice.post(find_undo_path(said))
    assert memory_contents("alice") == texts


def test_a_deleted_memory_is_restored_on_its_page_before_it_can_be_edited(alice: Client) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    alice.post(f"/memories/{memory.id}/forget/")
    assert f"/memories/{memory.id}/restore/" in html(alice, memory)
    assert alice.get(f"/memories/{memory.id}/edit/").status_code == 404
    alice.post(f"/memories/{memory.id}/restore/")
    assert reload_memory(memory.id).tier == "active"


def test_a_sensitive_memory_is_masked_until_revealed(alice: Client) -> None:
    memory = create_memory("alice", CARD, source=MemorySource("explicit"))
    path = f"/memories/{memory.id}/"
    for address in (path, f"{path}?format=json", f"{path}edit/", f"{path}correct/"):
        assert "4111 1111" not in alice.get(address).content.decode(), address
    alice.post(f"{path}reveal/")
    assert CARD in html(alice, memory)
    assert CARD in alice.get(f"{path}edit/").content.decode()
    alice.post(f"{path}reveal/", {"hide": "1"})
    assert "4111 1111" not in html(alice, memory)


def test_a_sensitive_memory_hides_itself_after_some_minutes(alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = create_memory("alice", CARD, source=MemorySource("explicit"))
    alice.post(f"/memories/{memory.id}/reveal/")
    later = timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert "4111 1111" not in html(alice, memory)


def test_versions_of_a_sensitive_memory_are_masked(alice: Client) -> None:
    memory = create_memory("alice", CARD, source=MemorySource("explicit"))
    edit(
        at=memory_ref(memory),
        changes={"content": f"{CARD} It is blue."},
        author=KITCHEN,
        now=NOON,
        encoder=current_encoder(),
    )
    assert "4111 1111" not in html(alice, memory)
    assert "Show the memory to see what changed." in html(alice, memory)


def test_an_earlier_version_is_restored_by_a_button(alice: Client) -> None:
    memory = create_memory("alice", "The door is green")
    for content in ("The door is blue", "The door is red"):
        edit(at=memory_ref(memory), changes={"content": content}, author=KITCHEN, now=NOON, encoder=current_encoder())
    shown = html(alice, memory)
    assert [f'aria-label="Put back version {n}"' in shown for n in (1, 2, 3)] == [True, True, False]
    answer = alice.post(f"/memories/{memory.id}/revert/", {"version": "1"})
    assert (answer.status_code, reload_memory(memory.id).content, reload_memory(memory.id).version) == (
        302,
        "The door is green",
        4,
    )
    told = html(alice, memory)
    assert "It is as version 1 was again. This is version 4." in told
    assert alice.post(f"/memories/{memory.id}/revert/", {"version": "4"}).status_code == 302
    assert reload_memory(memory.id).version == 4


def test_only_existing_versions_of_own_memories_are_restored(alice: Client, bob: Client) -> None:
    memory = create_memory("alice", "The door is green")
    edit(
        at=memory_ref(memory),
        changes={"content": "The door is blue"},
        author=KITCHEN,
        now=NOON,
        encoder=current_encoder(),
    )
    assert bob.post(f"/memories/{memory.id}/revert/", {"version": "1"}).status_code == 404
    for version in ("", "9", "first", "-1", "٣", "9" * 20):
        assert alice.post(f"/memories/{memory.id}/revert/", {"version": version}).status_code == 404
    assert reload_memory(memory.id).content == "The door is blue"


def test_each_line_of_a_reflection_is_linked_to_its_sources_and_confirmed(alice: Client) -> None:
    chosen = create_memory("alice", "We chose the blue tile.", type="decision")
    create_memory("alice", "Anna plays the cello.")
    create_memory("alice", "The attic is cold.")
    made = reflect(person=resolve_venue(person="alice").person, now=timezone.now(), encoder=current_encoder())
    assert made is not None
    shown = alice.get(f"/memories/{made.id}/").content.decode()
    assert "Decided: We chose the blue tile." in shown
    assert "From 3 memories" in shown
    assert f'href="/memories/{chosen.id}/"' in shown
    answer = alice.post("/fading/keep/", {"memory": str(chosen.id), "next": f"/memories/{made.id}/"})
    assert answer.headers["Location"] == f"/memories/{made.id}/"
    assert reload_memory(chosen.id).protected
