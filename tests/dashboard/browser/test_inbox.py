"""Reviewing in a real browser: by keys, by mouse, in bulk, without scripts, on a phone; and nothing typed is run."""

import random
import re
from typing import Any

from playwright.sync_api import expect

from memory_app.models import ExtractionRun, Proposal
from memory_app.models.row_security import every_space
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import PHONE, Visit, Visitor, both
from tests.dashboard.browser.test_dashboard_safety import PAYLOADS, RUNS
from tests.dashboard.factories import (
    create_conversation,
    create_login,
    create_memory,
    create_proposal,
    extract_proposals,
    memory_contents,
    reload_proposal,
)

TEXTS = ("We chose the blue tile.", "Bob plays chess.", "Tea at five.")


def inbox(visit: Visit, path: str = "/inbox/", **how: Any) -> Visitor:
    window = visit(create_login("alice", person="alice"), **how)
    window.go(path)
    return window


def three(visit: Visit, **how: Any) -> tuple[Visitor, list[Proposal]]:
    """The window, and what is listed in it, the first one first."""
    proposals = [create_proposal("alice", text) for text in TEXTS]
    return inbox(visit, **how), proposals[::-1]


def cards(window: Visitor) -> list[str]:
    return window.page.locator(".proposal h2").all_inner_texts()


def told(window: Visitor, text: str) -> None:
    expect(window.page.get_by_role("status").filter(has_text=text)).to_be_visible()


def focused(window: Visitor, proposal: Proposal) -> None:
    expect(window.page.locator(f"#proposal-{proposal.id}")).to_be_focused()


def press(window: Visitor, *keys: str) -> None:
    for key in keys:
        window.page.keyboard.press(key)


def test_keys_move_tick_accept_reject_and_put_off(visit: Visit) -> None:
    window, (first, second, third) = three(visit)
    press(window, "j")
    focused(window, first)
    press(window, "j", "j", "j")
    focused(window, third)
    press(window, "k", "x")
    expect(window.page.get_by_label(f"Tick: {second.summary}")).to_be_checked()
    press(window, "x", "k", "a")
    told(window, "Kept.")
    focused(window, second)
    expect(window.page.locator("#waiting")).to_have_text("2 waiting")
    press(window, "r")
    told(window, "Rejected.")
    focused(window, third)
    press(window, "z")
    told(window, "Put off until")
    expect(window.page.locator("#nothing")).to_be_focused()
    assert [reload_proposal(one).status for one in (first, second, third)] == ["accepted", "rejected", "pending"]
    assert memory_contents("alice") == {first.content}


def test_the_first_key_press_only_selects(visit: Visit) -> None:
    window, (first, *_) = three(visit)
    press(window, "a")
    focused(window, first)
    assert memory_contents("alice") == set()


def test_one_key_undoes_the_last_action(visit: Visit) -> None:
    window, (first, second, _) = three(visit)
    press(window, "j", "a")
    focused(window, second)
    press(window, "u")
    told(window, "Undone: it waits again.")
    focused(window, first)
    assert len(cards(window)) == 3
    assert memory_contents("alice") == set()
    window.page.get_by_role("button", name="Close").click()
    expect(window.page.locator(".messages .alert")).to_have_count(0)


def test_one_key_opens_the_edit_form_and_typing_stays_typing(visit: Visit) -> None:
    window, (first, second, _) = three(visit)
    press(window, "j", "e")
    box = window.page.get_by_label("What to remember")
    expect(box).to_be_focused()
    box.fill("")
    window.page.keyboard.type("a xr jz")
    expect(box).to_have_value("a xr jz")
    press(window, "Escape")
    expect(box).to_have_count(0)
    focused(window, first)
    press(window, "e")
    box.fill("Coffee at five.")
    window.page.get_by_label("Kind").select_option("event")
    box.press("Control+Enter")
    told(window, "Kept.")
    focused(window, second)
    assert memory_contents("alice") == {"Coffee at five."}


def test_an_invalid_form_comes_back_with_the_typed_text(visit: Visit) -> None:
    window, (first, *_) = three(visit)
    press(window, "j", "e")
    window.page.get_by_label("What to remember").fill("My card number is 4111 1111 1111 1111.")
    window.page.get_by_role("button", name="Accept this").click()
    expect(window.page.get_by_role("alert")).to_contain_text("Sensitive text")
    expect(window.page.get_by_label("What to remember")).to_have_value("My card number is 4111 1111 1111 1111.")
    assert len(cards(window)) == 3
    window.page.get_by_role("link", name="Cancel").click()
    focused(window, first)


