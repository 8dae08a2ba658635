"""Among the rows of many others, the statements that people wait for read by index, and nobody else's rows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from memory_app.models.row_security import every_space
from memory_app.postgres.fast.binary_protocol import fetch_tuples
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("among_others")]

STRANGERS, EACH = 40, 150
OF_SPACES = ("memory", "turn", "entity", "entity_link", "receipt", "segment")
EXPLAINED = re.compile(r"\s*(?:SELECT|WITH|UPDATE)\b", re.IGNORECASE)

COPIED = """
WITH fresh AS (
    INSERT INTO space (id, kind, name, created_at)
    SELECT gen_random_uuid(), 'personal', '', now() FROM generate_series(1, {strangers}) RETURNING id
)
INSERT INTO memory ({columns}) SELECT {values} FROM fresh, generate_series(1, {each}), memory
WHERE memory.content = 'The tile is blue'
"""


@pytest.fixture(scope="module")
def among_others(module_api: Api) -> None:
    """Alice keeps a little, and forty others have a hundred and fifty memories each."""
    api = module_api
    api.remember("alice", "The tile is blue")
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'memory' AND is_generated = 'NEVER'"
        )
        columns = [name for (name,) in cursor.fetchall()]
        own = {"space_id": "fresh.id", "person_id": "fresh.id", "id": "gen_random_uuid()"}
        values = ", ".join(own.get(name, f"memory.{name}") for name in columns)
        cursor.execute(COPIED.format(columns=", ".join(columns), values=values, strangers=STRANGERS, each=EACH))
        cursor.execute("ANALYZE memory")
    api.remember("alice", "My friend Anna chose the blue tile")
    api.remember("alice", "The tile of the hall is grey")


@contextmanager
def read_end_to_end() -> Iterator[set[str]]:
    """The tables of spaces that any statement reads whole."""
    tables: set[str] = set()
    with all_plans() as plans:
        yield tables
    tables.update({*re.findall(r"Seq Scan on (\w+)", "\n".join(plans))} & {*OF_SPACES})


@contextmanager
def all_plans() -> Iterator[list[str]]:
    """How the database carries out each statement, as it plans it in the very transaction."""
    plans: list[str] = []

    def explained(execute: Any, sql: Any, parameters: Any, many: bool, context: Any) -> Any:
        if isinstance(sql, str) and EXPLAINED.match(sql):
            # Statements of `postgres/fast` have no cursor: what is executed returns their columns and rows.
            told = execute(f"EXPLAIN {sql}", parameters, many, context)
            rows = told[1] if context["cursor"] is None else context["cursor"].fetchall()
            plans.append("\n".join(row[0] for row in rows))
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(explained):
        yield plans


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/search", {"person": "alice", "query": "Which tile did Anna choose last week?"}),
        ("/search", {"person": "alice", "query": "tile", "kinds": ["memory", "turn"], "venue": {"space": "kitchen"}}),
        ("/search", {"person": "alice", "query": "tile", "types": ["fact"], "as_of": "2026-01-01T00:00:00Z"}),
        ("/context", {"person": "alice", "query": "Which tile did Anna choose?", "profile": True}),
        ("/context", {"person": "alice", "query": "what do you remember about the tile?"}),
        ("/searches", {"person": "alice", "query": "tile"}),
    ],
)
def test_search_and_context_read_only_own_rows(api: Api, path: str, body: dict[str, object]) -> None:
    with read_end_to_end() as tables:
        assert api.post(path, body).status_code in (200, 201)
    assert tables == set()


@pytest.mark.parametrize(
    "path",
    [
        "/memories?person=alice",
        "/memories?person=alice&type=fact&since=2026-01-01T00:00:00Z&order=oldest",
        "/memories?person=alice&entity=Anna",
        "/entities?person=alice",
        "/people/alice/stats",
    ],
)
def test_lists_read_only_own_rows(api: Api, path: str) -> None:
    with read_end_to_end() as tables:
        assert api.get(path).status_code in (200, 422)
    assert tables == set()


def test_the_segments_of_a_search_and_the_rows_compared_are_read_by_index(api: Api) -> None:
    with all_plans() as plans:
        assert api.post("/search", {"person": "alice", "query": "Which blue tile?"}).status_code == 200
    (units,) = [plan for plan in plans if re.search(r"Scan .*\bsegment", plan)]
    compared = plans[plans.index(units) + 1]
    assert re.search(r"Index (Only )?Scan .*\bsegment", units)
    assert "memory_unpacked" in units
    assert re.search(r"Index Scan using memory_\w+ on memory", compared)


def test_a_sequential_scan_is_detected() -> None:
    with read_end_to_end() as tables, every_space(), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM memory WHERE content = 'The tile is blue'")
    assert tables == {"memory"}


def test_a_sequential_scan_of_a_statement_without_a_cursor_is_detected() -> None:
    with read_end_to_end() as tables, every_space():
        fetch_tuples("SELECT id FROM memory WHERE content = %(content)s", {"content": "The tile is blue"})
    assert tables == {"memory"}


def test_mentions_of_an_entity_are_read_by_index(api: Api) -> None:
    talk = api.post("/conversations", {"person": "alice"}).json()["id"]
    said = [{"role": "user", "content": "Anna chose it."}, {"role": "user", "content": "Who else?"}]
    api.post(f"/conversations/{talk}/turns", {"turns": said})
    anna = next(one["id"] for one in api.get("/entities?person=alice").json()["items"] if one["name"] == "Anna")
    with all_plans() as plans:
        assert api.get(f"/entities/{anna}?person=alice").json()["turn_count"] == 1
    assert not [plan for plan in plans if "Seq Scan on turn" in plan]
    (named,) = [plan for plan in plans if "content ~*" in plan]
    # The names are looked for in what is left of the latest turns with their words, and in nothing else.
    names, _, latest = named.partition("Limit")
    assert "content ~*" in names
    assert "tsv @@ '''anna'''::tsquery" in latest
    assert re.search(r"Index (Only )?Scan .*turn_", latest)
