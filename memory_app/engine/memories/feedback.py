"""Feedback on a memory: noted in the log, for whoever looks into why it was told. It changes nothing of the memory."""

from datetime import datetime

from memory_app.engine.audit.log import Author, log_operation
from memory_app.engine.memories.edit import MemoryRef, lock_existing
from memory_app.models.row_security import allowed_spaces


def note_feedback(*, at: MemoryRef, feedback: str, author: Author, now: datetime) -> None:
    """feedback: one word; reasons in people's own words are not for the log. Raises NotFound."""
    with allowed_spaces([at.space]):
        log_operation(lock_existing(at), "feedback", author, now, {"feedback": feedback})
