"""The day's notes as they are told: without what was forgotten, with it again when it is back."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client

from memory_app.engine.audit.log import Author
from memory_app.engine.summaries.daily_note import write_daily_note
from memory_app.engine.summaries.notes import add_note
from memory_app.engine.venue_context import resolve_venue
from tests.conftest import Api
from tests.dashboard.factories import create_login

pytestmark = pytest.mark.django_db


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _at_noon() -> Iterator[None]:
    with time_machine.travel(NOON):
        yield


@pytest.fixture
def today(api: Api) -> str:
    """Two memories of Alice, in the note of her day; returns the day."""
    api.remember("alice", "Anna plays the cello")
    api.remember("alice", "The tile is blue")
    now = datetime.now(UTC)
    venue_context = resolve_venue(person="alice")
    assert write_daily_note(person=venue_context.person, now=now)
    return f"{now.date()}"


def told(api: Api, today: str) -> list[str]:
    answer = api.get(f"/people/alice/notes/{today}")
    assert answer.status_code == 200, answer.content
    texts = [item["text"] for item in answer.json()["notes"]]
    assert answer.json()["text"] == (f"# {today}\n\n" + "".join(f"- {text}\n" for text in texts) if texts else "")
    return texts


def id_of(api: Api, content: str) -> str:
    items = api.get("/memories?person=alice").json()["items"]
    return str(next(item["id"] for item in items if item["content"] == content))


def test_a_forgotten_memory_is_not_told_and_is_when_it_is_back(api: Api, today: str) -> None:
    assert told(api, today) == ["Learned:\n- Anna plays the cello\n- The tile is blue"]
    cello = id_of(api, "Anna plays the cello")
    api.call("DELETE", f"/memories/{cello}")
    assert told(api, today) == ["Learned:\n- The tile is blue"]
    api.post(f"/admin/memories/{cello}/restore", {})
    assert told(api, today) == ["Learned:\n- Anna plays the cello\n- The tile is blue"]


def test_of_a_note_of_forgotten_memories_nothing_is_told(api: Api, today: str) -> None:
    for content in ("Anna plays the cello", "The tile is blue"):
        api.call("DELETE", f"/memories/{id_of(api, content)}")
    assert told(api, today) == []


def test_what_was_reworded_before_it_was_forgotten_is_not_told_in_its_old_words(api: Api, today: str) -> None:
    cello = id_of(api, "Anna plays the cello")
    changed = api.call("PATCH", f"/memories/{cello}", {"content": "Anna plays the viola", "summary": "The viola"})
    assert changed.status_code == 200, changed.content
    api.call("DELETE", f"/memories/{cello}")
    assert told(api, today) == ["Learned:\n- The tile is blue"]


def test_what_someone_noted_in_the_same_words_stands(api: Api, today: str) -> None:
    author, now = Author("key", "tests"), datetime.now(UTC)
    add_note(
        venue_context=resolve_venue(person="alice"), day=now.date(), text="- The tile is blue", author=author, now=now
    )
    api.call("DELETE", f"/memories/{id_of(api, 'The tile is blue')}")
    assert told(api, today) == ["Learned:\n- Anna plays the cello", "- The tile is blue"]


def test_the_page_of_the_person_tells_as_little(api: Api, today: str) -> None:
    client = Client()
    client.force_login(create_login("alice", person="alice"))
    path = f"/people/{resolve_venue(person='alice').person.id}/"
    assert "- The tile is blue" in client.get(path).content.decode()
    api.call("DELETE", f"/memories/{id_of(api, 'The tile is blue')}")
    html = client.get(path).content.decode()
    assert "- Anna plays the cello" in html
    assert "The tile is blue" not in html
