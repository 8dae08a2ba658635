"""Retell what is outdated: reflections that rest on what faded, expired or was recalled, without a word to anyone."""

from datetime import datetime

from django.db import connection

from memory_app.engine.change import one_writer
from memory_app.engine.summing.digest import ABOUT_TO_FADE
from memory_app.engine.summing.retell import tell
from memory_app.models import Memory
from memory_app.models.scope import every_space, within

OUTDATED = """
SELECT DISTINCT told.space_id, told.id, told.person_id FROM memory told
CROSS JOIN LATERAL jsonb_path_query(told.attributes, 'lax $.lines[*]') AS line (said)
CROSS JOIN LATERAL jsonb_path_query(line.said, 'lax $.quotes[*]') AS quote (id)
LEFT JOIN memory quoted ON quoted.space_id = told.space_id
    AND quoted.id = CASE WHEN quote.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        THEN (quote.id #>> '{}')::uuid END
WHERE told.source_type IN ('consolidation', 'reflection') AND told.type = 'reflection'
    AND (quoted.id IS NULL OR quoted.status <> 'active' OR quoted.expires_at <= %(now)s
        OR starts_with(line.said ->> 'text', %(about_to_fade)s) AND quoted.reinforced_at > told.created_at)
"""
"""Reflections with a line that no longer holds, for what is recalled is kept for longer without a word as well."""


def retell_outdated(now: datetime) -> int:
    """Has all of which some line holds no longer say what holds; how many. Each by itself, nobody else changing what
    it rests on meanwhile."""
    with every_space(), connection.cursor() as cursor:
        cursor.execute(OUTDATED, {"now": now, "about_to_fade": ABOUT_TO_FADE})
        found = cursor.fetchall()
    for space, one, person in found:
        with within([space]):
            one_writer(person)
            rows = Memory.objects.filter(space_id=space, id=one, person_id=person)
            for reflection in rows.select_related("person").defer("embedding", "tsv"):
                tell(reflection, now)
    return len(found)
