"""What scripts add: search while typing, swaps that are announced and keep the focus, ticking all, and shortcuts."""

import re

from playwright.sync_api import expect

from tests.dashboard.browser.conftest import Visit, Visitor
from tests.dashboard.factories import create_login, create_memory


def opened(visit: Visit, path: str = "/memories/") -> Visitor:
    for text, kind in (("We chose the blue tile.", "decision"), ("Bob has a blue bicycle.", "fact"), ("Tea.", "fact")):
        create_memory("alice", text, type=kind)
    window = visit(create_login("alice", person="alice"))
    window.go(path)
    return window


def test_search_updates_while_typing_and_keeps_the_focus(visit: Visit) -> None:
    window = opened(visit)
    box = window.page.get_by_role("searchbox", name="Search memories")
    box.press_sequentially("tile")
    expect(window.page.locator(".memories .memory-text")).to_have_count(1)
    expect(window.page.locator(".memories mark")).to_have_text("tile")
    expect(window.page.locator("#announce")).to_have_text("1 memory for “tile”")
    expect(box).to_be_focused()
    assert window.path == "/memories/?q=tile"
    assert window.page.title() == "“tile” · Keepsake"
    box.fill("")
    expect(window.page.locator(".memories .memory-text")).to_have_count(3)


def test_back_and_forward_walk_through_the_filters(visit: Visit) -> None:
    window = opened(visit)
    facet = window.page.get_by_role("link", name=re.compile("^Fact 2$"))
    facet.click()
    expect(window.page.locator(".memories .memory-text")).to_have_count(2)
    expect(facet).to_be_focused()
    window.page.get_by_role("link", name="Oldest").click()
    expect(window.page.locator(".memories .memory-text").first).to_have_text("Bob has a blue bicycle.")
    assert window.path == "/memories/?type=fact&order=oldest"
    window.page.go_back()
    expect(window.page.locator(".memories .memory-text").first).to_have_text("Tea.")
    assert window.path == "/memories/?type=fact"
    window.page.wait_for_load_state()  # a step is followed by a script, which must have been loaded
    window.page.go_back()
    expect(window.page.locator(".memories .memory-text")).to_have_count(3)
    window.page.wait_for_load_state()
    window.page.go_forward()
    expect(window.page.locator(".memories .memory-text")).to_have_count(2)


def test_a_search_keeps_filters_chosen_by_a_swap(visit: Visit) -> None:
    window = opened(visit)
    window.page.get_by_role("link", name=re.compile("^Fact 2$")).click()
    expect(window.page.locator(".memories .memory-text")).to_have_count(2)
    window.page.get_by_role("searchbox", name="Search memories").press_sequentially("blue")
    expect(window.page.locator(".memories .memory-text")).to_have_text(["Bob has a blue bicycle."])
    expect(window.page).to_have_url(f"{window.address}/memories/?q=blue&type=fact")


def test_all_are_ticked_at_once_also_after_a_swap(visit: Visit) -> None:
    window = opened(visit)
    window.page.get_by_role("link", name=re.compile("^Fact 2$")).click()
    expect(window.page.locator(".memories .memory-text")).to_have_count(2)
    window.page.get_by_label("Tick all on this page").check()
    expect(window.page.get_by_text("2 ticked")).to_be_visible()
    window.page.get_by_role("button", name="Forget what is ticked").click()
    expect(window.page.get_by_role("status").filter(has_text="Forgot 2 memories.")).to_be_visible()


def test_single_keys_search_move_tick_and_help(visit: Visit) -> None:
    window = opened(visit)
    window.page.keyboard.press("/")
    expect(window.page.get_by_role("searchbox", name="Search memories")).to_be_focused()
    window.page.keyboard.type("j?")
    expect(window.page.get_by_role("searchbox", name="Search memories")).to_have_value("j?")
    window.go("/memories/")
    window.page.keyboard.press("j")
    window.page.keyboard.press("j")
    expect(window.page.get_by_role("link", name="Bob has a blue bicycle.")).to_be_focused()
    window.page.keyboard.press("x")
    expect(window.page.get_by_label("Tick: Bob has a blue bicycle.")).to_be_checked()
    window.page.keyboard.press("?")
    expect(window.page.get_by_role("dialog", name="Shortcuts")).to_be_visible()
    window.page.keyboard.press("Escape")
    window.page.keyboard.press("g")
    window.page.keyboard.press("f")
    expect(window.page.get_by_role("heading", name="Forgotten", level=1)).to_be_visible()


def test_shortcuts_can_be_switched_off(visit: Visit) -> None:
    window = opened(visit, "/account/")
    window.page.get_by_role("button", name="Switch shortcuts off").click()
    window.go("/memories/")
    window.page.keyboard.press("?")
    window.page.keyboard.press("/")
    expect(window.page.get_by_role("dialog", name="Shortcuts")).to_be_hidden()
    expect(window.page.get_by_role("searchbox", name="Search memories")).not_to_be_focused()
