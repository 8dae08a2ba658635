"""Conflicts in the inbox: two memories side by side, and what may be chosen."""

import pytest
from django.test import Client

from memory_app.models import Conflict, Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import create_login, create_memory, one_line

pytestmark = pytest.mark.django_db

MAREK, HENNING = "Our plumber is called Marek.", "Our plumber is called Henning."


@pytest.fixture
def alice() -> Client:
    client = Client()
    client.force_login(create_login("alice", person="alice"))
    return client


@pytest.fixture
def conflict() -> Conflict:
    create_memory("alice", MAREK)
    create_memory("alice", HENNING)
    with every_space():
        return Conflict.objects.get()


def page(client: Client, path: str = "/inbox/") -> str:
    return client.get(path).content.decode()


def held() -> set[str]:
    with every_space():
        return set(Memory.objects.undeleted().filter(status="active").values_list("content", flat=True))


def answer(client: Client, conflict: Conflict, **data: str) -> str:
    return client.post(f"/conflicts/{conflict.id}/answer/", data, follow=True).content.decode()


def test_both_memories_are_shown_with_differences_and_choices(alice: Client, conflict: Conflict) -> None:
    html = page(alice)
    assert "Our plumber is called <del>Marek</del>." in html
    assert all(words in html for words in ("Keep the newest", "Keep both", "Keep the old one", "Save as one"))
    [item] = alice.get("/inbox/?format=json").json()["conflicts"]
    assert (item["id"], item["newer"]["content"]) == (str(conflict.id), HENNING)


def test_a_conflict_is_shown_on_both_memories_and_the_overview(alice: Client, conflict: Conflict) -> None:
    for memory in (conflict.older_id, conflict.newer_id):
        assert "Which of these holds?" in page(alice, f"/memories/{memory}/")
    assert "1 pair of memories</a> may not both hold" in one_line(page(alice, "/"))


@pytest.mark.parametrize(
    ("data", "told", "left"),
    [
        ({"keep": "newest"}, "The newest holds", {HENNING}),
        ({"keep": "both"}, "Both are kept.", {HENNING, MAREK}),
        ({"keep": "oldest"}, "The old one holds", {MAREK}),
        ({"keep": "merged", "content": "Marek, now Henning"}, "Merged into one memory.", {"Marek, now Henning"}),
    ],
)
def test_the_answer_is_applied_and_can_be_undone(
    alice: Client, conflict: Conflict, data: dict[str, str], told: str, left: set[str]
) -> None:
    assert told in answer(alice, conflict, **data)
    assert held() == left
    assert "Keep the newest" not in page(alice)
    alice.post("/inbox/reopen/", {"proposal": [str(conflict.id)]})
    assert held() == {HENNING, MAREK}
    assert "Keep the newest" in page(alice)


@pytest.mark.parametrize("data", [{}, {"keep": "none"}, {"keep": "merged", "content": " "}])
def test_an_invalid_choice_is_refused(alice: Client, conflict: Conflict, data: dict[str, str]) -> None:
    html = answer(alice, conflict, **data)
    assert "Choose the newest" in html or "Give the text" in html
    assert held() == {HENNING, MAREK}


def test_another_persons_conflict_answers_as_missing(conflict: Conflict) -> None:
    bob = Client()
    bob.force_login(create_login("bob", person="bob"))
    assert "plumber" not in page(bob)
    assert bob.post(f"/conflicts/{conflict.id}/answer/", {"keep": "both"}).status_code == 404


def test_sensitive_words_are_not_shown(alice: Client, api: Api) -> None:
    api.remember("alice", "My card number is 4111 1111 1111 1111")
    api.remember("alice", "My card number is 5500 0000 0000 0004")
    html = page(alice)
    assert "4111" not in html
    assert "5500" not in html
