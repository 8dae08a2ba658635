"""Every page can be read by everyone: by axe in light and dark, on a phone and wide, and in the chosen theme."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from dashboard.viewer import memory_ref
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import edit
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import Visit, Visitor
from tests.dashboard.factories import KITCHEN, NOON, create_login, create_memory


def furnished() -> list[str]:
    """Addresses of pages with something of everything on them."""
    tile = create_memory("alice", "We chose the red tile.", tags=["house", "bathroom"], type="decision")
    edit(
        at=memory_ref(tile),
        changes={"content": "We chose the blue tile."},
        author=KITCHEN,
        now=NOON,
        encoder=current_encoder(),
    )
    card = create_memory("alice", "My card number is 4111 1111 1111 1111.")
    create_memory("alice", "A long word: " + "Donaudampfschifffahrtsgesellschaft" * 8, tags=["x" * 90])
    for number in range(30):
        create_memory("alice", f"Note {number} of {number * 7919}.", type="note")
    gone = create_memory("alice", "Bob plays chess.")
    delete_memory(at=memory_ref(gone), author=KITCHEN, now=timezone.now())
    return [
        "/", "/memories/", "/memories/?q=tile", "/memories/?q=zeppelin", f"/memories/{tile.id}/",
        f"/memories/{tile.id}/edit/", f"/memories/{tile.id}/correct/", f"/memories/{card.id}/",
        f"/memories/{gone.id}/", "/deleted/", "/account/", "/account/2fa/", "/account/password/", "/nowhere/",
    ]  # fmt: skip


def test_no_page_has_accessibility_faults_or_overflow(visit: Visit) -> None:
    paths, found = furnished(), []
    window = visit(create_login("alice", person="alice"))
    for path in paths:
        window.go(path)
        found += faults(window, on_phone=path in paths[1:5:3])
    for user in (None, create_login("newcomer"), create_login("empty", person="zoe")):
        window = visit(user)
        window.go("/")
        found += faults(window, on_phone=True)
    assert found == []


@pytest.mark.parametrize("scripts", [True, False])
def test_the_theme_follows_the_system_until_one_is_chosen(visit: Visit, scripts: bool) -> None:
    window = visit(create_login("alice", person="alice"), scheme="dark", scripts=scripts)
    window.go("/")
    dark = _background(window)
    window.page.get_by_role("button", name="Light", exact=True).first.click()
    expect(window.page.locator("html")).to_have_attribute("data-bs-theme", "light")
    light = _background(window)
    window.go("/memories/")
    expect(window.page.locator("html")).to_have_attribute("data-bs-theme", "light")
    window.page.get_by_role("button", name="As the system").first.click()
    expect(window.page.locator("html")).not_to_have_attribute("data-bs-theme", "light")
    assert _background(window) == dark
    assert dark != light


def test_the_first_tab_stop_skips_to_the_content(visit: Visit) -> None:
    window = visit(create_login("alice", person="alice"))
    window.go("/memories/")
    window.page.keyboard.press("Tab")
    expect(window.page.get_by_role("link", name="To the content")).to_be_focused()
    window.page.keyboard.press("Enter")
    expect(window.page.locator("main")).to_be_focused()


def _background(window: Visitor) -> str:
    """The colour of the page, by a picture: scripts may be off."""
    picture = window.page.screenshot(clip={"x": 600, "y": 880, "width": 4, "height": 4})
    return picture.hex()