def test_two_memories_are_merged_into_an_editable_text(visit: Visit, scripts: bool) -> None:
    old = create_memory("alice", "Alice takes oat milk.")
    create_proposal("alice", "Her coffee is with oat milk.", relation="merge", target_id=old.id)
    window = inbox(visit, scripts=scripts)
    if scripts:
        press(window, "j", "m")
    else:
        window.page.get_by_role("link", name="Merge", exact=True).click()
    box = window.page.get_by_label("The two as one")
    expect(box).to_have_value("Alice takes oat milk. Her coffee is with oat milk.")
    box.fill("Alice takes oat milk in her coffee.")
    window.page.get_by_role("button", name="Merge into one").click()
    told(window, "Merged into one memory.")
    assert memory_contents("alice") == {"Alice takes oat milk in her coffee."}
    window.page.get_by_role("button", name="Undo").first.click()
    told(window, "Undone")
    assert memory_contents("alice") == {"Alice takes oat milk."}


@both
def test_every_act_works_by_its_button(visit: Visit, scripts: bool) -> None:
    window, (first, second, third) = three(visit, scripts=scripts)
    page = window.page
    page.locator(f"#proposal-{first.id}").get_by_role("link", name="Edit").click()
    page.get_by_label("What to remember").fill("Coffee at five.")
    page.get_by_role("button", name="Accept this").click()
    told(window, "Kept.")
    card = page.locator(f"#proposal-{second.id}")
    card.locator("summary[title='Reject, and say why']").click()
    card.get_by_role("button", name="Not worth keeping").click()
    told(window, "Rejected.")
    card = page.locator(f"#proposal-{third.id}")
    card.locator("summary[title='Put it off for longer']").click()
    card.get_by_role("button", name="Until next week").click()
    told(window, "Put off until")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    expect(page.get_by_text("You rejected")).to_be_visible()
    assert (reload_proposal(second).reject_reason, memory_contents("alice")) == (
        "Not worth keeping",
        {"Coffee at five."},
    )
    page.get_by_role("link", name=re.compile("^Put off 1$")).click()
    page.get_by_role("button", name="Back now").click()
    told(window, "Undone: it waits again.")
    assert reload_proposal(third).snoozed_until is None


def test_all_that_match_are_rejected_together_and_brought_back_together(visit: Visit, scripts: bool) -> None:
    for number in range(23):
        create_proposal("alice", f"Note {number} of {number * 7919}.", type="note")
    create_proposal("alice", "We chose the blue tile.", type="decision")
    window = inbox(visit, "/inbox/?type=note", scripts=scripts)
    window.page.get_by_label("All 23 that match").check()
    window.page.get_by_role("group", name="Decide on several").get_by_role("button", name="Reject").click()
    told(window, "Rejected 23 proposals.")
    assert cards(window) == []
    window.go("/inbox/")
    assert cards(window) == ["We chose the blue tile."]
    window.page.get_by_role("button", name="Undo").first.click()
    told(window, "Undone: 23 wait again.")
    expect(window.page.locator(".result-count")).to_have_text("24 proposals")


def test_ticked_proposals_are_accepted_together(visit: Visit) -> None:
    window, (first, second, third) = three(visit)
    window.page.get_by_label("Tick all on this page").check()
    window.page.get_by_label(f"Tick: {second.summary}").uncheck()
    expect(window.page.get_by_text("2 ticked")).to_be_visible()
    window.page.get_by_role("group", name="Decide on several").get_by_role("button", name="Accept").click()
    told(window, "Kept 2 proposals.")
    assert memory_contents("alice") == {first.content, third.content}
    focused(window, second)


def test_a_finished_page_is_followed_by_the_next(visit: Visit) -> None:
    for number in range(21):
        create_proposal("alice", f"Note {number} of {number * 7919}.")
    window = inbox(visit, "/inbox/?page=2")
    assert len(cards(window)) == 1
    press(window, "j", "r")
    told(window, "Rejected.")
    expect(window.page.locator(".proposal")).to_have_count(20)
    expect(window.page.locator(".proposal").first).to_be_focused()


def test_filters_and_search_swap_the_list_and_its_address(visit: Visit) -> None:
    create_proposal("alice", "We chose the blue tile.", type="decision")
    create_proposal("alice", "Bob has a blue bicycle.")
    window = inbox(visit)
    window.page.get_by_role("link", name=re.compile("^Decision 1$")).click()
    expect(window.page.locator(".proposal")).to_have_count(1)
    assert window.path == "/inbox/?type=decision"
    expect(window.page.locator("#announce")).to_have_text("1 proposal")
    window.page.get_by_role("link", name="All that waits").click()
    window.page.get_by_role("searchbox", name="Search what was noticed").press_sequentially("bicycle")
    expect(window.page.locator(".proposal")).to_have_count(1)
    expect(window.page).to_have_url(re.compile(r"\?q=bicycle$"))
    expect(window.page.locator(".proposal h2 mark")).to_have_text("bicycle")


def test_shortcuts_can_be_switched_off_in_the_inbox(visit: Visit) -> None:
    window, _ = three(visit)
    window.page.get_by_role("button", name="Switch shortcuts off").click()
    expect(window.page.get_by_role("button", name="Switch shortcuts on")).to_be_visible()
    press(window, "j", "a", "?")
    expect(window.page.locator(".proposal:focus")).to_have_count(0)
    expect(window.page.get_by_role("dialog")).to_be_hidden()
    window.page.get_by_role("button", name="Switch shortcuts on").click()
    expect(window.page.get_by_role("button", name="Switch shortcuts off")).to_be_visible()
    press(window, "?")
    expect(window.page.get_by_role("dialog", name="Shortcuts")).to_contain_text("Put off until tomorrow")
    press(window, "a")
    assert memory_contents("alice") == set()


