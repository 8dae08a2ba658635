"""The lock that writers of a person take."""

import pytest
from django.db import connection, transaction

from memory_app.engine.venue_context import resolve_venue
from memory_app.models.person import lock_writers, lock_writers_of_memory
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_memory


@pytest.mark.django_db
def test_locking_a_memory_locks_its_person() -> None:
    """Both ways take the very same lock."""

    def keys() -> list[tuple[int, int]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT classid::bigint, objid::bigint FROM pg_locks WHERE locktype = 'advisory'")
            return list(cursor.fetchall())

    alice, home = resolve_venue(person="alice"), create_memory("alice", "Alice lives in Paris")
    with transaction.atomic(), every_space():
        lock_writers(alice.person.id)
        before = keys()
        lock_writers_of_memory(home.space_id, home.id)
        assert (len(before), keys()) == (1, before)
