"""The list of what was forgotten: all that match brought back at once, and what is said of it."""

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_memory, get_page, reload_memory

pytestmark = pytest.mark.django_db


def forgotten(client: Client, *contents: str) -> list[Memory]:
    rows = [create_memory("alice", content) for content in contents]
    for row in rows:
        client.post(f"/memories/{row.id}/forget/")
    return rows


def said(client: Client, **posted: object) -> list[str]:
    answer = client.post("/deleted/restore/", {key: value for key, value in posted.items() if value is not None})
    told = [str(message) for message in get_messages(answer.wsgi_request)]
    return told[-1:]


def back(rows: list[Memory]) -> list[bool]:
    return [reload_memory(row.id).deleted_at is None for row in rows]


def test_all_matching_memories_are_restored_at_once(alice: Client) -> None:
    tiles = forgotten(alice, *(f"The tile of room {number} is grey." for number in range(30)))
    saw = forgotten(alice, "The saw is blunt.")
    assert "All 30 that match" in get_page(alice, "/deleted/", q="tile")
    assert said(alice, every="on", next="/deleted/?q=tile") == ["Brought back 30 memories."]
    assert back(tiles) == [True] * 30
    assert back(saw) == [False]


def test_memories_deleted_after_the_page_loaded_stay_deleted(alice: Client) -> None:
    read = timezone.now()
    late = forgotten(alice, "The tile is blue.")
    before = (read - timedelta(minutes=1)).isoformat()
    assert said(alice, every="on", next="/deleted/", seen=before) == ["Tick the memories to bring back first."]
    assert back(late) == [False]


def test_restoring_all_matches_leaves_other_people_alone(alice: Client, bob: Client) -> None:
    mine = forgotten(alice, "The tile is blue.")
    assert said(bob, every="on", next="/deleted/") == ["Tick the memories to bring back first."]
    assert said(bob, memory=str(mine[0].id)) == ["Tick the memories to bring back first."]
    assert back(mine) == [False]


def test_after_thirty_days_only_a_super_user_restores(alice: Client, root: Client) -> None:
    rows = forgotten(alice, "The tile is blue.")
    with every_space():
        Memory.objects.filter(id=rows[0].id).update(deleted_at=timezone.now() - timedelta(days=30, minutes=1))
    assert "The tile is blue." not in alice.get("/deleted/").content.decode()
    assert said(alice, memory=str(rows[0].id)) == ["Tick the memories to bring back first."]
    assert said(root, memory=str(rows[0].id)) == ["Brought back 1 memory."]


def test_a_restored_memory_that_stays_superseded_says_so(alice: Client) -> None:
    volvo, _ = (
        create_memory("alice", "My car is a Volvo.", key="car"),
        create_memory("alice", "My car is a Tesla.", key="car"),
    )
    alice.post(f"/memories/{volvo.id}/forget/")
    assert said(alice, memory=str(volvo.id)) == ["Brought back 1 memory. It stays replaced by what is newer."]