def test_a_menu_closes_by_escape_and_by_a_click_elsewhere(visit: Visit) -> None:
    window, (first, *_) = three(visit)
    summary = window.page.locator(f"#proposal-{first.id} summary[title='Reject, and say why']")
    summary.click()
    expect(window.page.get_by_role("button", name="Not true")).to_be_visible()
    press(window, "Escape")
    expect(summary).to_be_focused()
    expect(window.page.get_by_role("button", name="Not true")).to_be_hidden()
    summary.click()
    window.page.get_by_role("heading", name="Inbox").click()
    expect(window.page.get_by_role("button", name="Not true")).to_be_hidden()


def test_a_decision_made_elsewhere_is_shown(visit: Visit) -> None:
    window, (first, *_) = three(visit)
    other = visit(create_login("root", everyone=True))
    other.go(f"/inbox/{first.id}/")
    other.page.get_by_role("button", name="Reject", exact=True).click()
    told(other, "Rejected.")
    press(window, "j", "a")
    told(window, "This was rejected already")
    expect(window.page.locator(".proposal")).to_have_count(2)
    assert memory_contents("alice") == set()


def test_markup_in_what_was_said_and_noticed_stays_text(visit: Visit) -> None:
    """Each text in one place, drawn at random, and one of them everywhere."""
    places = {payload: _hostile_places(payload) for payload in PAYLOADS}
    everywhere, window = random.choice(PAYLOADS), inbox(visit)
    for payload, paths in places.items():
        for path in ("/inbox/", *(paths if payload == everywhere else random.sample(paths, 1))):
            window.go(path)
            assert payload in window.page.inner_text("body"), path
            assert window.page.locator(RUNS).count() == 0, path
    window.go("/inbox/")
    press(window, "j", "r")
    told(window, "Rejected.")
    expect(window.page.locator("#decisions .memory-text")).to_have_text(PAYLOADS[-1])
    assert window.page.locator(RUNS).count() == 0


def _hostile_places(payload: str) -> list[str]:
    """Pages beside the inbox on which it is shown."""
    talk = create_conversation("alice", [("user", payload), ("assistant", payload)], external_id=payload[:200])
    old = create_memory("alice", f"Before: {payload}")
    proposal = create_proposal(
        "alice", payload, of=talk, reason=payload[:300], key=payload[:100], relation="merge", target_id=old.id
    )
    return [f"/inbox/{proposal.id}/edit/", f"/inbox/{proposal.id}/merge/", f"/conversations/{talk.id}/"]


def test_the_inbox_has_no_accessibility_faults_or_overflow(visit: Visit) -> None:
    talk = create_conversation("alice", external_id="thread-1")
    extract_proposals(talk)
    with every_space():
        ExtractionRun.objects.update(error="The model was down. " * 5)
    old = create_memory("alice", "Alice takes oat milk.")
    pair = create_proposal("alice", "Her coffee is with oat milk.", relation="merge", target_id=old.id)
    create_proposal("alice", "Alice takes oat milk and soy milk.", relation="conflict", target_id=old.id)
    create_memory("alice", "Our plumber is called Marek.")
    create_memory("alice", "Our plumber is called Henning.")
    gone = create_proposal("alice", "A long word: " + "Donaudampfschifffahrtsgesellschaft" * 8)
    window = visit(create_login("alice", person="alice"))
    found: list[str] = []
    for path in (
        "/inbox/?status=all&q=milk", "/inbox/?q=zeppelin", f"/inbox/{gone.id}/edit/",
        f"/inbox/{pair.id}/merge/", f"/conversations/{talk.id}/", "/inbox/",
    ):  # fmt: skip
        window.go(path)
        found += faults(window, on_phone=path == "/inbox/")
    window.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    press(window, "j", "j", "e")  # the first card is a conflict, which has nothing to edit
    expect(window.page.get_by_label("What to remember")).to_be_focused()
    found += faults(window)
    window.page.get_by_role("button", name="Accept this").click()
    told(window, "Kept.")
    found += faults(window)
    assert found == []


def test_a_conflict_is_answered_by_choosing_one(visit: Visit, scripts: bool) -> None:
    create_memory("alice", "Our plumber is called Marek.")
    create_memory("alice", "Our plumber is called Henning.")
    window = inbox(visit, scripts=scripts)
    window.page.get_by_role("button", name="Keep both").click()
    told(window, "Both are kept.")
    assert cards(window) == []
    window.page.get_by_role("button", name="Undo").first.click()
    told(window, "Undone: it waits again.")
    window.page.get_by_role("button", name="Keep the old one").click()
    told(window, "The old one holds; the newest is forgotten.")
    assert memory_contents("alice") == {"Our plumber is called Marek."}
