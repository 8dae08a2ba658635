"""Connections that are kept from one request to the next."""

import pytest
from django.db import connection, connections

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_open_connection_is_tried_without_asking_the_database() -> None:
    pid = _pid()
    assert connection.is_usable()
    assert _elsewhere(f"SELECT query FROM pg_stat_activity WHERE pid = {pid}") == "SELECT pg_backend_pid()"


def test_one_that_the_server_closed_is_not_usable() -> None:
    assert _elsewhere(f"SELECT pg_terminate_backend({_pid()}, 10000)")
    usable = connection.is_usable()
    connection.close()
    assert not usable


def test_one_that_was_told_something_unasked_is_still_usable() -> None:
    """A setting of the server that changes is announced to everyone."""
    with connection.cursor() as cursor:
        cursor.execute("LISTEN unasked")
    _elsewhere("SELECT pg_notify('unasked', 'hello')::text")
    assert connection.is_usable()


def _pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid: int = cursor.fetchone()[0]
    return pid


def _elsewhere(statement: str) -> object:
    """What a statement answers on a connection of its own."""
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()[0]
    finally:
        other.close()
