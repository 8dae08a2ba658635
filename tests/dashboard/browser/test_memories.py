"""What people do with their memories, in a real browser, with scripts or without."""

import re

from playwright.sync_api import expect

from tests.dashboard.browser.conftest import Visit, both
from tests.dashboard.factories import PASSWORD, create_login, create_memory, memory_contents, reload_memory


def test_sign_in_and_out(visit: Visit, scripts: bool) -> None:
    create_login("alice", person="alice")
    create_memory("alice", "We chose the blue tile.")
    window = visit(None, scripts=scripts)
    window.go("/memories/")
    window.page.get_by_label("Username").fill("alice")
    window.page.get_by_label("Password").fill("not her password")
    window.page.get_by_role("button", name="Sign in").click()
    expect(window.page.get_by_role("alert")).to_contain_text("not correct")
    window.page.get_by_label("Password").fill(PASSWORD)
    window.page.get_by_role("button", name="Sign in").click()
    expect(window.page.get_by_role("link", name="We chose the blue tile.")).to_be_visible()
    assert window.path == "/memories/"
    window.page.get_by_role("link", name="alice").click()
    window.page.get_by_role("button", name="Sign out").click()
    expect(window.page.get_by_role("heading", name="Sign in")).to_be_visible()


@both
def test_search_filter_and_go_back(visit: Visit, scripts: bool) -> None:
    create_memory("alice", "We chose the blue tile.", type="decision", tags=["house"])
    create_memory("alice", "Bob has a blue bicycle.", type="fact")
    create_memory("alice", "Tea at five.", type="fact")
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go("/")
    window.search("blue")
    expect(window.page.locator(".memories .memory-text")).to_have_count(2)
    assert window.path == "/memories/?q=blue"
    window.page.get_by_role("link", name=re.compile("^Decision 1$")).click()
    expect(window.page.locator(".memories .memory-text")).to_have_text(["We chose the blue tile."])
    assert window.path == "/memories/?q=blue&type=decision"
    window.search("tile")
    expect(window.page.locator(".result-count")).to_have_text("1 memory for “tile”")
    assert window.path == "/memories/?q=tile&type=decision"
    window.page.go_back()
    expect(window.page.locator(".memories .memory-text").first).to_be_visible()
    window.go("/memories/?q=blue&type=decision")
    assert window.shown() == ["We chose the blue tile."]
    expect(window.page.get_by_role("searchbox", name="Search memories")).to_have_value("blue")
    window.page.get_by_role("link", name="Show all").click()
    expect(window.page.locator(".memories .memory-text")).to_have_count(3)


@both
def test_edit_and_see_what_changed(visit: Visit, scripts: bool) -> None:
    memory = create_memory("alice", "We chose the red tile.")
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    for colour in ("green", "blue"):
        window.go(f"/memories/{memory.id}/")
        window.page.get_by_role("link", name="Edit").click()
        window.page.get_by_label("Content").fill(f"We chose the {colour} tile.")
        window.page.get_by_label("Summary").fill("The tile")
        window.page.get_by_role("button", name="Save").click()
        expect(window.page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    expect(window.page.locator("#history del").first).to_have_text("green")
    expect(window.page.locator("#history ins").first).to_have_text("blue")
    window.page.get_by_label("What changed from").select_option("1")
    if not scripts:
        window.page.get_by_role("button", name="Compare").click()
    expect(window.page.locator("#history del").first).to_have_text("red")
    assert "from=1&to=3" in window.path


def test_forget_and_undo(visit: Visit, scripts: bool) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go(f"/memories/{memory.id}/")
    window.page.get_by_role("button", name="Forget").click()
    expect(window.page.get_by_role("status").filter(has_text="Forgotten.")).to_be_visible()
    assert memory_contents("alice") == set()
    window.page.get_by_role("button", name="Undo").click()
    expect(window.page.get_by_role("status").filter(has_text="Brought back 1 memory.")).to_be_visible()
    assert memory_contents("alice") == {"We chose the blue tile."}
    window.page.get_by_role("button", name="Forget").click()
    window.page.get_by_role("link", name="Overview").click()
    window.page.get_by_role("link", name="Forgotten", exact=True).click()
    window.page.get_by_role("link", name="We chose the blue tile.").click()
    window.page.get_by_role("button", name="Bring back").click()
    expect(window.page.get_by_role("button", name="Forget")).to_be_visible()
    assert memory_contents("alice") == {"We chose the blue tile."}


def test_forget_several_and_bring_them_back(visit: Visit, scripts: bool) -> None:
    for text in ("We chose the blue tile.", "Bob plays chess.", "Tea at five."):
        create_memory("alice", text)
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go("/memories/")
    window.page.get_by_label("Tick: Bob plays chess.").check()
    window.page.get_by_label("Tick: Tea at five.").check()
    if scripts:
        expect(window.page.get_by_text("2 ticked")).to_be_visible()
    window.page.get_by_role("button", name="Forget what is ticked").click()
    expect(window.page.get_by_role("status").filter(has_text="Forgot 2 memories.")).to_be_visible()
    assert window.shown()[:1] == ["We chose the blue tile."]
    window.go("/memories/")
    expect(window.page.get_by_role("status").filter(has_text="Forgot")).to_have_count(0)
    window.page.get_by_role("button", name="Bring back").click()
    expect(window.page.get_by_role("status").filter(has_text="Brought back 2 memories.")).to_be_visible()
    assert len(memory_contents("alice")) == 3


def test_confirm_correct_and_reveal(visit: Visit, scripts: bool) -> None:
    memory = create_memory("alice", "My card number is 4111 1111 1111 1111.")
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go(f"/memories/{memory.id}/")
    expect(window.page.get_by_role("heading", level=1)).to_have_text("A sensitive memory")
    window.page.get_by_role("button", name="Show it for five minutes").click()
    expect(window.page.get_by_role("heading", level=1)).to_contain_text("4111")
    window.page.get_by_role("button", name="Confirm").click()
    expect(window.page.get_by_role("definition").filter(has_text="Kept for good.")).to_be_visible()
    window.page.get_by_role("link", name="Correct").click()
    window.page.get_by_label("What is true instead").fill("I have no card any more.")
    window.page.get_by_role("button", name="Correct it").click()
    expect(window.page.get_by_role("heading", level=1)).to_have_text("I have no card any more.")
    assert reload_memory(memory.id).status == "superseded"


def test_a_conflicting_edit_keeps_the_typed_text(visit: Visit, scripts: bool) -> None:
    memory = create_memory("alice", "We chose the red tile.")
    alice = create_login("alice", person="alice")
    late, early = visit(alice, scripts=scripts), visit(alice, scripts=scripts)
    for window in (late, early):
        window.go(f"/memories/{memory.id}/edit/")
    early.page.get_by_label("Content").fill("We chose the green tile.")
    early.page.get_by_role("button", name="Save").click()
    expect(early.page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    late.page.get_by_label("Content").fill("We chose the blue tile.")
    late.page.get_by_role("button", name="Save").click()
    expect(late.page.get_by_role("alert")).to_contain_text("It changed meanwhile")
    expect(late.page.get_by_label("Content")).to_have_value("We chose the blue tile.")
    late.page.get_by_role("button", name="Save over version 2").click()
    expect(late.page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    assert reload_memory(memory.id).content == "We chose the blue tile."
