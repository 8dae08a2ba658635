"""A large space has an index of its own, which changes nothing in what is found, and for nobody who sees less."""

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.db import connection

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.retrieval import signals as remembered
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.jobs import index_spaces as job
from memory_app.jobs.index_spaces import IndexingResult, index_spaces
from memory_app.models import Memory, Space
from memory_app.models.ids import new_id
from memory_app.models.row_security import every_space
from memory_app.models.text_search import text_tsvector
from memory_app.models.vector_index import VectorIndex, existing_indexes
from memory_app.rules.filters import Filters
from tests.worlds import NOON, Row, World

pytestmark = pytest.mark.django_db(transaction=True)

ROWS, LARGE = 300, 250
COLOURS = ("blue", "red", "green", "grey")


@pytest.fixture(autouse=True)
def _no_index_is_left() -> Iterator[None]:
    remembered.forget_indexes()
    yield
    for one in existing_indexes():
        one.drop()
    remembered.forget_indexes()


@pytest.fixture
def kitchen() -> VenueContext:
    """A space of many rows that everyone in it sees, and one that is seen in a channel of it."""
    world = World.build()
    model = world.memory(Row("bob", "kitchen", "space", "The tile is blue"))
    drawn = np.random.default_rng(7).normal(size=(ROWS, current_encoder().dimensions))
    with every_space():
        Memory.objects.bulk_create(_like(model, n, vector) for n, vector in enumerate(drawn))
        world.memory(Row("alice", "cooks", "channel", "The tile of the cooks is blue")).save(force_insert=True)
        world.memory(Row("alice", "private", "private", "The tile at home is blue")).save(force_insert=True)
    return world.venue_context["alice", "kitchen"]


def _like(model: Memory, number: int, vector: Any) -> Memory:
    made = copy.copy(model)
    made.id, made.content = new_id(), f"The tile number {number} is {COLOURS[number % 4]}"
    made.embedding, made.digest = vector / np.linalg.norm(vector), number.to_bytes(16)
    made.tsv = text_tsvector(made.content, "english")
    return made


def indexed(large_from: int = LARGE) -> IndexingResult:
    return index_spaces(encoder=current_encoder(), report=lambda done, total: None, large_from=large_from)


def found(venue_context: VenueContext, query: str, **narrowed: Any) -> list[tuple[str, float]]:
    recalled = recall(
        venue_context=venue_context,
        recall_query=RecallQuery(query, limit=50, **narrowed),
        now=NOON,
        encoder=current_encoder(),
    )
    return [(result.row.content, round(result.score, 6)) for result in recalled.results]


def plans(venue_context: VenueContext, query: str, **narrowed: Any) -> str:
    """How the database carries out the statement that ranks, where it may not sort all rows: with so few, that might
    seem as quick to it."""
    plan: list[str] = []

    def explained(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if "visible AS" in sql:
            execute("SET LOCAL enable_sort = off", None, many, context)
            execute(f"EXPLAIN {sql}", parameters, many, context)
            plan.extend(row[0] for row in context["cursor"].fetchall())
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(explained):
        found(venue_context, query, **narrowed)
    return "\n".join(plan)


def test_only_a_large_space_has_one(kitchen: VenueContext) -> None:
    assert indexed(large_from=ROWS + 1) == IndexingResult([], [], {})
    done = indexed()
    name = f"near_m_{kitchen.venue.space.hex}"  # type: ignore[union-attr]
    assert (done.built, done.dropped) == ([name], [])
    assert done.recall[name] >= 0.99
    assert indexed().built == []


def test_what_is_found_stays_the_same(kitchen: VenueContext) -> None:
    questions = ("the blue tile", "tile number 77", "Which one is grey?", "something else entirely")
    before = [found(kitchen, query) for query in questions]
    indexed()
    assert [found(kitchen, query) for query in questions] == before
    assert "near_m_" in plans(kitchen, "the blue tile")


def test_who_sees_less_does_without(kitchen: VenueContext) -> None:
    indexed()
    private, cooks = (
        resolve_venue(person="alice"),
        resolve_venue(person="alice", place=VenueNames("kitchen", "cooks", restricted=True)),
    )
    own = {"The tile at home is blue", "The tile of the cooks is blue"}
    assert {text for text, _ in found(private, "the blue tile")} == own
    assert "near_m_" not in plans(private, "the blue tile")
    assert "The tile of the cooks is blue" in [text for text, _ in found(cooks, "the blue tile of the cooks")]
    assert "The tile of the cooks is blue" not in [text for text, _ in found(kitchen, "the blue tile of the cooks")]


def test_a_narrowed_question_compares_all(kitchen: VenueContext) -> None:
    indexed()
    assert "near_m_" not in plans(kitchen, "the blue tile", filters=Filters(types=("fact",)))


def test_one_that_finds_too_little_is_dropped(kitchen: VenueContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "MIN_RECALL", 1.01)
    done = indexed()
    assert done.built == done.dropped
    assert existing_indexes() == []


def test_one_that_is_needed_no_more_is_dropped(kitchen: VenueContext) -> None:
    indexed()
    with every_space():
        Memory.objects.filter(content__contains="blue").update(deleted_at=NOON)
    assert indexed().dropped == []
    with every_space():
        Memory.objects.exclude(content__contains="red").update(deleted_at=NOON)
    assert len(indexed().dropped) == 1
    assert existing_indexes() == []


def test_one_of_another_model_or_half_built_is_built_anew(kitchen: VenueContext) -> None:
    space: Space = kitchen.space  # type: ignore[assignment]
    VectorIndex("memory", space.id, "another-model", 3).build()
    assert len(indexed().built) == 1
    with connection.cursor() as cursor:
        cursor.execute(f"COMMENT ON INDEX near_m_{space.id.hex} IS NULL")
    assert len(indexed().built) == 1
    assert existing_indexes() == [VectorIndex("memory", space.id, current_encoder().name, current_encoder().dimensions)]
