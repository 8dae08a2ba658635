"""Told: note which memories were read out to a person in chat, so that "forget that" finds them. A receipt like that
of a brief, for it answers the same question later: what was said of whom, where and when."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.models import Memory, Receipt
from memory_app.models.scope import within

IN_CHAT = "chat"
"""The intent of such a receipt."""


def told(
    *,
    entered: Entered,
    query: str,
    memories: Sequence[Memory],
    conversation: UUID | None,
    author: Author,
    now: datetime,
) -> None:
    """Writes the receipt. memories: in the order in which they were numbered. That of a stranger is not kept."""
    if not memories or entered.stranger:
        return
    place = entered.place
    with within([entered.venue.home]):
        Receipt.objects.create(
            space_id=entered.venue.home,
            person=entered.person,
            at=now,
            query=query,
            intent=IN_CHAT,
            author=author.label,
            venue={"space": place.space, "channel": place.channel, "restricted": entered.venue.restricted},
            items=[_item(rank, memory) for rank, memory in enumerate(memories, 1)],
            conversation=conversation,
        )


def _item(rank: int, memory: Memory) -> dict[str, object]:
    where = {"memory": str(memory.id), "space": str(memory.space_id), "version": memory.version}
    return {**where, "rank": rank, "score": 0, "why": []}
