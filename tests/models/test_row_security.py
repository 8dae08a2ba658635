"""Every table of a space is under row security, its partitions and those made later included; nobody is above it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

from memory_app.engine.audit.log import Author, log_operation
from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.venue_context import resolve_venue
from memory_app.models.operation import ensure_partitions
from memory_app.models.row_security import allowed_spaces
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

FREE = {"membership"}
"""What tells which spaces a request may touch cannot itself be under the rule."""


def _tables_of_a_space() -> set[str]:
    """Tables whose key is led by a space, found so that a new one is covered."""
    return {
        model._meta.db_table
        for model in apps.get_app_config("memory_app").get_models()
        if isinstance(model._meta.pk, models.CompositePrimaryKey) and model._meta.pk.field_names[0] == "space_id"
    }


def _rows(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _partitions() -> set[str]:
    rows = _rows("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'operation'::regclass")
    return {name for (name,) in rows}


def _protected(tables: set[str]) -> set[str]:
    """Those of the tables with row security enabled, forced upon their owner too, and exactly one policy, for all."""
    rows = _rows(
        """
        SELECT relation.relname FROM pg_class AS relation JOIN pg_policy AS policy ON polrelid = relation.oid
        WHERE relrowsecurity AND relforcerowsecurity AND relname = ANY(%s)
        GROUP BY relname
        HAVING count(*) = 1 AND bool_and(
            polcmd = '*' AND polpermissive AND polroles = '{0}'
            AND pg_get_expr(polqual, polrelid) = pg_get_expr(polwithcheck, polrelid)
            AND pg_get_expr(polqual, polrelid) LIKE '%%app.spaces%%'
        )
        """,
        sorted(tables),
    )
    return {name for (name,) in rows}


def test_every_table_of_a_space_is_under_row_security() -> None:
    tables = _tables_of_a_space() - FREE
    assert {"memory", "memory_version", "operation", "receipt", "channel"} <= tables
    assert _protected(tables) == tables


def test_every_table_with_a_space_is_one_of_them() -> None:
    """No model may carry a space without its key being led by it, but the person, whose space is their own."""
    carrying = {
        model._meta.db_table
        for model in apps.get_app_config("memory_app").get_models()
        if any(field.column == "space_id" for field in model._meta.local_concrete_fields)
    }
    assert carrying - _tables_of_a_space() == {"person"}


def test_partitions_are_under_row_security_too() -> None:
    assert len(_partitions()) == 4
    assert _protected(_partitions()) == _partitions()


def test_a_partition_made_later_is_under_row_security_too() -> None:
    made = ensure_partitions(datetime(2031, 12, 15, tzinfo=UTC))
    assert made == ["operation_2031_12", "operation_2032_01", "operation_2032_02", "operation_2032_03"]
    assert _protected(set(made)) == set(made)
    assert ensure_partitions(datetime(2031, 12, 31, 23, tzinfo=UTC)) == []


def test_a_partition_asked_directly_shows_nothing_without_a_scope() -> None:
    venue_context = resolve_venue(person="alice")
    memory = build_memory(venue_context, MemoryInput(content="Alice plays the cello"), NOON).memory
    with allowed_spaces(venue_context.venue.spaces):
        memory.save(force_insert=True)
        log_operation(memory, "remember", Author("command", "tests"), NOON, {})
        seen = sum(_count(table) for table in _partitions())
    assert seen == 1
    assert sum(_count(table) for table in _partitions()) == 0


def _count(table: str) -> int:
    counted: int = _rows(f'SELECT count(*) FROM "{table}"')[0][0]
    return counted


def test_the_role_of_the_application_is_not_above_row_security() -> None:
    assert _rows("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user") == [(False, False)]
