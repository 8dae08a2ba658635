"""Daily notes on their page, in a search and in a super user's; and what assistants were told, brief by brief."""

import pytest
from django.test import Client

from tests.conftest import Api
from tests.dashboard.factories import create_memory

pytestmark = pytest.mark.django_db

DAY = "2026-11-20"


@pytest.fixture
def note(api: Api) -> str:
    """Of Alice; Bob has one too, and one of hers is sensitive."""
    api.post(f"/people/bob/notes/{DAY}", {"text": "The saw is blunt"})
    api.post(f"/people/alice/notes/{DAY}", {"text": "My card is 4111 1111 1111 1111"})
    return str(api.post(f"/people/alice/notes/{DAY}", {"text": "The plumber mended the <b>boiler</b>"}).json()["id"])


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_notes_are_read_searched_edited_deleted_and_restored(alice: Client, note: str) -> None:
    html = page(alice, "/notes/")
    assert "mended the &lt;b&gt;boiler&lt;/b&gt;" in html
    assert "4111" not in html
    assert "saw" not in html
    assert "boiler" not in page(alice, "/notes/?q=pump")
    part = alice.get("/notes/?q=boiler", headers={"HX-Request": "true", "HX-Target": "results"}).content.decode()
    assert "<html" not in part
    assert f"/notes/{note}/forget/" in part
    assert alice.post(f"/notes/{note}/correct/", {"text": "The plumber mended the pump"}).status_code == 302
    assert "mended the pump" in page(alice, "/notes/?q=pump")
    alice.post(f"/notes/{note}/forget/", {"next": "/notes/"})
    assert alice.post(f"/notes/{note}/forget/").status_code == 404
    gone = page(alice, "/notes/?tier=deleted")
    assert ("corrected" in gone, "mended the pump" in gone) == (True, True)
    assert "mended the pump" not in page(alice, "/notes/")
    alice.post(f"/notes/{note}/restore/")
    [found] = alice.get("/notes/?q=pump&format=json").json()["items"]
    assert (found["id"], found["deleted_at"]) == (note, None)


def test_a_note_is_found_by_search(alice: Client, root: Client, api: Api, note: str) -> None:
    assert "mended the" in page(alice, "/search/?q=boiler&kind=note")
    [found] = alice.get("/search/?q=boiler&kind=note&method=text&format=json").json()["results"]
    assert found["note"]["id"] == note
    alice.post(f"/notes/{note}/forget/")
    found = api.post("/admin/search", {"query": "boiler", "tiers": ["deleted"]}).json()
    assert (found["totals"], found["items"][0]["note"]["person"]) == ({"deleted": 1}, "alice")
    assert f"/notes/{note}/restore/" in page(root, "/everywhere/?q=boiler")
    assert root.get("/everywhere/?q=saw&format=json").json()["items"][0]["note"]["person"] == "bob"
    assert "saw" in page(root, "/notes/")


def test_briefs_given_to_assistants_are_listed(alice: Client, api: Api) -> None:
    memory = create_memory("alice", "We chose the blue tile")
    api.post("/context", {"person": "alice", "query": "What do you remember about the tile?"})
    api.post("/context", {"person": "bob", "query": "Where is the saw?"})
    html = page(alice, "/briefs/")
    assert f'href="/memories/{memory.id}/"' in html
    assert "saw" not in html
    [brief] = alice.get("/briefs/?format=json").json()["items"]
    [same] = api.get("/briefs?person=alice").json()["items"]
    assert (brief["id"], brief["memories"]) == (same["id"], same["memories"])
