"""Questions, keys and people in a real browser: readable by everyone, on a phone too, and with scripts or without."""

from datetime import UTC, datetime

from playwright.sync_api import expect

from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import ApiKey
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import PHONE, Visit
from tests.dashboard.factories import (
    KITCHEN,
    PASSWORD,
    create_conversation,
    create_login,
    create_memory,
    extract_proposals,
    memory_contents,
    person_id,
)


def furnished() -> list[str]:
    """Addresses of the pages with something of everything on them."""
    create_memory("alice", "We chose the red tile.", key="tile")
    create_memory("alice", "We chose the blue tile.", key="tile")
    create_memory("alice", "My card number is 4111 1111 1111 1111.")
    create_memory("alice", "A long word: " + "Donaudampfschifffahrtsgesellschaft" * 8)
    extract_proposals(create_conversation("alice", external_id="x" * 150))
    create_login("l" * 150, person="alice")
    long = "g" * 150
    for name in ("guest", long):
        create_memory(name, "We chose the blue tile.")
    guest, alice = (resolve_venue(person=name) for name in ("guest", "alice"))
    merge_people(person=guest, into=alice, author=KITCHEN, now=datetime.now(UTC))
    ApiKey.issue("k" * 150, scopes=["read", "write", "admin"], people=["alice", "bob"], spaces=["family"])
    return ["/search/", "/search/?person=alice&q=which+tile&kind=memory&kind=turn", "/search/?person=nobody&q=x",
            "/keys/", "/connect/", "/logins/", "/people/merges/", f"/people/{person_id(long)}/merge/?into=alice",
            "/people/", f"/people/{person_id('alice')}/"]  # fmt: skip


def test_no_accessibility_faults_or_overflow(visit: Visit) -> None:
    paths, window, found = furnished(), visit(create_login("root", everyone=True)), []
    for path in paths:
        assert window.go(path).status == 200
        found += faults(window)
    assert found == []


def test_the_more_menu_opens_on_a_phone(visit: Visit, scripts: bool) -> None:
    window = visit(create_login("alice", person="alice"), size=PHONE, scripts=scripts)
    window.go("/")
    expect(window.page.get_by_role("link", name="People")).to_be_hidden()
    window.page.get_by_text("More", exact=True).click()
    window.page.get_by_role("link", name="People").click()
    assert window.path == "/people/"
    expect(window.page.get_by_role("link", name="Keys")).to_have_count(0)


def test_search_shows_what_an_assistant_would_get(visit: Visit, scripts: bool) -> None:
    create_memory("alice", "We chose the blue tile.")
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go("/search/")
    window.page.get_by_role("searchbox", name="Question").fill("Which blue tile did we choose?")
    window.page.get_by_role("button", name="Ask").click()
    expect(window.page.locator(".search-results .explanation")).to_contain_text("says “blue tile”")
    told = window.page.get_by_role("region", name="What the assistant would see")
    expect(told).to_contain_text("Relevant background: - “We chose the blue tile.”")
    assert window.path.startswith("/search/?q=Which+blue+tile")
    expect(window.page.get_by_role("button", name="Copy")).to_have_count(1 if scripts else 0)


def test_make_a_key_and_revoke_it(visit: Visit, scripts: bool) -> None:
    window = visit(create_login("root", everyone=True), scripts=scripts)
    window.go("/keys/")
    window.page.get_by_label("What it is for").fill("kitchen")
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Make the key").click()
    token = window.page.locator("#token").inner_text()
    assert token.startswith(ApiKey.objects.get().prefix)
    window.page.get_by_text("Rotate or revoke").click()
    window.page.get_by_label("Your password").first.fill(PASSWORD)
    window.page.get_by_role("button", name="Revoke at once").click()
    expect(window.page.get_by_role("status").filter(has_text="Revoked.")).to_be_visible()
    assert ApiKey.objects.get().revoked_at is not None


def test_a_login_is_made_a_super_users(visit: Visit, scripts: bool) -> None:
    alice = create_login("alice", person="alice")
    window = visit(create_login("root", everyone=True), scripts=scripts)
    window.go("/logins/?q=alice")
    window.page.get_by_text("Change: alice").click()
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Make super user").click()
    expect(window.page.get_by_text("“alice” is a super user now")).to_be_visible()
    alice.refresh_from_db()
    assert alice.is_superuser


def test_a_guest_is_merged_and_unmerged(visit: Visit, scripts: bool) -> None:
    create_memory("guest", "The guest likes tea.")
    person_id("alice")
    window = visit(create_login("root", everyone=True), scripts=scripts)
    window.go(f"/people/{person_id('guest')}/")
    window.page.get_by_role("link", name="Merge this person").click()
    window.page.get_by_label("Into whom").fill("alice")
    window.page.get_by_role("button", name="See what would pass").click()
    expect(window.page.get_by_text("1 memory would pass to")).to_be_visible()
    window.page.get_by_role("button", name="Merge into alice").click()
    expect(window.page.get_by_text("Merged: 1 memory of guest passed to alice.")).to_be_visible()
    assert memory_contents("alice") == {"The guest likes tea."}
    window.page.get_by_role("button", name="Take back: guest into alice").click()
    expect(window.page.get_by_text("Taken back.", exact=False)).to_be_visible()
    assert (memory_contents("alice"), memory_contents("guest")) == (set(), {"The guest likes tea."})
