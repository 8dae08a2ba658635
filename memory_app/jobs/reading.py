"""Jobs that read conversations: one that is due, those left behind or unread, and those that are over."""

from uuid import UUID

from django.utils import timezone

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.listening.consolidate import consolidate, waiting
from memory_app.engine.listening.propose import Proposed, propose
from memory_app.engine.listening.refine import refine
from memory_app.engine.listening.unread import left_by_switching, long_idle, still_unread
from memory_app.engine.running.attempts import SET_ASIDE, attempt, each, set_aside_of
from memory_app.engine.running.carry_out import Report
from memory_app.engine.running.queue import ask_model_later
from memory_app.jobs.job import counted
from memory_app.llm.model import configured
from memory_app.models import Conversation, Trigger


def propose_from(space: str, conversation: str, trigger: str) -> str:
    """Reads what is unread of one conversation."""

    def read() -> Proposed:
        return propose(
            space=UUID(space),
            conversation=UUID(conversation),
            trigger=Trigger(trigger),
            author=Author("job", f"propose ({trigger})"),
            now=timezone.now(),
            encoder=current(),
        )

    proposed = attempt("propose", (UUID(space), UUID(conversation)), read)
    if proposed is None:
        return SET_ASIDE
    if proposed.run and configured():
        ask_model_later("refine_run", space, str(proposed.run.id))
    return f"{len(proposed.proposals)} proposed"


def refine_run(space: str, run: str) -> str:
    """Has the language model, if one is set, read what a run read."""
    model = configured()
    if model is None:
        return "no language model is set"
    row = (UUID(space), UUID(run))
    record = attempt(
        "refine", row, lambda: refine(space=row[0], run=row[1], model=model, now=timezone.now(), encoder=current())
    )
    if record is None:
        return "nothing is left to read"
    return record.error or f"{record.proposed} proposed, {record.tokens} tokens"


def switch(person: str, opened: str) -> str:
    """Reads what a person left unread in their other conversations when they opened this one."""
    left = left_by_switching(person=UUID(person), opened=UUID(opened))
    return read_all(left, Trigger.SWITCH, lambda done, total: None)


def attend(report: Report) -> str:
    return read_all(long_idle(timezone.now()), Trigger.IDLE, report)


def read_unread(report: Report) -> str:
    return read_all(still_unread(), Trigger.NIGHTLY, report)


def consolidate_ended(report: Report) -> str:
    conversations = _not_set_aside("consolidate", waiting(timezone.now()))
    each(conversations, _consolidate_one, report)
    return counted(len(conversations), "conversation gone through", "conversations gone through")


def _consolidate_one(held: Conversation) -> None:
    row = (held.space_id, held.id)
    gone = attempt(
        "consolidate",
        row,
        lambda: consolidate(space=row[0], conversation=row[1], now=timezone.now(), encoder=current()),
    )
    if gone and gone.run and configured():
        ask_model_later("refine_run", str(held.space_id), str(gone.run.id))


def read_all(conversations: list[Conversation], trigger: Trigger, report: Report) -> str:
    """Those that are set aside are left alone."""

    def read(held: Conversation) -> None:
        propose_from(str(held.space_id), str(held.id), trigger.value)

    to_read = _not_set_aside("propose", conversations)
    each(to_read, read, report)
    return counted(len(to_read), "conversation read", "conversations read")


def _not_set_aside(kind: str, conversations: list[Conversation]) -> list[Conversation]:
    aside = set_aside_of(kind)
    return [held for held in conversations if held.id not in aside]
