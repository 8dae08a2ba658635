"""How the database answers a search: planned once, and by index, so that nobody's rows are read but those asked for."""

import re
from typing import Any

import pytest
from django.db import connection

from memory_app.embedding.encoder import current
from memory_app.engine.enter import Entered, enter
from memory_app.engine.recalling.asked import Asked, Kind
from memory_app.engine.recalling.ranking import CANDIDATES
from memory_app.engine.recalling.recall import recall
from memory_app.models.scope import within
from memory_app.models.wire import fetch
from tests.worlds import NOON, Row, World, store

pytestmark = pytest.mark.django_db

MANY = 300
QUESTIONS = ("Which blue tile did Anna choose last week?", "tile", "?")


@pytest.fixture
def alice() -> Entered:
    world = World.build()
    store((row, world.memory(row)) for row in [Row("alice", "private", "private", f"blue tile {n}") for n in range(20)])
    return enter(person="alice")


class Sent:
    """Takes note of the statements by which searches are answered."""

    def __init__(self) -> None:
        self.searches: list[tuple[str, Any]] = []

    def __call__(self, execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if "visible" in sql:
            self.searches.append((sql, parameters))
        return execute(sql, parameters, many, context)


def _prepared() -> list[tuple[str, int, int]]:
    """The statements that the connection holds, and how often each was planned for all and for this question alone."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements")
        return [row for row in cursor.fetchall() if "visible" in row[0]]


def test_a_search_is_planned_once_for_all_questions_of_its_form(alice: Entered) -> None:
    before = {statement: generic for statement, generic, _ in _prepared()}
    for query in ("what tile is it?", "what door is it?", "what wall is it?"):
        recall(entered=alice, asked=Asked(query), now=NOON, encoder=current())
    ran = [(generic - before.get(statement, 0), custom) for statement, generic, custom in _prepared()]
    assert (3, 0) in ran


@pytest.mark.parametrize("query", QUESTIONS)
@pytest.mark.parametrize("kinds", [("memory",), ("turn",), ("memory", "turn")])
def test_no_table_is_read_from_end_to_end(alice: Entered, query: str, kinds: tuple[Kind, ...]) -> None:
    """Not even one of a few rows, for it may be another tomorrow, and the plan is kept."""
    with connection.execute_wrapper(sent := Sent()):
        recall(entered=alice, asked=Asked(query, kinds=kinds), now=NOON, encoder=current())
    with within(alice.venue.spaces):
        [plan] = [
            "\n".join(row["QUERY PLAN"] for row in fetch(f"EXPLAIN {sql}", values)) for sql, values in sent.searches
        ]
    assert "Index Scan" in plan
    assert "Seq Scan" not in plan


def test_by_meaning_alone_the_nearest_are_found_whatever_words_others_have() -> None:
    """More rows share a word with the question than leave the database; the nearest one shares none."""
    world = World.build()
    rows = [Row("alice", "private", "private", f"tile {n}") for n in range(CANDIDATES + 5)]
    memories = [(row, world.memory(row)) for row in rows]
    nearest = Row("alice", "private", "private", "something else")
    memories.append((nearest, world.memory(nearest)))
    memories[-1][1].embedding = current().queries(["tile"])[0]
    store(memories)
    found = recall(entered=enter(person="alice"), asked=Asked("tile", method="vector"), now=NOON, encoder=current())
    assert found.results[0].memory.content == "something else"


def test_passages_are_looked_for_among_those_rows_alone_that_have_some() -> None:
    world = World.build()
    rows = [Row("alice", "private", "private", f"tile {n}") for n in range(MANY)]
    store([(row, world.memory(row)) for row in rows])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory")
    alice = enter(person="alice")
    with connection.execute_wrapper(sent := Sent()):
        recall(entered=alice, asked=Asked("tile"), now=NOON, encoder=current())
    [(sql, values)] = sent.searches
    with within(alice.venue.spaces):
        plan = [row["QUERY PLAN"] for row in fetch(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}", values)]
    assert any("memory_in_passages" in line for line in plan)
    assert [line for line in plan if re.search(rf"Rows Removed by Filter: {MANY}\b", line)] == []
