"""What a key is told. A key without the scope read gets the words back that it has just sent, and no words that were
stored before: of such a memory it gets the id and what became of it. What is sensitive is masked, but for its owner.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.http import HttpRequest
from pydantic import BaseModel

from memory_app.api.auth import grant_of, may_read_sensitive
from memory_app.api.schemas import SavedOut, VersionOut
from memory_app.engine.memories.save import SaveResult
from memory_app.engine.memories.versions import VersionState
from memory_app.engine.proposals.accept_proposal import AcceptResult
from memory_app.models import Memory, Proposal
from memory_app.nlp.privacy.sensitive import MASK
from memory_app.nlp.text import normalised
from memory_app.serializers.memory import MemoryOut, memory_out
from memory_app.serializers.proposal import EMPTY_PROPOSAL_TEXTS, AcceptedOut, ProposalOut, proposal_out

EMPTY_MEMORY_TEXTS: dict[str, Any] = {
    **{"summary": "", "content": "", "context": None, "key": None},
    **{"keywords": [], "tags": [], "attributes": {}},
}
"""Fields that hold words, as they are where none are told."""

MASKED_MEMORY_TEXTS = EMPTY_MEMORY_TEXTS | {"summary": MASK, "content": MASK}
"""The same of what is sensitive."""

Answer = TypeVar("Answer", bound=BaseModel)


def memory_out_for(
    request: HttpRequest, memory: Memory, now: datetime, *, request_text: str | None = None
) -> MemoryOut:
    """A memory as the caller may see it. request_text: the words that came with the request; the caller knows what was
    made of these just now, at `now`."""
    out = memory_out(memory, now)
    if request_text is not None and _comes_from_request(memory, request_text, now):
        return out
    if memory.sensitive and not may_read_sensitive(request, memory):
        out = out.model_copy(update=MASKED_MEMORY_TEXTS)
    return redacted(request, out, EMPTY_MEMORY_TEXTS)


def version_out(request: HttpRequest, memory: Memory, past: VersionState) -> VersionOut:
    """One version of a memory as the caller may see it: masked where it, or the memory now, is sensitive."""
    state = past.state
    if (memory.sensitive or state.get("sensitive")) and not may_read_sensitive(request, memory):
        state = {**state, **{name: word for name, word in MASKED_MEMORY_TEXTS.items() if name in state}}
    return VersionOut.of(past, version=past.number, state=state)


def saved_out(
    request: HttpRequest, kept: Sequence[SaveResult], now: datetime, *, request_text: str, message: str | None = None
) -> SavedOut:
    """What became of one request: the first of what it kept, and the others with it."""
    first, *others = [
        SavedOut(
            memory=memory_out_for(request, one.memory, now, request_text=request_text),
            outcome=one.outcome,
            conflicts=[memory_out_for(request, other, now) for other in one.conflicts],
        )
        for one in kept
    ]
    return first.model_copy(update={"message": message, "others": others})


def redacted(request: HttpRequest, answer: Answer, words: Mapping[str, Any]) -> Answer:
    """An answer to the caller. words: what its fields with words are for a key that may not read."""
    return answer if grant_of(request).reads else answer.model_copy(update=words)


def _comes_from_request(memory: Memory, request_text: str, now: datetime) -> bool:
    return memory.created_at == now and normalised(memory.content) in normalised(request_text)


def redacted_proposal(request: HttpRequest, proposal: Proposal) -> ProposalOut:
    """A proposal as the caller, who decided on it, may see it."""
    return redacted(request, proposal_out(proposal), EMPTY_PROPOSAL_TEXTS)


def accepted_out(request: HttpRequest, accepted: AcceptResult, now: datetime) -> AcceptedOut:
    memory = memory_out_for(request, accepted.memory, now)
    return AcceptedOut(proposal=accepted.proposal.id, memory=memory, outcome=accepted.outcome)
