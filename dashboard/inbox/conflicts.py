"""The conflicts that wait in the inbox: two memories side by side, of which the person says which holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any
from uuid import UUID

from dashboard.inbox.cards import Beside, beside_each_other
from dashboard.reach import Reach
from memory_app.engine.locate import WITH_NAMES
from memory_app.models import Conflict, Memory
from memory_app.rules.together import together

MOST_SHOWN = 20
"""Conflicts on one page; the next ones come up as these are answered."""


@dataclass(frozen=True, slots=True)
class ConflictCard:
    """A conflict with its two memories. beside: None where one of the two is sensitive. following: the id of the next
    card; None for the last."""

    conflict: Conflict
    older: Memory
    newer: Memory
    beside: Beside | None
    following: UUID | None = None

    @property
    def draft(self) -> str:
        """What the two could say as one, for the person to edit."""
        return together(self.older.content, self.newer.content)


def conflict_cards(reach: Reach, *, memory: UUID | None = None) -> list[ConflictCard]:
    """Those that wait for an answer, the latest first. memory: those of this one alone."""
    rows = reach.conflicts().of(memory) if memory else reach.conflicts()
    found = list(rows.open().order_by("-opened_at", "-id")[:MOST_SHOWN])
    memories = _memories(found)
    pairs = [(row, memories[row.older_id], memories[row.newer_id]) for row in found]
    following = zip_longest(pairs, [row.id for row in found[1:]])
    return [
        ConflictCard(row, older, newer, beside_each_other(older, newer), after)
        for (row, older, newer), after in following
    ]


def conflict_json(card: ConflictCard) -> dict[str, Any]:
    """As the JSON twin of the inbox shows it."""
    return {
        "id": card.conflict.id,
        "reason": card.conflict.reason,
        "opened_at": card.conflict.opened_at,
        "older": {"id": card.older.id, "content": None if card.older.sensitive else card.older.content},
        "newer": {"id": card.newer.id, "content": None if card.newer.sensitive else card.newer.content},
    }


def _memories(conflicts: Sequence[Conflict]) -> dict[UUID, Memory]:
    ids = {memory for conflict in conflicts for memory in (conflict.older_id, conflict.newer_id)}
    spaces = {conflict.space_id for conflict in conflicts}
    rows = Memory.objects.select_related(*WITH_NAMES).filter(space_id__in=spaces, id__in=ids)
    return {memory.id: memory for memory in rows} if ids else {}
