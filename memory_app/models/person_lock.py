"""One writer at a time for the memories of a person, so that each decision sees the outcome of the last one.

The locks are advisory locks of PostgreSQL, held until the transaction ends.
"""

from uuid import UUID

from django.db import connection


def lock_writers(person: UUID) -> None:
    """Locks out other writers of this person's memories."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [person.int & 0x7FFF_FFFF_FFFF_FFFF])


def lock_writers_of_memory(space: UUID, memory: UUID) -> None:
    """Locks out other writers of the owner of a memory, in one statement; does nothing where it does not exist."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(('x' || right(replace(person_id::text, '-', ''), 16))::bit(64)::bigint"
            " & 9223372036854775807) FROM memory WHERE space_id = %s AND id = %s",
            [space, memory],
        )
