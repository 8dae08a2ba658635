"""On a memory's page: which briefs held it, for which question, at what rank; each reader's own briefs alone."""

from datetime import UTC, datetime

from django.test import Client

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.retrieval.brief import BriefRequest, brief
from memory_app.engine.venue_context import resolve_venue
from tests.dashboard.factories import KITCHEN, create_memory, get_page


def asked(person: str, query: str) -> None:
    """An assistant asked for a brief."""
    briefed = brief(
        venue_context=resolve_venue(person=person),
        brief_request=BriefRequest(query),
        author=KITCHEN,
        now=datetime.now(UTC),
        encoder=current_encoder(),
    )
    assert briefed.results


def test_a_memory_lists_the_queries_it_was_used_for(alice: Client) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    assert "Used in" not in get_page(alice, f"/memories/{memory.id}/")
    asked("alice", "Which blue tile did we choose?")
    html = get_page(alice, f"/memories/{memory.id}/")
    assert "Which blue tile did we choose?" in html
    assert "place 1 of 1, for an assistant (kitchen)" in html


def test_queries_of_others_are_shown_to_super_users_only(alice: Client, bob: Client, root: Client) -> None:
    shared = create_memory("bob", "The office closes at six.", visibility="everyone")
    asked("alice", "When is it that the office closes, at six?")
    path = f"/memories/{shared.id}/"
    assert "When is it that the office closes" in get_page(alice, path)
    assert "When is it that the office closes" in get_page(root, path)
    assert "Used in" not in get_page(bob, path)


def test_later_edits_are_noted_and_sensitive_queries_masked(alice: Client) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    asked("alice", "We chose the blue tile, my card number is 4111 1111 1111 1111?")
    alice.post(f"/memories/{memory.id}/confirm/")
    html = get_page(alice, f"/memories/{memory.id}/")
    assert "as an earlier version" in html
    assert "4111 1111" not in html
