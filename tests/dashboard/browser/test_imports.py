"""A file is chosen in a real browser and comes in by parts, with progress; also without JavaScript."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from memory_app.engine.imports import uploads
from memory_app.jobs.import_history import import_waiting
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.factories import create_login
from tests.engine.imports.bringing import ignore, said
from tests.imports.samples import garden_talk, zip_of


@pytest.fixture
def export(tmp_path: Path) -> Path:
    talks = [garden_talk("one"), garden_talk("two", 1_714_600_000.0), {"id": "torn"}]
    return zip_of(tmp_path / "chatgpt-export.zip", {"conversations.json": talks, "pad.txt": json.dumps("x" * 500)})


@pytest.mark.parametrize("scripts", [True, False])
def test_a_file_comes_in_by_the_page_and_everyone_can_read_it(
    visit: Visit, export: Path, monkeypatch: pytest.MonkeyPatch, scripts: bool
) -> None:
    monkeypatch.setattr("dashboard.imports.PART_BYTES", 300)
    assert export.stat().st_size > 600
    assert uploads.LARGEST_UPLOAD > 600
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go("/import/")
    found = faults(window, on_phone=True) if scripts else []
    window.page.set_input_files("#file", export)
    if scripts:
        expect(window.page.locator("#chosen")).to_contain_text("chatgpt-export.zip")
    window.page.get_by_role("button", name="See what would come in").click()
    expect(window.page).to_have_url(re.compile(r"/import/[0-9a-f-]{36}/$"))
    expect(window.page.locator("#state")).to_contain_text("Being looked through")
    import_waiting(ignore)
    if not scripts:
        window.page.reload()
    expect(window.page.get_by_role("heading", name="What would come in")).to_be_visible()
    expect(window.page.locator(".import-faults")).to_contain_text("entry 3 (torn)")
    found += faults(window, on_phone=True) if scripts else []
    assert said() == []
    window.page.get_by_role("button", name="Import it").click()
    expect(window.page.locator("#state")).to_contain_text("Coming in")
    import_waiting(ignore)
    if not scripts:
        window.page.reload()
    expect(window.page.get_by_role("button", name="Undo this import")).to_be_visible()
    assert len(said()) == 8
    window.go("/import/")
    expect(window.page.locator(".imports")).to_contain_text("2 conversations, 8 messages, 1 memory")
    found += faults(window, on_phone=True) if scripts else []
    assert found == []
