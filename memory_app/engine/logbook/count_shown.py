"""Count shown: memories that searches showed were accessed; less than those that an assistant was briefed with."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memory_app.rules.strength import SHOWN_REINFORCES

Place = tuple[UUID, UUID]
"""The space of a memory, and its id."""

STATEMENT = f"""
WITH shown AS (
    SELECT * FROM unnest(%(spaces)s::uuid[], %(ids)s::uuid[], %(times)s::int[]) AS one (space_id, id, times)
),
free AS (
    SELECT space_id, id FROM memory WHERE (space_id, id) IN (SELECT space_id, id FROM shown)
    FOR UPDATE SKIP LOCKED
)
UPDATE memory SET access_count = access_count + times, last_accessed_at = %(now)s,
    reinforced_at = reinforced_at
        + greatest(%(now)s - reinforced_at, interval '0') * (1 - (1 - {SHOWN_REINFORCES}) ^ times)
FROM free JOIN shown USING (space_id, id)
WHERE memory.space_id = free.space_id AND memory.id = free.id
"""
"""What is being changed at this moment is left out: nobody waits for a count."""


def count_shown(places: Sequence[Place], now: datetime) -> None:
    """One statement for all, each as often as it was shown. Expects a scope that is open."""
    counts = Counter(places)
    if not counts:
        return
    values: dict[str, Any] = {
        "spaces": [space for space, _ in counts],
        "ids": [identifier for _, identifier in counts],
        "times": list(counts.values()),
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, values)
