"""A statement under a number answers what a cursor's would, however many there are, and where none may be kept."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection

from memory_app.postgres.fast.numbered_statement import MAX_PREPARED, read_rows, send_together

pytestmark = pytest.mark.django_db

KEPT = "SELECT count(*) AS kept FROM pg_prepared_statements WHERE name LIKE 'keepsake%%'"


@pytest.fixture
def raw() -> Iterator["psycopg.Connection[Any]"]:
    """A connection of its own, as Django makes it."""
    connection.ensure_connection()
    made = connection.get_new_connection(connection.get_connection_params())
    yield made
    made.close()


def test_a_parameter_may_stand_twice_and_a_percent_sign_is_doubled(raw: "psycopg.Connection[Any]") -> None:
    columns, rows = read_rows(
        raw, "SELECT %(a)s::int + %(b)s::int AS sum, %(a)s::int AS a, '5%%' AS part", {"a": 2, "b": 3}
    )
    assert (columns, rows) == (["sum", "a", "part"], [(5, 2, "5%")])


def test_more_statements_than_are_kept_are_all_answered(raw: "psycopg.Connection[Any]") -> None:
    for number in range(MAX_PREPARED + 5):
        assert read_rows(raw, f"SELECT {number}, %(a)s::int", {"a": 1})[1] == [(number, 1)]
    assert read_rows(raw, KEPT, {})[1] == [(6,)]  # five, and this one
    assert read_rows(raw, "SELECT 0, %(a)s::int", {"a": 2})[1] == [(0, 2)]


def test_where_a_pooler_may_stand_between_nothing_is_kept(raw: "psycopg.Connection[Any]") -> None:
    raw.prepare_threshold = None
    assert read_rows(raw, "SELECT %(a)s::int", {"a": 1})[1] == [(1,)]
    assert read_rows(raw, KEPT, {})[1] == [(0,)]


def test_what_is_set_for_a_transaction_begins_one_and_ends_with_it(raw: "psycopg.Connection[Any]") -> None:
    raw.autocommit = False
    send_together(raw, "SET LOCAL app.tried = 'yes'; SET LOCAL app.more = 'too'")
    asked = "SELECT current_setting('app.tried', true), current_setting('app.more', true)"
    assert read_rows(raw, asked, {})[1] == [("yes", "too")]
    raw.commit()
    assert read_rows(raw, asked, {})[1] == [("", "")]


def test_what_the_server_refuses_is_raised_as_what_it_is(raw: "psycopg.Connection[Any]") -> None:
    raw.autocommit = True
    with pytest.raises(psycopg.errors.UndefinedTable):
        read_rows(raw, "SELECT a FROM nowhere", {})
    with pytest.raises(psycopg.errors.DivisionByZero):
        read_rows(raw, "SELECT 1 / %(a)s::int", {"a": 0})
    with pytest.raises(psycopg.errors.UndefinedTable):
        send_together(raw, "SET app.tried = 'yes'; DROP TABLE nowhere")
    assert read_rows(raw, "SELECT 1 / %(a)s::int", {"a": 1})[1] == [(1,)]


def test_what_someone_else_dropped_is_prepared_anew(raw: "psycopg.Connection[Any]") -> None:
    raw.autocommit = True
    assert read_rows(raw, "SELECT %(a)s::int", {"a": 1})[1] == [(1,)]
    raw.execute("DEALLOCATE ALL")
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        read_rows(raw, "SELECT %(a)s::int", {"a": 1})
    assert read_rows(raw, "SELECT %(a)s::int", {"a": 1})[1] == [(1,)]


def test_what_reads_a_table_that_changed_is_prepared_anew(raw: "psycopg.Connection[Any]") -> None:
    raw.autocommit = True
    raw.execute("CREATE TEMPORARY TABLE changing AS SELECT 1 AS one")
    assert read_rows(raw, "SELECT * FROM changing", {})[1] == [(1,)]
    raw.execute("ALTER TABLE changing ADD COLUMN two int DEFAULT 2")
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        read_rows(raw, "SELECT * FROM changing", {})
    assert read_rows(raw, "SELECT * FROM changing", {})[1] == [(1, 2)]


def test_the_driver_prepares_nothing_that_a_rollback_would_drop_with_all_else(raw: "psycopg.Connection[Any]") -> None:
    raw.autocommit = False
    assert raw.prepare_threshold is not None
    for _ in range(10):
        raw.execute("SELECT 1")
    assert read_rows(raw, "SELECT %(a)s::int", {"a": 1})[1] == [(1,)]
    raw.rollback()
    assert read_rows(raw, "SELECT %(a)s::int", {"a": 2})[1] == [(2,)]
