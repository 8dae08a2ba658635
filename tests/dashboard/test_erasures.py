"""Erasing in the browser: only a super user, who types the first word and signs in again; and the receipt."""

import pytest
from django.test import Client

from dashboard.erasures import starts_with_word
from memory_app.engine.erasure import erase_person
from memory_app.jobs import run_scheduled
from memory_app.models import Erasure, JobRun, Memory, Person
from memory_app.models.row_security import every_space
from tests.dashboard.factories import PASSWORD, create_memory, get_page, memory_contents, reload_memory

pytestmark = pytest.mark.django_db


def test_a_memory_is_erased_after_confirmation_word_and_password(root: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    answer = root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": PASSWORD})
    erasure = Erasure.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/erasures/{erasure.id}/")
    assert (erasure.subject, erasure.by) == (memory.id, "user:root")
    with every_space():
        assert not Memory.objects.exists()
    assert JobRun.objects.get().kind == "purge_traces"


@pytest.mark.parametrize(
    ("word", "password", "told"),
    [
        ("coffee", PASSWORD, "This is not the first word of the memory."),
        ("", PASSWORD, "This field is required."),
        ("Tea", "a wrong password", "This is not your password."),
        ("Tea", "", "This field is required."),
    ],
)
def test_without_the_word_or_the_password_nothing_is_erased(root: Client, word: str, password: str, told: str) -> None:
    memory = create_memory("alice", "Tea is at five.")
    answer = root.post(f"/memories/{memory.id}/erase/", {"word": word, "password": password})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert memory_contents("alice") == {"Tea is at five."}


def test_a_wrong_word_with_the_right_password_locks_nobody_out(root: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    for _ in range(12):
        root.post(f"/memories/{memory.id}/erase/", {"word": "coffee", "password": PASSWORD})
    assert root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": PASSWORD}).status_code == 302


def test_the_password_cannot_be_guessed(root: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    for _ in range(10):
        root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": "a guess"})
    answer = root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": PASSWORD})
    assert "Too many tries." in answer.content.decode()
    assert memory_contents("alice") == {"Tea is at five."}


def test_only_super_users_erase_and_see_receipts(root: Client, alice: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    sent = {"word": "tea", "password": PASSWORD}
    assert alice.get(f"/memories/{memory.id}/erase/").status_code == 404
    assert alice.post(f"/memories/{memory.id}/erase/", sent).status_code == 404
    assert "/erase/" not in alice.get(f"/memories/{memory.id}/").content.decode()
    assert f"/memories/{memory.id}/erase/" in root.get(f"/memories/{memory.id}/").content.decode()
    receipt = root.post(f"/memories/{memory.id}/erase/", sent)["Location"]
    assert alice.get(receipt).status_code == 404
    assert root.get(receipt).status_code == 200


def test_a_forgotten_memory_is_erased_too(root: Client, alice: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    alice.post(f"/memories/{memory.id}/forget/")
    assert reload_memory(memory.id).tier == "deleted"
    root.post(f"/memories/{memory.id}/erase/", {"word": "Tea", "password": PASSWORD})
    assert Erasure.objects.get().removed["memory"] == 1


def test_a_sensitive_memory_is_shown_before_it_is_erased(root: Client) -> None:
    memory = create_memory("alice", "My card number is 4111 1111 1111 1111.")
    page = root.get(f"/memories/{memory.id}/erase/").content.decode()
    assert "4111 1111" not in page
    assert "Show it first" in page
    root.post(f"/memories/{memory.id}/erase/", {"word": "My", "password": PASSWORD})
    assert not Erasure.objects.exists()
    root.post(f"/memories/{memory.id}/reveal/")
    assert root.post(f"/memories/{memory.id}/erase/", {"word": "My", "password": PASSWORD}).status_code == 302


def test_the_receipt_lists_counts_without_any_content(root: Client) -> None:
    memory = create_memory("alice", "Heliotrope tea is at five.")
    create_memory("bob", "Heliotrope tea is at five.")
    receipt = root.post(f"/memories/{memory.id}/erase/", {"word": "heliotrope", "password": PASSWORD})["Location"]
    page = root.get(receipt).content.decode()
    assert "Heliotrope" not in page
    assert "<code>memory</code>" in page
    assert "<code>memory.content</code>: 1 row" in page
    assert "Genuine" in page
    assert root.get(receipt, {"format": "json"}).json()["check"]["nothing_left"] is False
    Erasure.objects.update(removed={})
    assert "Not genuine" in root.get(receipt).content.decode()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Tea is at five.", "tea"),
        ("“Tea”, she says", "Tea"),
        ("“Tea”, she says", "“tea”,"),
        ("Don’t call before nine", "Don't"),
        ("Don't call before nine", "don’t"),
        ("UPPERCASE words", "uppercase"),
        ("Cafe\u0301 visit each morning", "Caf\u00e9"),
        ("🎉 party on Friday", "🎉"),
        ("🎉 party on Friday", "party"),
        ("🎉🎉", "🎉🎉"),
        ("-- !! ??", "--"),
        ("<b>bold</b> statement", "<b>bold</b>"),
        ("我喜欢蓝色的瓷砖", "我"),
        ("我喜欢蓝色的瓷砖", "我喜欢蓝色的瓷砖"),
        ("हिन्दी सीखना अच्छा है", "हिन्दी"),
        ("e-mail goes to Bob", "e-mail"),
        ("3.5 liters of milk", "3.5"),
    ],
)
def test_the_confirmation_word_ignores_case_and_punctuation(text: str, word: str) -> None:
    assert starts_with_word(word, text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Tea is at five.", "te"),
        ("Tea is at five.", "is"),
        ("🎉🎉", "🎉"),
        ("我喜欢", "喜"),
        ("Tea", "🎉"),
        ("-- !!", "!!"),
    ],
)
def test_a_wrong_confirmation_word_is_refused(text: str, word: str) -> None:
    assert not starts_with_word(word, text)


def _page_of(name: str) -> str:
    return f"/people/{Person.objects.get(name=name).id}/erase/"


def test_a_person_is_erased_after_name_and_password(root: Client) -> None:
    create_memory("Alice B.", "Tea is at five.")
    create_memory("bob", "The saw is blunt.")
    form = _page_of("Alice B.")
    assert form in get_page(root, form.removesuffix("erase/"))
    assert "Alice B." in get_page(root, form)
    answer = root.post(form, {"word": " alice b. ", "password": PASSWORD})
    erasure = Erasure.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/erasures/{erasure.id}/")
    assert (erasure.kind, erasure.by, erasure.finished_at is None) == ("person", "user:root", False)
    assert {person.name for person in Person.objects.all()} == {"bob"}
    assert "A person, with everything of theirs" in get_page(root, answer["Location"])


@pytest.mark.parametrize(("word", "password"), [("bob", PASSWORD), ("alice", "a wrong password"), ("", "")])
def test_without_the_name_or_the_password_nobody_is_erased(root: Client, word: str, password: str) -> None:
    create_memory("alice", "Tea is at five.")
    assert root.post(_page_of("alice"), {"word": word, "password": password}).status_code == 422
    assert memory_contents("alice") == {"Tea is at five."}


def test_only_super_users_erase_people_and_see_what_was_erased(root: Client, alice: Client) -> None:
    create_memory("alice", "Tea is at five.")
    form = _page_of("alice")
    assert alice.get(form).status_code == 404
    assert alice.post(form, {"word": "alice", "password": PASSWORD}).status_code == 404
    assert form not in get_page(alice, form.removesuffix("erase/"))
    assert alice.get("/erasures/").status_code == 404
    assert "/erasures/" not in get_page(alice, "/")
    assert "Nothing was erased" in get_page(root, "/erasures/")


def test_the_receipt_of_a_large_erasure_shows_progress(root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase_person, "MAX_ROWS_AT_ONCE", 1)
    monkeypatch.setattr(erase_person, "ROWS_PER_STEP", 2)
    for n in ("one", "two", "three", "four"):
        create_memory("alice", f"Drawer {n} holds spoons.")
    receipt = root.post(_page_of("alice"), {"word": "alice", "password": PASSWORD})["Location"]
    shown = get_page(root, receipt)
    assert "Being erased" in shown
    assert 'hx-trigger="every 2s"' in shown
    erasure = Erasure.objects.get()
    assert f'<progress max="{erasure.total}" value="{erasure.done}"' in shown
    assert "0 % gone" in get_page(root, "/erasures/")
    assert run_scheduled("erase") == "1 people erased"
    part = root.get(receipt, headers={"HX-Request": "true", "HX-Target": "receipt"}).content.decode()
    assert "Erased for good" in part
    assert "<html" not in part
    assert root.get(receipt, {"format": "json"}).json()["state"] == "erased"


def test_erasures_are_listed_with_their_author(root: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": PASSWORD})
    root.post(_page_of("alice"), {"word": "alice", "password": PASSWORD})
    listed = get_page(root, "/erasures/")
    person, gone = Erasure.objects.order_by("-at")
    assert listed.index(f"/erasures/{person.id}/") < listed.index(f"/erasures/{gone.id}/")
    assert "by root" in listed
    told = root.get("/erasures/", {"format": "json"}).json()
    assert [(item["erased"], item["genuine"]) for item in told["items"]] == [("person", True), ("memory", True)]
    assert (told["total"], told["next"]) == (2, None)
