"""How many statements a search and a brief take: their number is felt where the database is on another machine.

Beside these each transaction begins and ends, which is a statement more each.
"""

import re
from typing import Any

import pytest
from django.db import connection

from tests.conftest import Api

pytestmark = pytest.mark.django_db(transaction=True)

SEARCHES = {'"segment"': "units", "pairs AS": "later", "timestamptz_send": "told", "vector <#>": "compare"}
"""The statements of a search, by what tells each from the others."""

OPENING = ["SELECT api_key"]
"""Who asks, of whom, and where they belong."""


def sent(api: Api, path: str, body: dict[str, object]) -> list[str]:
    """What a call sends to the database, each statement as its first word and the first table it names."""
    statements: list[str] = []

    def noted(execute: Any, sql: Any, parameters: Any, many: bool, context: Any) -> Any:
        text = sql if isinstance(sql, str) else sql.as_string()
        named = re.search(r'(?:FROM|INTO|UPDATE) "?(\w+)"?', text)
        word = text.split()[0]
        kind = next((kind for mark, kind in SEARCHES.items() if mark in text), None)
        statements.append(kind or (word if named is None else f"{word} {named[1]}"))
        return execute(sql, parameters, many, context)

    assert api.post(path, body).status_code == 200  # what is remembered of the catalogue and the key is asked for once
    with connection.execute_wrapper(noted):
        assert api.post(path, body).status_code == 200
    return statements


def test_a_search_takes_one_statement_each_to_read_units_to_compare_and_to_show(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    statements = sent(api, "/search", {"person": "alice", "query": "Which tile did Anna choose?"})
    assert statements == [*OPENING, "SET", "units", "compare", "SELECT memory"]


def test_a_search_that_finds_nothing_reads_no_rows(api: Api) -> None:
    statements = sent(api, "/search", {"person": "alice", "query": "Which tile did Anna choose?", "method": "text"})
    assert statements == [*OPENING, "SET", "units"]


def test_a_brief_looks_for_later_statements_and_records_what_it_told_in_four_more(api: Api) -> None:
    api.remember("alice", "we decided to go with the blue tile in the kitchen")
    statements = sent(api, "/context", {"person": "alice", "query": "Which blue tile did we decide on in the kitchen?"})
    assert statements == [
        *OPENING,
        "SET",
        "units",
        "compare",
        "SELECT memory",
        "SET",
        "told",
        "later",
        "SET",
        "UPDATE memory",
        "WITH receipt",
    ]
