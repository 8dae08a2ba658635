"""Export: everything kept of a person, one JSON object a memory, so that importing it loses nothing."""

from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from ..models import Memory
from ..models.scope import within
from .enter import Entered
from .locate import WITH_NAMES

CARRIED = (
    *("type", "category", "key", "summary", "content", "keywords", "tags", "attributes", "visibility", "status"),
    *("confidence", "protected", "sensitive", "source_type", "source_conversation", "source_speaker", "source_turns"),
    *("source_count", "event_time", "event_end", "valid_from", "valid_to", "expires_at", "supersedes", "superseded_by"),
    *("decay_rate", "reinforced_at", "access_count", "last_accessed_at", "created_at", "updated_at", "version"),
    *("deleted_at", "deleted_by", "delete_reason"),
)
"""Fields of a memory that an export carries and an import sets as they were."""

ROWS_AT_A_TIME = 500


def export(entered: Entered) -> Iterator[dict[str, Any]]:
    """The person's own memories of tiers 1 and 2, oldest first, as JSON values."""
    with within(entered.venue.spaces):
        own = Memory.objects.filter(space_id__in=entered.venue.spaces, person=entered.person)
        rows = own.select_related(*WITH_NAMES).order_by("created_at", "id")
        for memory in rows.iterator(chunk_size=ROWS_AT_A_TIME):
            yield carried(memory)


def carried(memory: Memory) -> dict[str, Any]:
    """One memory as an export holds it."""
    values = {name: getattr(memory, name) for name in CARRIED}
    return {
        "id": str(memory.id),
        "person": memory.person.name,
        "space": memory.space.name or None,
        "channel": memory.channel.name if memory.channel else None,
        **{name: _plain(value) for name, value in values.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int | float | dict):
        return value
    return DjangoJSONEncoder().default(value)
