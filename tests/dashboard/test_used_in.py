"""On a memory's page: which briefs held it, for which question, at what rank; each reader's own briefs alone."""

from datetime import UTC, datetime

from django.test import Client

from memory_app.embedding.encoder import current
from memory_app.engine.enter import enter
from memory_app.engine.recalling.brief import Occasion, brief
from tests.dashboard.people import KITCHEN, kept, page


def asked(person: str, query: str) -> None:
    """An assistant asked for a brief."""
    briefed = brief(
        entered=enter(person=person),
        occasion=Occasion(query),
        author=KITCHEN,
        now=datetime.now(UTC),
        encoder=current(),
    )
    assert briefed.results


def test_a_memory_tells_for_which_questions_it_was_used(alice: Client) -> None:
    memory = kept("alice", "We chose the blue tile.")
    assert "Used in" not in page(alice, f"/memories/{memory.id}/")
    asked("alice", "Which blue tile did we choose?")
    html = page(alice, f"/memories/{memory.id}/")
    assert "Which blue tile did we choose?" in html
    assert "place 1 of 1, for an assistant (kitchen)" in html


def test_what_another_asked_is_told_to_a_super_user_and_not_to_the_owner(
    alice: Client, bob: Client, root: Client
) -> None:
    shared = kept("bob", "The office closes at six.", visibility="everyone")
    asked("alice", "When is it that the office closes, at six?")
    path = f"/memories/{shared.id}/"
    assert "When is it that the office closes" in page(alice, path)
    assert "When is it that the office closes" in page(root, path)
    assert "Used in" not in page(bob, path)


def test_a_memory_that_was_edited_since_says_so_and_a_sensitive_question_is_masked(alice: Client) -> None:
    memory = kept("alice", "We chose the blue tile.")
    asked("alice", "We chose the blue tile, my card number is 4111 1111 1111 1111?")
    alice.post(f"/memories/{memory.id}/confirm/")
    html = page(alice, f"/memories/{memory.id}/")
    assert "as an earlier version" in html
    assert "4111 1111" not in html
