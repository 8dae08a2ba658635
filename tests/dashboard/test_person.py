"""The pages of people: what is known of whom, settings that are one's own, and nobody else's page."""

import json
import re
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.utils import timezone

from memory_app.engine.summaries.daily_note import write_daily_note
from memory_app.engine.summaries.notes import add_note
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.models import Membership, Person
from tests.dashboard.factories import (
    KITCHEN,
    create_conversation,
    create_memory,
    extract_proposals,
    get_page,
    person_id,
)

SETTINGS = {
    "display_name": "Alice L.",
    "timezone": "Europe/Berlin",
    "language": "german",
    "extraction_policy": "auto",
    "sensitive_policy": "sealed",
}


def settled(client: Client, person: UUID, **changed: Any) -> int:
    return client.post(f"/people/{person}/", {**SETTINGS, "memory_enabled": "on", **changed}).status_code


def test_a_person_is_listed_alone_and_a_super_user_sees_everyone(alice: Client, root: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    create_memory("bob", "Bob rides a red bicycle.")
    rows = root.get("/people/?format=json").json()["items"]
    assert [(row["person"], row["memories"]) for row in rows] == [("alice", 1), ("bob", 1)]
    assert [row["person"] for row in alice.get("/people/?format=json").json()["items"]] == ["alice"]
    assert [row["person"] for row in root.get("/people/?format=json&q=BO").json()["items"]] == ["bob"]
    assert alice.get("/people/?format=json&q=bob").json()["items"] == []


def test_a_foreign_person_page_answers_as_missing(alice: Client, bob: Client) -> None:
    for person in (person_id("bob"), uuid4()):
        assert alice.get(f"/people/{person}/").status_code == 404
        assert alice.get(f"/people/{person}/?format=json").status_code == 404
        assert settled(alice, person) == 404
    assert Person.objects.get(name="bob").extraction_policy == "ask"


def test_a_person_changes_their_settings(alice: Client) -> None:
    assert settled(alice, person_id("alice")) == 302
    person = Person.objects.get(name="alice")
    assert (person.display_name, person.timezone, person.extraction_policy) == ("Alice L.", "Europe/Berlin", "auto")
    assert (person.language, person.sensitive_policy) == ("german", "sealed")
    assert person.memory_enabled
    assert alice.post(f"/people/{person.id}/", SETTINGS).status_code == 302
    assert not Person.objects.get(name="alice").memory_enabled
    assert "paused: nothing new is kept" in get_page(alice, f"/people/{person.id}/")


def test_processed_days_are_listed(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    assert "How each day was gone through" not in get_page(alice, f"/people/{person_id('alice')}/")
    assert write_daily_note(person=resolve_venue(person="alice").person, now=timezone.now()) is not None
    html = get_page(alice, f"/people/{person_id('alice')}/")
    assert "How each day was gone through" in html
    assert "Decided:<br>- We chose the blue tile." in html


def test_a_super_user_changes_settings_of_others(root: Client) -> None:
    person = person_id("bob")
    assert settled(root, person, display_name="Bob") == 302
    assert Person.objects.get(id=person).display_name == "Bob"


def test_an_invalid_setting_is_refused_and_changes_nothing(alice: Client) -> None:
    person = person_id("alice")
    for wrong in (
        {"timezone": "Mars/Olympus"},
        {"language": "klingon"},
        {"sensitive_policy": "told"},
        {"extraction_policy": "always"},
        {"display_name": "x" * 201},
    ):
        assert settled(alice, person, **wrong) == 422
    assert Person.objects.get(id=person).display_name == ""


def test_the_page_lists_counts_and_sources(alice: Client) -> None:
    venue_context = resolve_venue(person="alice", place=VenueNames(space="family"))
    create_memory("alice", "We chose the blue tile.", type="fact")
    create_memory("alice", "My card number is 4111 1111 1111 1111.", type="fact")
    talk = create_conversation("alice", external_id="the weekend")
    extract_proposals(talk)
    add_note(
        venue_context=venue_context, day=date(2026, 11, 19), text="Bought tea.", author=KITCHEN, now=timezone.now()
    )
    html = get_page(alice, f"/people/{venue_context.person.id}/")
    assert "<li>“We chose the blue tile.” (" in html
    assert "4111 1111" not in html
    assert re.search(r"<dt>Spaces</dt>\s*<dd>\s*family\s*</dd>", html)
    assert f'<a href="/conversations/{talk.id}/">the weekend</a>' in html
    assert re.search(r"<td[^>]*>\s*it ended\s*</td>\s*<td[^>]*>\s*8\s*</td>", html)
    assert "<h3>19 November 2026</h3>" in html
    assert "<li>Bought tea.</li>" in html


def test_a_super_user_sees_only_that_persons_own_rows(root: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    talk = create_conversation("bob", external_id="bob and the tiler")
    extract_proposals(talk)
    html = get_page(root, f"/people/{person_id('alice')}/")
    assert "bob and the tiler" not in html
    assert "bob and the tiler" in get_page(root, f"/people/{person_id('bob')}/")


def test_a_space_that_was_left_says_so(alice: Client) -> None:
    venue_context = resolve_venue(person="alice", place=VenueNames(space="family"))
    Membership.objects.filter(person=venue_context.person).update(left_at=timezone.now() - timedelta(hours=3))
    html = re.sub(r"\s*</?time[^>]*>\s*", " ", get_page(alice, f"/people/{venue_context.person.id}/"))
    assert "left 3 hours ago" in html


def test_only_permitted_links_are_shown(alice: Client, root: Client) -> None:
    assert 'href="/people/"' in get_page(alice, "/")
    assert 'href="/search/"' in get_page(alice, "/")
    assert 'href="/logins/"' not in get_page(alice, "/")
    assert 'href="/logins/"' in get_page(root, "/")


def test_a_person_downloads_all_their_data(alice: Client, root: Client, bob: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    create_memory("bob", "Bob rides a red bicycle.")
    person = person_id("alice")
    assert f'href="/people/{person}/export/"' in get_page(alice, f"/people/{person}/")
    for reader in (alice, root):
        answer = reader.get(f"/people/{person}/export/")
        assert answer["Content-Disposition"] == 'attachment; filename="alice.jsonl"'
        lines = [json.loads(line) for line in answer.getvalue().splitlines()]
        assert [(line["kind"], line["content"]) for line in lines] == [("memory", "We chose the blue tile.")]
    assert bob.get(f"/people/{person}/export/").status_code == 404


def test_a_super_user_takes_someone_out_of_a_space_and_lets_them_back_in(alice: Client, root: Client) -> None:
    person = create_memory("alice", "The oven is hot", place=VenueNames("kitchen")).person_id
    create_memory("bob", "Bob cleans the oven", place=VenueNames("kitchen"))
    assert "Remove from kitchen" in get_page(root, f"/people/{person}/")
    assert "Remove from kitchen" not in get_page(alice, f"/people/{person}/")
    assert "Bob cleans the oven" in get_page(alice, "/shared/")
    membership = f"/people/{person}/membership/"
    assert alice.post(membership, {"space": "kitchen"}).status_code == 404
    assert root.post(membership, {"space": "kitchen"}).status_code == 302
    assert "Bob cleans the oven" not in get_page(alice, "/shared/")
    assert "The oven is hot" in get_page(alice, "/memories/")
    assert root.post(membership, {"space": "nowhere"}).status_code == 404
    assert "Let back into kitchen" in get_page(root, f"/people/{person}/")
    root.post(membership, {"space": "kitchen", "back": "1"})
    assert "Bob cleans the oven" in get_page(alice, "/shared/")


def test_memories_in_a_left_space_can_be_deleted_but_not_edited(alice: Client, root: Client) -> None:
    memory = create_memory("alice", "The oven is hot", place=VenueNames("kitchen"))
    root.post(f"/people/{memory.person_id}/membership/", {"space": "kitchen"})
    assert alice.post(f"/memories/{memory.id}/confirm/").status_code == 403
    assert alice.post(f"/memories/{memory.id}/forget/").status_code == 302
