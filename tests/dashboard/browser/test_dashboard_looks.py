"""How pages look in a real browser: what was stored keeps its form, and no part of a page sticks to another."""

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from memory_app.jobs.import_history import import_waiting
from memory_app.models import ApiKey
from tests.conftest import Api
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.factories import create_login, person_id
from tests.engine.imports.bringing import ignore
from tests.imports.samples import garden_talk, zip_of

APART = 16
"""Pixels."""


def _space_between(above: Locator, below: Locator) -> float:
    first, second = above.bounding_box(), below.bounding_box()
    assert first is not None
    assert second is not None
    return second["y"] - first["y"] - first["height"]


def _style(found: Locator, name: str) -> str:
    return str(found.evaluate(f"one => getComputedStyle(one).{name}"))


def test_what_was_stored_is_shown_with_its_lines_and_spaces(visit: Visit) -> None:
    api = Api(ApiKey.issue("store", scopes=["read", "write"])[1])
    person_id("alice")
    put = {"op": "put", "namespace": ["plans"], "key": "trip", "value": {"to": {"city": "Rome"}}}
    assert api.post("/items/batch", {"person": "alice", "operations": [put]}).status_code == 200
    text = "# Trip\n\n- Rome\n    - the river"
    assert api.post("/people/alice/documents", {"path": "trip.md", "content": text}).status_code == 201
    window = visit(create_login("alice", person="alice"))
    for path, whole in (("/items/", '{\n  "to": {\n    "city": "Rome"\n  }\n}'), ("/documents/", text)):
        window.go(path)
        stored = window.page.locator(".stored-text")
        assert stored.inner_text() == whole
        assert "mono" in _style(stored, "fontFamily").lower()
        assert _style(stored, "whiteSpace") == "pre-wrap"


def test_headings_of_keys_stand_apart(visit: Visit) -> None:
    ApiKey.issue("kitchen", scopes=["read"])
    window = visit(create_login("root", everyone=True))
    window.go("/keys/")
    heading = window.page.get_by_role("heading", name="Keys that someone made")
    assert _space_between(window.page.locator("section[aria-labelledby=assistants]"), heading) >= APART


def test_an_import_says_whose_it_is_and_its_note_stands_apart(visit: Visit, tmp_path: Path) -> None:
    person_id("alice")
    export = zip_of(tmp_path / "export.zip", {"conversations.json": [garden_talk("one")], "pad.txt": json.dumps("x")})
    window = visit(create_login("root", everyone=True))
    window.go("/import/")
    whose = window.page.get_by_label("Whose it is")
    expect(whose).to_have_accessible_description("The name of the person, as it is on the page People.")
    assert not whose.evaluate("one => one.checkValidity()")
    whose.fill("alice")
    window.page.set_input_files("#file", export)
    window.page.get_by_role("button", name="See what would come in").click()
    expect(window.page.locator("#state")).to_contain_text("Being looked through")
    import_waiting(ignore)
    window.page.get_by_role("button", name="Import it").click()
    expect(window.page.locator("#state")).to_contain_text("Coming in")
    import_waiting(ignore)
    note = window.page.locator(".import-note")
    expect(note).to_be_visible()
    assert _space_between(window.page.locator(".import-others"), note) >= APART
