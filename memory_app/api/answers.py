"""What a key is told: one without the scope read is told the words that it has just had kept, and no words that were
there before: of those it is told which memory it is, and what became of it. What is sensitive is masked to all but its
owner."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.http import HttpRequest
from pydantic import BaseModel

from memory_app.api.auth import grant_of, reads_sensitive
from memory_app.api.schemas import KeptOut, MemoryOut, VersionOut, shown
from memory_app.engine.history import Past
from memory_app.engine.keeping.keep import Kept
from memory_app.language.sensitive import MASK
from memory_app.models import Memory
from memory_app.rules.text import normalised

MEMORY_WORDS: dict[str, Any] = {
    **{"summary": "", "content": "", "context": None, "key": None},
    **{"keywords": [], "tags": [], "attributes": {}},
}
"""Fields that hold words, as they are where none are told."""

MASKED_WORDS = MEMORY_WORDS | {"summary": MASK, "content": MASK}
"""The same of what is sensitive."""

Answer = TypeVar("Answer", bound=BaseModel)


def shown_to(request: HttpRequest, memory: Memory, now: datetime, *, sent: str | None = None) -> MemoryOut:
    """A memory as whoever asked may be told it. sent: the words that came with the request; what was made of these
    just now, at `now`, they know already."""
    told = shown(memory, now)
    if sent is not None and _is_made_of(memory, sent, now):
        return told
    if memory.sensitive and not reads_sensitive(request, memory):
        told = told.model_copy(update=MASKED_WORDS)
    return as_told(request, told, MEMORY_WORDS)


def shown_version(request: HttpRequest, memory: Memory, past: Past) -> VersionOut:
    """One version of a memory as whoever asked may be told it: masked where it, or the memory now, is sensitive."""
    state = past.state
    if (memory.sensitive or state.get("sensitive")) and not reads_sensitive(request, memory):
        state = {**state, **{name: word for name, word in MASKED_WORDS.items() if name in state}}
    return VersionOut(
        version=past.number,
        changed_at=past.changed_at,
        changed_by=past.changed_by,
        current=past.current,
        state=state,
    )


def shown_kept(
    request: HttpRequest, kept: Sequence[Kept], now: datetime, *, sent: str, message: str | None = None
) -> KeptOut:
    """What became of one request: the first of what it kept, and the others with it."""
    first, *others = [
        KeptOut(
            memory=shown_to(request, one.memory, now, sent=sent),
            outcome=one.outcome,
            conflicts=[shown_to(request, other, now) for other in one.conflicts],
        )
        for one in kept
    ]
    return first.model_copy(update={"message": message, "others": others})


def as_told(request: HttpRequest, answer: Answer, words: Mapping[str, Any]) -> Answer:
    """An answer to whoever asked. words: its fields that hold words, as they are to who may not read."""
    return answer if grant_of(request).reads else answer.model_copy(update=words)


def _is_made_of(memory: Memory, sent: str, now: datetime) -> bool:
    return memory.created_at == now and normalised(memory.content) in normalised(sent)
