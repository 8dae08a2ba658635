"""The log, erasing and its receipt in a real browser: readable by everyone, and with scripts or without."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from dashboard.viewer import memory_ref
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.audit.request_log import RequestEntry, RequestSubjects, log_requests
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import edit
from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.factories import KITCHEN, NOON, PASSWORD, create_login, create_memory, person_id

READ = ("/logs/?period=all", "/logs/?q=zeppelin", "/everywhere/?q=a", "/everywhere/", "/recent/", "/erasures/")


@pytest.fixture(autouse=True)
def _furnished(transactional_db: None) -> None:
    """Something done by several, and requests with long names in them."""
    create_memory("alice", "Tea is at five.")
    create_memory("bob", "The saw is blunt.")
    key = Author("key", "ks_12345678 " + "k" * 150)
    log_requests(
        [
            RequestEntry(NOON, key.label, "r" * 64, "GET", "/memories/{memory_id}", status, 2.5, RequestSubjects())
            for status in (200, 404)
        ]
    )


def _memory() -> Memory:
    with every_space():
        return Memory.objects.get(content="Tea is at five.")


def test_a_memory_is_erased_after_its_word_and_a_password(visit: Visit, scripts: bool) -> None:
    window = visit(create_login("root", everyone=True), scripts=scripts)
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


def test_the_log_is_narrowed_by_a_click_and_by_typing(visit: Visit, scripts: bool) -> None:
    window = visit(create_login("root", everyone=True), scripts=scripts)
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


def test_deletes_and_edits_are_undone_from_recent_changes(visit: Visit, scripts: bool) -> None:
    memory, now = _memory(), timezone.now()
    edit(
        at=memory_ref(memory), changes={"content": "Tea is at six."}, author=KITCHEN, now=now, encoder=current_encoder()
    )
    delete_memory(at=memory_ref(create_memory("alice", "The boat is sold.")), author=KITCHEN, now=now)
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go("/")
    window.page.get_by_role("link", name="Recently changed, to undo").click()
    expect(window.page.locator(".log-with-actions > li")).to_have_count(2)
    for told in ("Brought back 1 memory.", "Put back as before 1 memory."):
        window.page.get_by_role("button", name="Undo").first.click()
        expect(window.page.get_by_text(told)).to_be_visible()
    expect(window.page.get_by_role("button", name="Undo")).to_have_count(0)
    with every_space():
        assert set(Memory.objects.undeleted().filter(person__name="alice").values_list("content", flat=True)) == {
            "Tea is at five.",
            "The boat is sold.",
        }


def test_an_earlier_version_is_compared_and_restored(visit: Visit, scripts: bool) -> None:
    memory = _memory()
    for content in ("Tea is at six.", "Tea is at seven."):
        edit(
            at=memory_ref(memory),
            changes={"content": content},
            author=KITCHEN,
            now=timezone.now(),
            encoder=current_encoder(),
        )
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    window.go(f"/memories/{memory.id}/")
    window.page.get_by_label("What changed from").select_option("1")
    if not scripts:
        window.page.get_by_role("button", name="Compare").click()
    expect(window.page.locator("#history del").first).to_have_text("five")
    window.page.get_by_role("button", name="Put back version 1").click()
    expect(window.page.get_by_role("heading", name="Tea is at five.")).to_be_visible()


def test_a_person_is_erased_after_their_name_and_a_password(visit: Visit, scripts: bool) -> None:
    window = visit(create_login("root", everyone=True), scripts=scripts)
    window.go(f"/people/{person_id('alice')}/")
    window.page.get_by_role("link", name="Erase this person").click()
    window.page.get_by_label("The name of the person").fill("alice")
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Erase for good").click()
    expect(window.page.get_by_role("heading", name="Erased for good")).to_be_visible()
    window.page.get_by_role("link", name="Erased", exact=True).first.click()
    expect(window.page.locator(".log > li")).to_have_count(1)


def test_no_accessibility_faults_or_overflow(visit: Visit) -> None:
    memory, found = _memory(), []
    delete_memory(at=memory_ref(create_memory("alice", "The boat is sold.")), author=KITCHEN, now=timezone.now())
    erase(at=memory_ref(create_memory("bob", "The bike is rusty.")), author=KITCHEN, now=timezone.now())
    window = visit(create_login("root", everyone=True))
    for path in (*READ, f"/logs/?memory={memory.id}", f"/people/{memory.person_id}/erase/",
                 f"/memories/{memory.id}/erase/"):  # fmt: skip
        assert window.go(path).status == 200
        found += faults(window, on_phone=path in (READ[0], READ[2], READ[4]))
    window.page.get_by_label("The first word of the memory").fill("tea")
    window.page.get_by_label("Your password").fill(PASSWORD)
    window.page.get_by_role("button", name="Erase for good").click()
    window.page.get_by_role("heading", name="Erased for good").wait_for()
    found += faults(window)
    assert found == []
