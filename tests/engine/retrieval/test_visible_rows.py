"""The SQL of what is visible, written once for each shape, finds for each person what the visibility rule gives."""

from datetime import timedelta
from typing import Any

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.visible_rows import shape_sql, visible_rows_sql
from memory_app.engine.venue_context import VenueContext
from memory_app.models.row_security import every_space
from memory_app.postgres.fast.binary_protocol import fetch_dicts
from memory_app.rules.filters import Filters
from tests.conftest import Api
from tests.worlds import LEVELS, NOON, Row, World, seen_by, store

pytestmark = pytest.mark.django_db

ROWS = [
    Row(person, place, level, f"{person} {place} {level}", said=said)
    for person in ("alice", "bob")
    for place, levels in LEVELS.items()
    for level in levels
    for said in (False, True)
    if person == "bob" or place not in ("garage", "bench")
]


@pytest.fixture
def world() -> World:
    built = World.build()
    store((row, built.memory(row)) for row in ROWS)
    return built


def _rows(venue_context: VenueContext, recall_query: RecallQuery) -> list[dict[str, Any]]:
    """Found with row security letting everything through."""
    with every_space():
        return fetch_dicts(*visible_rows_sql(venue_context.venue, recall_query, NOON))


def test_visible_rows_match_the_rule_from_every_venue(world: World) -> None:
    for venue_context in world.venue_context.values():
        assert {row["id"] for row in _rows(venue_context, RecallQuery(""))} == seen_by(venue_context)


def test_memories_and_turns_are_seen_alike(world: World) -> None:
    venue_context = world.venue_context["alice", "cooks"]
    rows = _rows(venue_context, RecallQuery("", kinds=("memory", "turn")))
    assert sorted(row["kind"] for row in rows) == ["memory"] * 6 + ["turn"] * 6
    assert len(_rows(venue_context, RecallQuery("", kinds=("turn", "memory")))) == 12


def test_a_kind_named_twice_is_looked_in_once(world: World, api: Api, encoder: Encoder) -> None:
    named = {"person": "bob", "query": "bob", "kinds": ["turn", "turn", "memory"], "limit": 100}
    found = [result[result["kind"]]["id"] for result in api.post("/search", named).json()["results"]]
    assert len(found) == len(set(found)) > 0


def test_venues_of_one_shape_share_their_sql_and_no_row(world: World) -> None:
    shape_sql.cache_clear()
    chefs, cooks = world.venue_context["bob", "chefs"], world.venue_context["bob", "cooks"]
    sql, parameters = visible_rows_sql(chefs.venue, RecallQuery(""), NOON)
    assert (visible_rows_sql(cooks.venue, RecallQuery(""), NOON)[0], shape_sql.cache_info().misses) == (sql, 1)
    assert str(chefs.venue.channel) not in sql
    assert chefs.venue.channel in parameters.values()


def test_narrowing_by_time_and_type_is_part_of_the_shape(world: World) -> None:
    venue_context = world.venue_context["alice", "private"]
    told = NOON - timedelta(minutes=60)
    everything = len(_rows(venue_context, RecallQuery("")))
    assert len(_rows(venue_context, RecallQuery("", since=told))) == everything
    assert _rows(venue_context, RecallQuery("", since=NOON)) == []
    assert _rows(venue_context, RecallQuery("", until=told)) == []
    assert len(_rows(venue_context, RecallQuery("", as_of=NOON))) == everything
    assert _rows(venue_context, RecallQuery("", as_of=told - timedelta(minutes=1))) == []
    assert _rows(venue_context, RecallQuery("", filters=Filters(types=("journal",)))) == []


FILTERED = [
    ({"types": ["task", "note"]}, "ab"),
    ({"categories": ["work"]}, "b"),
    ({"visibility": ["global"]}, "c"),
    ({"tags": ["home", "paint"]}, "ac"),
    ({"tags": {"all": ["home", "paint"]}}, "c"),
    ({"tags": {"any": ["home"], "all": ["paint"]}, "types": ["task"]}, ""),
    ({"attributes": {"project": "x"}}, "ab"),
    ({"attributes": {"priority": {"gte": 3, "lt": 5}}}, "a"),
    ({"attributes": {"priority": {"ne": 3}}}, "bcd"),
    ({"attributes": {"priority": {"in": [3, "high"]}}}, "ab"),
    ({"attributes": {"priority": None}}, "cd"),
    ({"attributes": {"and": [{"project": "x"}, {"not": {"priority": {"gt": 1}}}]}}, "b"),
    ({"attributes": {"or": [{"priority": 3}, {"of": {"deep": ['a"b', "q"]}}]}}, "ac"),
    ({"entities": ["anna"]}, "b"),
    ({"entities": ["Anna", "nobody"], "types": ["note"]}, "b"),
]


@pytest.mark.parametrize(("filters", "found"), FILTERED)
def test_filters_narrow_the_visible_rows(api: Api, filters: dict[str, Any], found: str) -> None:
    rows: list[dict[str, Any]] = [
        {"content": "the tile alpha", "type": "task", "tags": ["home"], "attributes": {"project": "x", "priority": 3}},
        {"content": "the tile bravo of Anna", "type": "note", "attributes": {"project": "x", "priority": "high"}},
        {
            "content": "the tile copper",
            "type": "fact",
            "tags": ["home", "paint"],
            "attributes": {"of": {"deep": ['a"b']}},
        },
        {"content": "the tile delta", "type": "fact"},
    ]
    rows[1] |= {"category": "work"}
    rows[2] |= {"visibility": "global"}
    for row in rows:
        api.post("/memories", {"person": "alice", **row})
    searched = api.post("/search", {"person": "alice", "query": "the tile", "kinds": ["memory", "turn"], **filters})
    answer = searched.json()
    assert sorted(result["memory"]["content"].split()[2][0] for result in answer["results"]) == sorted(found), answer
    assert answer["total_found"] == len(found)
