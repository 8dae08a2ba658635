"""How the database answers a search: planned once, and by index, so that nobody's rows are read but those asked for."""

from typing import Any

import pytest
from django.db import connection

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.retrieval.query import Kind, RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.models.row_security import allowed_spaces
from memory_app.postgres.fast.binary_protocol import fetch_dicts
from memory_app.rules.rank_units import MAX_CANDIDATES
from tests.worlds import NOON, Row, World, store

pytestmark = pytest.mark.django_db

MANY = 300
QUESTIONS = ("Which blue tile did Anna choose last week?", "tile", "?")


@pytest.fixture
def alice() -> VenueContext:
    world = World.build()
    store((row, world.memory(row)) for row in [Row("alice", "private", "private", f"blue tile {n}") for n in range(20)])
    return resolve_venue(person="alice")


class Sent:
    """Takes note of the statements by which searches are answered."""

    def __init__(self) -> None:
        self.searches: list[tuple[str, Any]] = []

    def __call__(self, execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if "segment" in sql or "visible" in sql:
            self.searches.append((sql, parameters))
        return execute(sql, parameters, many, context)


def _prepared() -> list[tuple[str, int, int]]:
    """The statements that the connection holds, and how often each was planned for all and for this question alone."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements")
        return [row for row in cursor.fetchall() if "segment" in row[0] or "visible" in row[0]]


def test_a_search_is_planned_once_for_all_questions_of_its_form(alice: VenueContext) -> None:
    before = {statement: generic for statement, generic, _ in _prepared()}
    for query in ("what tile is it?", "what door is it?", "what wall is it?"):
        recall(venue_context=alice, recall_query=RecallQuery(query), now=NOON, encoder=current_encoder())
    ran = [(generic - before.get(statement, 0), custom) for statement, generic, custom in _prepared()]
    assert ran.count((3, 0)) >= 2  # what is read, and what is compared


@pytest.mark.parametrize("query", QUESTIONS)
@pytest.mark.parametrize("kinds", [("memory",), ("turn",), ("memory", "turn")])
def test_no_table_is_read_from_end_to_end(alice: VenueContext, query: str, kinds: tuple[Kind, ...]) -> None:
    """Not even one of a few rows, for it may be another tomorrow, and the plan is kept."""
    with connection.execute_wrapper(sent := Sent()):
        recall(venue_context=alice, recall_query=RecallQuery(query, kinds=kinds), now=NOON, encoder=current_encoder())
    with allowed_spaces(alice.venue.spaces):
        plans = [
            "\n".join(row["QUERY PLAN"] for row in fetch_dicts(f"EXPLAIN {sql}", values))
            for sql, values in sent.searches
        ]
    assert plans
    assert all("Index" in plan and "Seq Scan" not in plan for plan in plans)


def test_by_meaning_alone_the_nearest_are_found_whatever_words_others_have() -> None:
    """More rows share a word with the question than leave the database; the nearest one shares none."""
    world = World.build()
    rows = [Row("alice", "private", "private", f"tile {n}") for n in range(MAX_CANDIDATES + 5)]
    memories = [(row, world.memory(row)) for row in rows]
    nearest = Row("alice", "private", "private", "something else")
    memories.append((nearest, world.memory(nearest)))
    memories[-1][1].embedding = current_encoder().queries(["tile"])[0]
    store(memories)
    found = recall(
        venue_context=resolve_venue(person="alice"),
        recall_query=RecallQuery("tile", method="vector"),
        now=NOON,
        encoder=current_encoder(),
    )
    assert found.results[0].row.content == "something else"


def test_rows_are_found_by_whether_they_are_packed_and_by_their_ids() -> None:
    world = World.build()
    rows = [Row("alice", "private", "private", f"tile {n}") for n in range(MANY)]
    store([(row, world.memory(row)) for row in rows])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory")
    alice = resolve_venue(person="alice")
    with connection.execute_wrapper(sent := Sent()):
        recall(venue_context=alice, recall_query=RecallQuery("tile"), now=NOON, encoder=current_encoder())
    (read, of_reading), (compare, of_comparing) = sent.searches
    with allowed_spaces(alice.venue.spaces):
        reading, comparing = (
            "\n".join(row["QUERY PLAN"] for row in fetch_dicts(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}", values))
            for sql, values in ((read, of_reading), (compare, of_comparing))
        )
    assert "memory_unpacked" in reading
    assert "memory_by_id" in comparing or "memory_pkey" in comparing
    assert "Rows Removed" not in comparing
