"""What is said in a shared space is seen by who belongs to it, and by no one else; it is changed by whose it is."""

import pytest
from django.test import Client
from django.utils import timezone

from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.models import Membership
from tests.dashboard.factories import create_memory, get_page, memory_contents

FAMILY, TEAM = VenueNames("family"), VenueNames("team")


@pytest.fixture
def family(alice: Client) -> Client:
    """Alice belongs to the family, as Bob does; the team is Bob's alone."""
    create_memory("alice", "The calendar hangs beside the fridge.", place=FAMILY)
    create_memory("bob", "The spare key is under the pot.", place=FAMILY)
    create_memory("bob", "The budget is frozen.", place=TEAM)
    create_memory("bob", "Bob rides a red bicycle.")
    create_memory("bob", "Bob whispers in the attic.", place=VenueNames("family", "attic", restricted=True))
    return alice


def items(client: Client, query: str = "") -> list[str]:
    answer = client.get(f"/shared/?format=json{query}")
    assert answer.status_code == 200
    return [item["content"] for item in answer.json()["items"]]


def test_a_member_sees_all_memories_of_the_space(family: Client) -> None:
    assert items(family) == ["The spare key is under the pot.", "The calendar hangs beside the fridge."]
    html = get_page(family, "/shared/")
    assert "The spare key is under the pot." in html
    assert "budget" not in html + get_page(family, "/shared/", space="team")
    assert family.get("/shared/?format=json").json()["spaces"] == ["family"]


def test_a_foreign_space_answers_as_missing(family: Client) -> None:
    told = [
        get_page(family, "/shared/", space=name).partition("<main")[2].partition("</main>")[0]
        for name in ("team", "none")
    ]
    assert told[0] == told[1]
    twins = [family.get(f"/shared/?format=json&space={name}").content for name in ("team", "none")]
    assert twins[0] == twins[1]
    assert items(family, "&space=team") == []


def test_a_former_member_sees_nothing(family: Client) -> None:
    Membership.objects.filter(person__name="alice", space__name="family").update(left_at=timezone.now())
    assert items(family) == []


def test_a_stranger_sees_nothing_and_a_super_user_all(family: Client, bob: Client, root: Client) -> None:
    assert len(items(bob)) == 3
    assert len(items(root)) == 3
    Membership.objects.filter(person__name="bob").delete()
    assert items(bob) == []


def test_memories_of_others_are_readable_but_not_linked(family: Client, bob: Client) -> None:
    theirs = create_memory("bob", "The ladder is lent to Charlie.", place=FAMILY)
    assert f"/memories/{theirs.id}/" not in get_page(family, "/shared/")
    assert f"/memories/{theirs.id}/" in get_page(bob, "/shared/")
    assert family.post(f"/memories/{theirs.id}/forget/").status_code == 404
    assert "The ladder is lent to Charlie." in memory_contents("bob")


def test_deleted_and_sensitive_memories_are_not_shown(family: Client, bob: Client) -> None:
    gone = create_memory("bob", "The cellar is full.", place=FAMILY)
    bob.post(f"/memories/{gone.id}/forget/")
    create_memory("bob", "My card number is 4111 1111 1111 1111.", place=FAMILY)
    html = get_page(family, "/shared/")
    assert "cellar" not in html
    assert "4111" not in html
    assert "4111" not in str(items(family))


def test_a_person_without_spaces_is_told_so(alice: Client) -> None:
    resolve_venue(person="alice")
    assert "Nothing is shared here" in get_page(alice, "/shared/")
