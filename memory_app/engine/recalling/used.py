"""Used: the briefs that held a memory, by their receipts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.language.sensitive import masked
from memory_app.models import Memory, Receipt

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Use:
    """One brief that held the memory: when, for which question and in whose name, and at what rank from 1.

    What is sensitive in the question is masked. changed: whether the brief held an earlier version."""

    receipt: UUID
    at: datetime
    query: str
    author: str
    rank: int
    of: int
    changed: bool


def used(*, memory: Memory, home: UUID | None, limit: int = SHOWN) -> Sequence[Use]:
    """The latest first. home: the space of the person whose briefs are told of; None tells of everyone's, and wants
    `every_space()`. Expects a scope that is open."""
    rows = Receipt.objects.filter(items__contains=[{"memory": str(memory.id)}])
    if home:
        rows = rows.filter(space_id=home)
    return [_use(receipt, memory) for receipt in rows.order_by("-at", "-id")[:limit]]


def _use(receipt: Receipt, memory: Memory) -> Use:
    item = next(item for item in receipt.items if item["memory"] == str(memory.id))
    return Use(
        receipt=receipt.id,
        at=receipt.at,
        query=masked(receipt.query),
        author=receipt.author,
        rank=item["rank"],
        of=len(receipt.items),
        changed=item.get("version", memory.version) != memory.version,
    )
