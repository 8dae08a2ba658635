"""The log, erasing and its receipt in a real browser: readable by everyone, and with scripts or without."""

import pytest
from playwright.sync_api import expect

from memory_app.engine.author import Author
from memory_app.engine.log_requests import Answered, log_requests
from memory_app.models import Memory
from memory_app.models.scope import every_space

from ..people import NOON, PASSWORD, kept, login
from .conftest import PHONE, WIDE, Visit
from .test_reading import violations

both = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])


@pytest.fixture(autouse=True)
def _furnished(world: None) -> None:
    """Something done by several, and requests with long names in them."""
    kept("alice", "Tea is at five.")
    kept("bob", "The saw is blunt.")
    key = Author("key", "ks_12345678 " + "k" * 150)
    log_requests(
        [Answered(NOON, key.label, "r" * 64, "GET", "/memories/{memory_id}", status, 2.5, []) for status in (200, 404)]
    )


def _memory() -> Memory:
    with every_space():
        return Memory.objects.get(content="Tea is at five.")


@both
def test_a_memory_is_erased_after_its_word_and_a_password(visit: Visit, scripts: bool) -> None:
    window = visit(login("root", everyone=True), scripts=scripts)
    window.go(f"/memories/{_memory().id}/")
    window.page.get_by_role("link", name="Erase").click()
    window.page.get_by_label("The first word of the memory").fill("coffee")
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Erase for good").click()
    expect(window.page.get_by_text("This is not the first word of the memory.")).to_be_visible()
    window.page.get_by_label("The first word of the memory").fill("tea")
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Erase for good").click()
    expect(window.page.get_by_role("heading", name="Erased for good")).to_be_visible()
    expect(window.page.get_by_text("Genuine: nobody has changed this receipt.")).to_be_visible()
    assert window.path.startswith("/erasures/")


@both
def test_the_log_is_narrowed_by_a_click_and_by_typing(visit: Visit, scripts: bool) -> None:
    window = visit(login("root", everyone=True), scripts=scripts)
    window.go("/logs/?period=all")
    expect(window.page.locator(".log > li")).to_have_count(4)
    window.page.locator("#filters").get_by_role("link", name="remembered").click()
    expect(window.page.locator(".log > li")).to_have_count(2)
    window.page.get_by_role("link", name="trail of the memory").first.click()
    expect(window.page.locator(".log > li")).to_have_count(1)
    window.page.get_by_role("link", name="The whole log").click()
    window.page.get_by_role("searchbox", name="Search the log").fill("zeppelin")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("heading", name="Nothing matches")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_sticks_out(visit: Visit, scheme: str) -> None:
    root, memory, found = login("root", everyone=True), _memory(), []
    for size in (WIDE, PHONE):
        window = visit(root, size=size, scheme=scheme)
        for path in ("/logs/?period=all", f"/logs/?memory={memory.id}", "/logs/?q=zeppelin",
                     f"/memories/{memory.id}/erase/"):  # fmt: skip
            assert window.go(path).status == 200
            found += violations(window)
            assert not window.page.evaluate("document.documentElement.scrollWidth > innerWidth"), path
    window.page.get_by_label("The first word of the memory").fill("tea")
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Erase for good").click()
    window.page.get_by_role("heading", name="Erased for good").wait_for()
    found += violations(window)
    assert not window.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert found == []
