"""The pages of people: what is known of whom, settings that are one's own, and nobody else's page."""

import json
import re
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.utils import timezone

from memory_app.engine.enter import Place, enter
from memory_app.engine.notes.add_note import add_note
from memory_app.engine.summing.day import day
from memory_app.models import Membership, Person
from tests.dashboard.people import KITCHEN, kept, known, page
from tests.dashboard.proposals import read, said

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
    kept("alice", "We chose the blue tile.")
    kept("bob", "Bob rides a red bicycle.")
    rows = root.get("/people/?format=json").json()["items"]
    assert [(row["person"], row["memories"]) for row in rows] == [("alice", 1), ("bob", 1)]
    assert [row["person"] for row in alice.get("/people/?format=json").json()["items"]] == ["alice"]
    assert [row["person"] for row in root.get("/people/?format=json&q=BO").json()["items"]] == ["bob"]
    assert alice.get("/people/?format=json&q=bob").json()["items"] == []


def test_anothers_page_looks_like_one_that_is_not_there(alice: Client, bob: Client) -> None:
    for person in (known("bob"), uuid4()):
        assert alice.get(f"/people/{person}/").status_code == 404
        assert alice.get(f"/people/{person}/?format=json").status_code == 404
        assert settled(alice, person) == 404
    assert Person.objects.get(name="bob").extraction_policy == "ask"


def test_a_person_settles_how_their_memory_is_kept(alice: Client) -> None:
    assert settled(alice, known("alice")) == 302
    person = Person.objects.get(name="alice")
    assert (person.display_name, person.timezone, person.extraction_policy) == ("Alice L.", "Europe/Berlin", "auto")
    assert (person.language, person.sensitive_policy) == ("german", "sealed")
    assert person.memory_enabled
    assert alice.post(f"/people/{person.id}/", SETTINGS).status_code == 302
    assert not Person.objects.get(name="alice").memory_enabled
    assert "paused: nothing new is kept" in page(alice, f"/people/{person.id}/")


def test_each_day_that_was_gone_through_is_told(alice: Client) -> None:
    kept("alice", "We chose the blue tile.")
    assert "How each day was gone through" not in page(alice, f"/people/{known('alice')}/")
    assert day(person=enter(person="alice").person, now=timezone.now()) is not None
    html = page(alice, f"/people/{known('alice')}/")
    assert "How each day was gone through" in html
    assert "Decided:<br>- We chose the blue tile." in html


def test_a_super_user_settles_for_another(root: Client) -> None:
    person = known("bob")
    assert settled(root, person, display_name="Bob") == 302
    assert Person.objects.get(id=person).display_name == "Bob"


def test_what_is_no_setting_is_refused_and_changes_nothing(alice: Client) -> None:
    person = known("alice")
    for wrong in (
        {"timezone": "Mars/Olympus"},
        {"language": "klingon"},
        {"sensitive_policy": "told"},
        {"extraction_policy": "always"},
        {"display_name": "x" * 201},
    ):
        assert settled(alice, person, **wrong) == 422
    assert Person.objects.get(id=person).display_name == ""


def test_the_page_tells_what_is_known_and_where_it_came_from(alice: Client) -> None:
    entered = enter(person="alice", place=Place(space="family"))
    kept("alice", "We chose the blue tile.", type="fact")
    kept("alice", "My card number is 4111 1111 1111 1111.", type="fact")
    talk = said("alice", external_id="the weekend")
    read(talk)
    add_note(entered=entered, day=date(2026, 11, 19), text="Bought tea.", author=KITCHEN, now=timezone.now())
    html = page(alice, f"/people/{entered.person.id}/")
    assert "<li>“We chose the blue tile.” (" in html
    assert "4111 1111" not in html
    assert re.search(r"<dt>Spaces</dt><dd>family\s*</dd>", html)
    assert f'<a href="/conversations/{talk.id}/">the weekend</a>' in html
    assert re.search(r"<td[^>]*>it ended</td><td[^>]*>8</td>", html)
    assert "<h3>19 November 2026</h3>" in html
    assert "<li>Bought tea.</li>" in html


def test_of_a_person_a_super_user_sees_no_more_than_what_is_theirs(root: Client) -> None:
    kept("alice", "We chose the blue tile.")
    talk = said("bob", external_id="bob and the tiler")
    read(talk)
    html = page(root, f"/people/{known('alice')}/")
    assert "bob and the tiler" not in html
    assert "bob and the tiler" in page(root, f"/people/{known('bob')}/")


def test_a_space_that_was_left_says_so(alice: Client) -> None:
    entered = enter(person="alice", place=Place(space="family"))
    Membership.objects.filter(person=entered.person).update(left_at=timezone.now() - timedelta(hours=3))
    assert "left 3\xa0hours ago" in re.sub(r"</?time[^>]*>", "", page(alice, f"/people/{entered.person.id}/"))


def test_links_lead_to_what_one_may_use_alone(alice: Client, root: Client) -> None:
    assert 'href="/people/"' in page(alice, "/")
    assert 'href="/search/"' in page(alice, "/")
    assert 'href="/keys/"' not in page(alice, "/")
    assert 'href="/keys/"' in page(root, "/")


def test_everything_of_oneself_is_a_file_to_take_along(alice: Client, root: Client, bob: Client) -> None:
    kept("alice", "We chose the blue tile.")
    kept("bob", "Bob rides a red bicycle.")
    person = known("alice")
    assert f'href="/people/{person}/export/"' in page(alice, f"/people/{person}/")
    for reader in (alice, root):
        answer = reader.get(f"/people/{person}/export/")
        assert answer["Content-Disposition"] == 'attachment; filename="alice.jsonl"'
        lines = [json.loads(line) for line in answer.getvalue().splitlines()]
        assert [(line["kind"], line["content"]) for line in lines] == [("memory", "We chose the blue tile.")]
    assert bob.get(f"/people/{person}/export/").status_code == 404


def test_a_super_user_takes_someone_out_of_a_space_and_lets_them_back_in(alice: Client, root: Client) -> None:
    person = kept("alice", "The oven is hot", place=Place("kitchen")).person_id
    kept("bob", "Bob cleans the oven", place=Place("kitchen"))
    assert "Remove from kitchen" in page(root, f"/people/{person}/")
    assert "Remove from kitchen" not in page(alice, f"/people/{person}/")
    assert "Bob cleans the oven" in page(alice, "/shared/")
    membership = f"/people/{person}/membership/"
    assert alice.post(membership, {"space": "kitchen"}).status_code == 404
    assert root.post(membership, {"space": "kitchen"}).status_code == 302
    assert "Bob cleans the oven" not in page(alice, "/shared/")
    assert "The oven is hot" in page(alice, "/memories/")
    assert root.post(membership, {"space": "nowhere"}).status_code == 404
    assert "Let back into kitchen" in page(root, f"/people/{person}/")
    root.post(membership, {"space": "kitchen", "back": "1"})
    assert "Bob cleans the oven" in page(alice, "/shared/")


def test_what_lives_where_one_belongs_no_more_is_taken_back_and_not_changed(alice: Client, root: Client) -> None:
    memory = kept("alice", "The oven is hot", place=Place("kitchen"))
    root.post(f"/people/{memory.person_id}/membership/", {"space": "kitchen"})
    assert alice.post(f"/memories/{memory.id}/confirm/").status_code == 403
    assert alice.post(f"/memories/{memory.id}/forget/").status_code == 302
