"""Merging one person into another on the pages: previewed, listed for 30 days, and taken back. For super users."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from html import unescape
from uuid import UUID

import pytest
import time_machine
from django.test import Client

from memory_app.engine.venue_context import VenueNames
from memory_app.models import Merge, Person, User
from memory_app.models.row_security import every_space
from tests.dashboard.factories import (
    NOON,
    create_conversation,
    create_login,
    create_memory,
    extract_proposals,
    get_page,
    memory_contents,
    person_id,
)

pytestmark = pytest.mark.django_db


def text(html: str) -> str:
    return " ".join(html.split())


def merged(root: Client, person: str, into: str) -> str:
    return root.post(f"/people/{person_id(person)}/merge/", {"into": into}, follow=True).content.decode()


def last() -> UUID:
    with every_space():
        return Merge.objects.order_by("-at", "-id")[0].id


def undone(root: Client, merge: UUID) -> str:
    return root.post(f"/people/merges/{merge}/undo/", follow=True).content.decode()


@pytest.fixture
def guest(db: None) -> None:
    """A guest, and Alice: they have one text and one slot in common; she is not in the garage, where the guest is."""
    create_memory("guest", "The guest likes tea")
    create_memory("guest", "Soup is on Tuesdays")
    create_memory("guest", "The guest lives in Rome", key="home")
    create_memory("guest", "The saw is blunt", place=VenueNames("garage"))
    extract_proposals(create_conversation("guest"))
    create_memory("alice", "Soup is on Tuesdays")
    create_memory("alice", "Alice lives in Porto", key="home")


def test_the_page_of_merges_links_to_the_log_of_merges_alone(guest: None, root: Client) -> None:
    merged(root, "guest", "alice")
    page = root.get("/people/merges/").content.decode()
    (link,) = re.findall(r'href="(/logs/\?[^"]*)"', page)
    listed = root.get(f"{unescape(link)}&format=json").json()["items"]
    assert {row["operation"] for row in listed} == {"merge_people"}


def test_a_merge_is_previewed(guest: None, root: Client) -> None:
    path = f"/people/{person_id('guest')}/merge/?into=alice"
    told = root.get(f"{path}&format=json").json()
    assert told == {
        "person": "guest",
        "into": "alice",
        "counts": {
            "memories": 3,
            "conversations": 1,
            "turns": 8,
            "proposals": 3,
            "notes": 0,
            "receipts": 0,
            "items": 0,
            "documents": 0,
            "signals": 0,
            "conflicts": 0,
            "duplicates": 1,
            "replaced": 1,
        },
        "staying": 1,
    }
    html = text(get_page(root, path))
    assert "3 memories, 1 conversation, 8 turns and 3 proposals would pass to" in html
    assert "1 memory in the same words: the older one is forgotten" in html
    assert "1 memory of the same slot: the newer one stands" in html
    assert "1 memory of spaces that alice is not in" in html
    assert memory_contents("alice") == {"Soup is on Tuesdays", "Alice lives in Porto"}
    with every_space():
        assert not Merge.objects.exists()


def test_the_preview_matches_the_merge(guest: None, root: Client) -> None:
    told = root.get(f"/people/{person_id('guest')}/merge/?into=alice&format=json").json()["counts"]
    assert "Merged: 3 memories, 1 conversation, 8 turns and 3 proposals of guest passed to alice." in merged(
        root, "guest", "alice"
    )
    [item] = root.get("/people/merges/?format=json").json()["items"]
    assert item["counts"] == told
    assert (item["person"], item["into"], item["by"], item["can_be_undone"]) == ("guest", "alice", "user:root", True)


def test_a_merge_is_undone(guest: None, root: Client) -> None:
    before = memory_contents("guest"), memory_contents("alice")
    merged(root, "guest", "alice")
    assert memory_contents("guest") == {"The saw is blunt"}
    assert "Taken back. What alice had of guest is guest’s again." in undone(root, last())
    assert (memory_contents("guest"), memory_contents("alice")) == before
    html = get_page(root, "/people/merges/")
    assert "taken back" in html
    assert "Take back:" not in html
    assert "This was taken back already" in undone(root, last()) or "was not merged into" in undone(root, last())


def test_the_latest_merge_is_undone_first(root: Client) -> None:
    person_id("alice")
    create_memory("guest", "The guest likes tea")
    merged(root, "guest", "alice")
    first = last()
    create_memory("guest", "The guest likes cake")
    merged(root, "guest", "alice")
    html = get_page(root, "/people/merges/")
    assert html.count("Take back:") == 1
    assert "that merge goes back first" in html
    assert "merged again since; then take that merge back first." in undone(root, first)
    assert memory_contents("alice") == {"The guest likes tea", "The guest likes cake"}
    undone(root, last())
    assert memory_contents("alice") == {"The guest likes tea"}
    undone(root, first)
    assert memory_contents("alice") == set()


def test_after_thirty_days_a_merge_cannot_be_undone() -> None:
    super_user = create_login("root", everyone=True)
    with _signed_in(super_user, NOON) as root:
        person_id("alice")
        create_memory("guest", "The guest likes tea")
        merged(root, "guest", "alice")
    with _signed_in(super_user, NOON + timedelta(days=29, hours=23)) as root:
        assert "Take back:" in get_page(root, "/people/merges/")
    with _signed_in(super_user, NOON + timedelta(days=30, seconds=1)) as root:
        assert "Nobody was merged" in get_page(root, "/people/merges/")
        assert "more than 30 days ago" in undone(root, last())
    assert memory_contents("alice") == {"The guest likes tea"}


@contextmanager
def _signed_in(user: User, at: datetime) -> Iterator[Client]:
    """A browser at that time: a session lasts two weeks."""
    with time_machine.travel(at, tick=False):
        client = Client()
        client.force_login(user)
        yield client


@pytest.mark.parametrize(
    ("into", "said"),
    [
        ("", "Name whom to merge this person into."),
        ("guest", "Name another person"),
        ("alcie", "Nothing is known of a person"),
    ],
)
def test_nothing_is_merged_into_an_unknown_person(guest: None, root: Client, into: str, said: str) -> None:
    before = memory_contents("guest")
    answer = root.post(f"/people/{person_id('guest')}/merge/", {"into": into})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert memory_contents("guest") == before
    assert not Person.objects.filter(name="alcie").exists()


def test_merges_are_for_super_users_only(guest: None, alice: Client, bob: Client, root: Client) -> None:
    merged(root, "guest", "alice")
    mine = person_id("alice")
    asked = [
        alice.get("/people/merges/"),
        alice.get(f"/people/{mine}/merge/?into=guest"),
        alice.post(f"/people/{mine}/merge/", {"into": "guest"}),
        bob.post(f"/people/merges/{last()}/undo/"),
    ]
    assert [answer.status_code for answer in asked] == [404] * 4
    assert "The guest likes tea" in memory_contents("alice")
    assert "Merge this person" not in get_page(alice, f"/people/{mine}/")
    assert "Who was merged" not in get_page(alice, "/people/")
    assert "Who was merged" in get_page(root, "/people/")
