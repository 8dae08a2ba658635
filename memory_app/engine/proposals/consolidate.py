"""Consolidate: go through a conversation that is over, once, and mark it.

What nobody read yet is read; of a long one, all of it is read again, a page of 30 turns at a time, for what was passed
over when it was read as a whole. `propose` reads, weighs what it finds against what is kept, and puts it up (or keeps
it, by the person's policy); its run tells what came of it, and is undone as one by `undo_run`.
"""

from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.proposals.propose import ProposeResult, propose
from memory_app.models import Conversation, Trigger
from memory_app.models.row_security import allowed_spaces, every_space

BATCH_SIZE = 500
AUTHOR = Author("job", "consolidate")


def consolidate(*, space: UUID, conversation: UUID, now: datetime, encoder: Encoder) -> ProposeResult:
    """What was noticed in what was left. Marked already: nothing, and no second mark."""
    with allowed_spaces([space]):
        rows = Conversation.objects.filter(space_id=space, id=conversation, consolidated_at=None)
        if not rows.exists():
            return ProposeResult()
    proposed = propose(
        space=space,
        conversation=conversation,
        trigger=Trigger.NIGHTLY,
        author=AUTHOR,
        now=now,
        encoder=encoder,
        by_pages=True,
    )
    if proposed.run is None:
        with allowed_spaces([space]):
            rows.update(consolidated_at=now)
    return proposed


def conversations_to_consolidate(now: datetime) -> list[Conversation]:
    """Conversations that are over and were not gone through, the longest waiting first."""
    if not settings.KEEPSAKE_MEMORY:
        return []
    with every_space():
        rows = Conversation.objects.to_consolidate(now).filter(person__memory_enabled=True)
        return list(rows.order_by("last_turn_at").only("space_id", "id")[:BATCH_SIZE])
