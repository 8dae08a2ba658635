"""Erasing in the browser: only a super user, who types the first word and signs in again; and the receipt."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from dashboard.erasing import first_word
from memory_app.models import Erasure, JobRun, Memory
from memory_app.models.scope import every_space

from .people import PASSWORD, contents, kept, stored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _limits_start_anew() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_a_memory_is_erased_after_word_and_password(root: Client) -> None:
    memory = kept("alice", "Tea is at five.")
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
    memory = kept("alice", "Tea is at five.")
    answer = root.post(f"/memories/{memory.id}/erase/", {"word": word, "password": password})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert contents("alice") == {"Tea is at five."}


def test_the_password_cannot_be_guessed(root: Client) -> None:
    memory = kept("alice", "Tea is at five.")
    for _ in range(10):
        root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": "a guess"})
    answer = root.post(f"/memories/{memory.id}/erase/", {"word": "tea", "password": PASSWORD})
    assert "Too many tries." in answer.content.decode()
    assert contents("alice") == {"Tea is at five."}


def test_only_super_users_erase_and_see_receipts(root: Client, alice: Client) -> None:
    memory = kept("alice", "Tea is at five.")
    sent = {"word": "tea", "password": PASSWORD}
    assert alice.get(f"/memories/{memory.id}/erase/").status_code == 404
    assert alice.post(f"/memories/{memory.id}/erase/", sent).status_code == 404
    assert "/erase/" not in alice.get(f"/memories/{memory.id}/").content.decode()
    assert f"/memories/{memory.id}/erase/" in root.get(f"/memories/{memory.id}/").content.decode()
    receipt = root.post(f"/memories/{memory.id}/erase/", sent)["Location"]
    assert alice.get(receipt).status_code == 404
    assert root.get(receipt).status_code == 200


def test_a_forgotten_memory_is_erased_too(root: Client, alice: Client) -> None:
    memory = kept("alice", "Tea is at five.")
    alice.post(f"/memories/{memory.id}/forget/")
    assert stored(memory.id).tier == "deleted"
    root.post(f"/memories/{memory.id}/erase/", {"word": "Tea", "password": PASSWORD})
    assert Erasure.objects.get().removed["memory"] == 1


def test_a_sensitive_memory_is_shown_before_it_is_erased(root: Client) -> None:
    memory = kept("alice", "My card number is 4111 1111 1111 1111.")
    page = root.get(f"/memories/{memory.id}/erase/").content.decode()
    assert "4111" not in page
    assert "Show it first" in page
    root.post(f"/memories/{memory.id}/erase/", {"word": "My", "password": PASSWORD})
    assert not Erasure.objects.exists()
    root.post(f"/memories/{memory.id}/reveal/")
    assert root.post(f"/memories/{memory.id}/erase/", {"word": "My", "password": PASSWORD}).status_code == 302


def test_the_receipt_tells_all_and_holds_no_word(root: Client) -> None:
    memory = kept("alice", "Heliotrope tea is at five.")
    kept("bob", "Heliotrope tea is at five.")
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
    [("“Tea” is at five", "Tea"), ("  it’s late", "it’s"), ("42 is it", "42"), ("?! what", "what"), ("!!!", "!!!")],
)
def test_the_first_word_is_what_one_would_type(text: str, word: str) -> None:
    assert first_word(text) == word
