"""Daily notes over the API: searched, listed, corrected, forgotten and brought back, by nobody but their person."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from memory_app.embedding.encoder import Encoder
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import ApiKey, Note
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

DAY = "2026-11-20"


@pytest.fixture
def note(api: Api) -> dict[str, Any]:
    """What Alice noted; Bob noted the same words."""
    api.post(f"/people/bob/notes/{DAY}", {"text": "The plumber mended the boiler"})
    api.post(f"/people/alice/notes/{DAY}", {"text": "We walked to the lake"})
    made: dict[str, Any] = api.post(f"/people/alice/notes/{DAY}", {"text": "The plumber mended the boiler"}).json()
    return made


def _found(api: Api, query: str, **more: Any) -> list[dict[str, Any]]:
    asked = {"person": "alice", "query": query, "kinds": ["note"], "method": "text", **more}
    results: list[dict[str, Any]] = api.post("/search", asked).json()["results"]
    assert {result["kind"] for result in results} <= {"note"}
    return [result["note"] for result in results]


def _listed(api: Api, query: str = "", person: str = "alice") -> list[str]:
    return [item["text"] for item in api.get(f"/people/{person}/notes{query}").json()["items"]]


def test_a_note_is_searched_by_its_words_at_once_and_by_its_meaning_later(
    api: Api, note: dict[str, Any], encoder: Encoder
) -> None:
    assert [found["id"] for found in _found(api, "boiler")] == [note["id"]]
    assert _found(api, "boiler", method="vector") == []
    assert embed_rows(encoder=encoder, report=lambda done, total: None) == 3
    assert _found(api, "plumber boiler", method="vector")[0]["id"] == note["id"]
    assert [found["id"] for found in _found(api, "boiler", since="2026-11-20", until="2026-11-21")] == [note["id"]]
    assert _found(api, "boiler", since="2026-11-21") == []
    assert _found(api, "boiler", venue={"space": "family"}) == []
    both = api.post("/search", {"person": "alice", "query": "boiler", "kinds": ["note", "memory", "turn"]}).json()
    assert both["results"][0]["kind"] == "note"


def test_notes_are_listed_page_by_page_and_by_their_words_and_days(api: Api, note: dict[str, Any]) -> None:
    api.post("/people/alice/notes/2026-11-19", {"text": "Rain all day"})
    assert _listed(api) == ["Rain all day", "The plumber mended the boiler", "We walked to the lake"]
    first = api.get("/people/alice/notes?limit=2").json()
    rest = api.get(f"/people/alice/notes?limit=2&cursor={first['next_cursor']}").json()
    assert [item["text"] for item in rest["items"]] == ["We walked to the lake"]
    assert _listed(api, "?q=BOILER") == ["The plumber mended the boiler"]
    assert _listed(api, "?since=2026-11-19&until=2026-11-20") == ["Rain all day"]


def test_a_note_is_corrected_and_its_words_before_can_be_brought_back(
    api: Api, note: dict[str, Any], encoder: Encoder
) -> None:
    path = f"/people/alice/notes/{note['id']}"
    assert api.call("PATCH", path, {"text": "x"}, If_Match='"2"').status_code == 412
    assert api.call("PATCH", path, {"text": "  "}).status_code == 422
    changed = api.call("PATCH", path, {"text": "The plumber mended the pump"}, If_Match='"1"').json()
    assert (changed["id"], changed["version"], changed["text"]) == (note["id"], 2, "The plumber mended the pump")
    assert api.get(path).json() == changed
    assert (_found(api, "boiler"), [found["id"] for found in _found(api, "pump")]) == ([], [note["id"]])
    before = api.get("/people/alice/notes?status=deleted").json()["items"]
    assert [item["text"] for item in before] == ["The plumber mended the boiler"]
    assert api.post(f"/admin/notes/{before[0]['id']}/restore", {}).status_code == 200
    assert [found["id"] for found in _found(api, "boiler")] == [before[0]["id"]]


def test_a_forgotten_note_is_found_by_super_users_alone_until_it_is_brought_back(
    api: Api, note: dict[str, Any]
) -> None:
    path = f"/people/alice/notes/{note['id']}"
    assert api.call("DELETE", path).status_code == 204
    assert (_found(api, "boiler"), _listed(api, "?q=boiler")) == ([], [])
    assert [api.call(method, path, {"text": "x"}).status_code for method in ("GET", "PATCH", "DELETE")] == [404] * 3
    assert "boiler" not in api.get(f"/people/alice/notes/{DAY}").json()["text"]
    reader = Api(ApiKey.issue("assistant", scopes=["read", "write"])[1])
    assert reader.get("/people/alice/notes?status=deleted").status_code == 403
    restore = f"/admin/notes/{note['id']}/restore"
    assert reader.post(restore, {}).status_code == 403
    assert (api.post(restore, {}).json()["text"], api.post(restore, {}).status_code) == (note["text"], 409)
    assert [found["id"] for found in _found(api, "boiler")] == [note["id"]]


def test_nobody_reads_or_changes_the_note_of_another(api: Api, note: dict[str, Any]) -> None:
    path = f"/people/bob/notes/{note['id']}"
    answers = [api.call(method, path, {"text": "x"}).status_code for method in ("GET", "PATCH", "DELETE")]
    assert answers == [404] * 3
    with every_space():
        assert Note.objects.undeleted().count() == 3


@pytest.mark.usefixtures("note")
def test_a_note_is_forgotten_by_words_after_a_question(api: Api) -> None:
    api.remember("alice", "The boiler is in the cellar")
    told = api.post("/forget", {"person": "alice", "utterance": "forget my note about the boiler"}).json()
    assert told["message"] == "Do you want me to forget “The plumber mended the boiler”?"
    assert [(one["type"], one["number"]) for one in told["candidates"]] == [("note", 1)]
    done = api.post("/forget/confirm", {"person": "alice", "token": told["token"], "choice": "yes"}).json()
    assert (done["status"], done["message"]) == ("done", "I've forgotten “The plumber mended the boiler”.")
    assert (_listed(api), _listed(api, person="bob")) == (["We walked to the lake"], ["The plumber mended the boiler"])
    bobs = api.post("/forget", {"person": "bob", "utterance": "forget about the boiler"}).json()
    assert bobs["candidates"][0]["type"] == "note"


def _brief(api: Api, query: str, **more: Any) -> str:
    return str(api.post("/context", {"person": "alice", "query": query, **more}).json()["text"])


@pytest.mark.usefixtures("note")
def test_notes_are_briefed_when_a_question_asks_for_them(api: Api) -> None:
    api.post("/people/alice/notes/2026-11-19", {"text": "Bought tea"})
    api.post("/people/alice/notes/2026-11-19", {"text": "My card is 4111 1111 1111 1111"})
    boiler = "Noted:\n- “The plumber mended the boiler” (20 November 2026)"
    assert _brief(api, "What do my notes say about the boiler?") == boiler
    assert _brief(api, "What happened on 19 November 2026?") == "Noted:\n- “Bought tea” (19 November 2026)"
    latest = _brief(api, "What is in my notes?")
    assert (latest.splitlines()[-1], "4111" in latest) == ("- “Bought tea” (19 November 2026)", False)
    assert _brief(api, "What do my notes say about the moon?") == ""
    assert _brief(api, "What do my notes say about the boiler?", venue={"space": "family"}) == ""


def test_a_note_of_a_day_ahead_is_not_told_as_lately(api: Api) -> None:
    today = datetime(2026, 11, 20, 12, tzinfo=UTC)
    with time_machine.travel(today, tick=False):
        api.post("/people/alice/notes/2026-11-21", {"text": "The fair opens"})
        api.post("/people/alice/notes/2026-11-20", {"text": "It rained"})
        text = _brief(api, "Hello there, what is new?", profile=True)
    assert ("It rained" in text, "fair" in text) == (True, False)
