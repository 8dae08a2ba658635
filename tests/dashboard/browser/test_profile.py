"""The profile in a real browser: edited with the diff first, put back and undone, readable by everyone, anywhere."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory_app.embedding.encoder import current
from memory_app.engine.enter import enter
from memory_app.engine.summing.reflect import reflect
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.browser.readable import faults
from tests.dashboard.people import contents, kept, known, login
from tests.dashboard.test_run import gone_through

LONG = "Bob's workshop is at https://example.org/" + "x" * 120


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_an_edited_profile_is_checked_put_back_and_undone(visit: Visit, scripts: bool) -> None:
    kept("alice", "Works at Stripe.", category="work")
    window = visit(login("alice", person="alice"), scripts=scripts)
    window.go(f"/people/{known('alice')}/profile/")
    window.page.get_by_role("link", name="Edit").click()
    text = window.page.get_by_label("Profile", exact=True)
    text.fill(text.input_value().replace("Stripe", "Google") + "\n- Collects stamps.\n")
    window.page.get_by_role("button", name="See what changes").click()
    expect(window.page.locator("ins")).to_have_text(["Collects stamps.", "Google"])
    expect(window.page.locator("del")).to_have_text(["Stripe"])
    assert contents("alice") == {"Works at Stripe."}
    window.page.get_by_role("button", name="Do this").click()
    expect(window.page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
    assert contents("alice") == {"Works at Google.", "Collects stamps."}
    window.page.get_by_role("button", name="Undo").first.click()
    expect(window.page.get_by_text(re.compile("put back as before"))).to_be_visible()
    assert contents("alice") == {"Works at Stripe."}


def test_axe_finds_nothing_and_nothing_sticks_out(visit: Visit) -> None:
    for text in ("Works at Stripe.", "We decided to move to Lisbon.", LONG):
        kept("alice", text, key="")
    made = reflect(person=enter(person="alice").person, now=timezone.now(), encoder=current())
    assert made is not None
    run, profile = gone_through("ask"), f"/people/{known('alice')}/profile/"
    window, found = visit(login("alice", person="alice")), []
    for path in (profile, f"/memories/{made.id}/", f"/runs/{run.id}/", f"{profile}edit/"):
        window.go(path)
        found += faults(window, on_phone=path in (profile, f"/runs/{run.id}/"))
    window.page.get_by_role("button", name="See what changes").click()
    window.page.get_by_role("heading", name="What changes").wait_for()
    found += faults(window)
    assert found == []
