"""End a conversation: read what is left of it, and ask the person what of it to keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.listen import find_conversation, mark_ended
from memory_app.engine.proposals.propose import propose
from memory_app.engine.proposals.refine_proposals import refine_now_or_later
from memory_app.engine.proposals.reply import present_proposals, question_text
from memory_app.models import Proposal, Trigger
from memory_app.models.conversation import MIN_TURNS
from memory_app.models.person import with_pause_notice
from memory_app.rules.grant import EVERYTHING, Grant


@dataclass(frozen=True, slots=True)
class EndResult:
    """What waits for the person's answer, and the sentence that asks for it."""

    proposals: Sequence[Proposal]
    message: str


def end_and_ask(
    *,
    conversation: UUID,
    grant: Grant = EVERYTHING,
    author: Author,
    now: datetime,
    encoder: Encoder,
    min_turns: int = MIN_TURNS,
) -> EndResult:
    """Ends a conversation; ending it twice asks again. Expects no transaction, for a language model may be waited for.
    min_turns: as for `propose`.

    Raises NotFound where the grant does not reach it, NotAllowed where it may not write there.
    """
    ended = mark_ended(conversation=find_conversation(conversation=conversation, grant=grant), now=now)
    proposed = propose(
        space=ended.space_id,
        conversation=ended.id,
        trigger=Trigger.END,
        author=author,
        now=now,
        encoder=encoder,
        min_turns=min_turns,
    )
    if proposed.run:
        refine_now_or_later(space=ended.space_id, run=proposed.run.id, now=now, encoder=encoder)
    waiting = present_proposals(conversation=ended, now=now)
    return EndResult(waiting, with_pause_notice(ended.person, question_text(waiting)))
