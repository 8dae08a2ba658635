"""The profile in a real browser: edited with the diff first, put back and undone, readable by everyone, anywhere."""

import re

from django.utils import timezone
from playwright.sync_api import expect

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.summaries.reflect import reflect
from memory_app.engine.venue_context import resolve_venue
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.factories import create_login, create_memory, memory_contents, person_id
from tests.dashboard.test_runs import gone_through

LONG = "Bob's workshop is at https://example.org/" + "x" * 120


def test_an_edited_profile_is_checked_put_back_and_undone(visit: Visit, scripts: bool) -> None:
    create_memory("alice", "Works at Stripe.", category="work")
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go(f"/people/{person_id('alice')}/profile/")
    window.page.get_by_role("link", name="Edit").click()
    text = window.page.get_by_label("Profile", exact=True)
    text.fill(text.input_value().replace("Stripe", "Google") + "\n- Collects stamps.\n")
    window.page.get_by_role("button", name="See what changes").click()
    expect(window.page.locator("ins")).to_have_text(["Collects stamps.", "Google"])
    expect(window.page.locator("del")).to_have_text(["Stripe"])
    assert memory_contents("alice") == {"Works at Stripe."}
    window.page.get_by_role("button", name="Do this").click()
    expect(window.page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
    assert memory_contents("alice") == {"Works at Google.", "Collects stamps."}
    window.page.get_by_role("button", name="Undo").first.click()
    expect(window.page.get_by_text(re.compile("put back as before"))).to_be_visible()
    assert memory_contents("alice") == {"Works at Stripe."}


def test_no_accessibility_faults_or_overflow(visit: Visit) -> None:
    for text in ("Works at Stripe.", "We decided to move to Lisbon.", LONG):
        create_memory("alice", text, key="")
    made = reflect(person=resolve_venue(person="alice").person, now=timezone.now(), encoder=current_encoder())
    assert made is not None
    run, profile = gone_through("ask"), f"/people/{person_id('alice')}/profile/"
    window, found = visit(create_login("alice", person="alice")), []
    for path in (profile, f"/memories/{made.id}/", f"/runs/{run.id}/", f"{profile}edit/"):
        window.go(path)
        found += faults(window, on_phone=path in (profile, f"/runs/{run.id}/"))
    window.page.get_by_role("button", name="See what changes").click()
    window.page.get_by_role("heading", name="What changes").wait_for()
    found += faults(window)
    assert found == []
