"""Search by words: BM25 over what may be seen."""

from collections.abc import Sequence
from typing import Any

import pytest

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import RecallResults, recall
from memory_app.engine.retrieval.signals import SearchRequest, gather_candidates
from memory_app.engine.venue_context import resolve_venue
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.queries.question import read_question
from tests.worlds import NOON, Row, World, store

pytestmark = pytest.mark.django_db

FILLER = [f"We talked about green paint in room {n}" for n in range(12)]


def _kept(texts: Sequence[str], **row: Any) -> None:
    world = World.build()
    store((one, world.memory(one)) for one in [Row("alice", "private", "private", text, **row) for text in texts])


def _found(query: str, method: Any = "text") -> RecallResults:
    return recall(
        venue_context=resolve_venue(person="alice"),
        recall_query=RecallQuery(query, method=method),
        now=NOON,
        encoder=current_encoder(),
    )


def _texts(found: RecallResults) -> list[str]:
    return [result.row.content for result in found.results]


@pytest.mark.parametrize("method", ["text", "hybrid"])
@pytest.mark.parametrize(
    ("repeated", "whole"),
    [
        ("Oolong, oolong, oolong!", "Anna brought green oolong from the coast"),
        ("Oolong here, oolong there, oolong everywhere", "The oolong is green"),
        ("Green, green, green", "On the coast oolong is green and hot"),
    ],
)  # fmt: skip
def test_a_word_said_three_times_does_not_beat_all_words(method: str, repeated: str, whole: str) -> None:
    _kept([whole, repeated, *FILLER[:3]])
    assert _texts(_found("green oolong", method))[0] == whole


def test_a_repeated_word_does_not_beat_a_long_text_with_all_words() -> None:
    long = "Green is how " + "the kettle that stands beside our old stove looks when " * 5 + "oolong is made"
    _kept([long, "Oolong, oolong and oolong", *FILLER])
    assert _texts(_found("green oolong"))[0] == long


def test_how_often_a_text_has_a_word_is_counted() -> None:
    _kept([" ".join(["tile"] * times) + " on the wall of our kitchen" for times in (1, 2, 3, 5, 9)])
    venue_context, recall_query = resolve_venue(person="alice"), RecallQuery("tile", method="text")
    question = read_question("tile", at=NOON, timezone=venue_context.person.zone, language="english")
    with allowed_spaces(venue_context.venue.spaces):
        gathered = gather_candidates(
            SearchRequest(venue_context, recall_query, question, None, current_encoder().name, NOON)
        )
    # The memories are tagged with their first word, which is found by too where the text does not have it.
    assert gathered.signals.often[0].tolist() == [9, 5, 3, 2, 1]
    assert gathered.statistics.average == 3  # tile, wall, kitchen


def test_many_rows_with_a_word_are_ranked_by_it() -> None:
    """More than leave the database: those that say most by it are among them."""
    _kept(["tile, tile and tile", *(f"tile number {n} of a long row of things on the wall" for n in range(230))])
    assert _texts(_found("tile"))[0] == "tile, tile and tile"


def test_lengths_of_rows_that_are_not_seen_change_nothing() -> None:
    """Statistics are of the visible set alone."""
    world = World.build()
    mine = [Row("alice", "private", "private", text) for text in ("blue tile", "a blue tile on the kitchen wall")]
    store((row, world.memory(row)) for row in mine)
    before = [(result.row.id, result.score) for result in _found("blue tile").results]
    others = [Row("bob", "private", "private", f"blue tile {'and a wall ' * 30}{n}") for n in range(5)]
    store((row, world.memory(row)) for row in others)
    assert [(result.row.id, result.score) for result in _found("blue tile").results] == before
