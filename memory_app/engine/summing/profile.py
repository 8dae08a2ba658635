"""The profile: what is known of a person as one document. What an edited one changes is `put_profile`'s.

It holds their own memories that may be seen in private, not those of meetings, journals and reflections, and no code.
What is sensitive is masked. What does not fit is left out of the document, and stays in memory.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

from django.conf import settings

from memory_app.engine.enter import Entered
from memory_app.language import profile_document
from memory_app.language.profile_document import Line
from memory_app.language.sensitive import MASK
from memory_app.models import Memory, MemoryType, Status
from memory_app.models.scope import within
from memory_app.rules.code import is_code
from memory_app.rules.comparable_key import comparable_key

SURE_ENOUGH = 0.7
"""Confidence of what is in the document (seed: 0.7)."""

LONGEST_LINE = 300
"""Characters; of a longer memory the summary stands in the document."""

NOT_OF_A_PROFILE = (MemoryType.MEETING, MemoryType.JOURNAL, MemoryType.REFLECTION, MemoryType.NOTE)
_WITHOUT_BRACKETS = str.maketrans("()", "  ")
HIDDEN = f"{MASK} (sensitive)"


def profile_of(entered: Entered, now: datetime) -> str:
    """The document, of at most so many words as are set: what is confirmed, surest and latest reinforced stays."""
    with within(entered.venue.spaces):
        lines = [line_of(memory) for memory in told(entered, now)]
    return profile_document.write(lines, now)


def mark(document: str) -> str:
    """The same for documents that say the same, whenever they were written."""
    lines = profile_document.read(document).lines
    said = "\n".join(f"{line.id} {line.category} {line.text}" for line in lines)
    return blake2b(said.encode(), digest_size=12).hexdigest()


def told(entered: Entered, now: datetime) -> list[Memory]:
    """The memories of the document, in its order."""
    rows = own(entered, now).filter(confidence__gte=SURE_ENOUGH).exclude(type__in=NOT_OF_A_PROFILE)
    return fitting([memory for memory in rows if is_told(memory)])


def is_told(memory: Memory) -> bool:
    """Whether the document has a line for it, if there is room."""
    of_a_kind = memory.type not in NOT_OF_A_PROFILE and memory.status == Status.ACTIVE
    return of_a_kind and memory.confidence >= SURE_ENOUGH and not is_code(memory.content)


def line_of(memory: Memory) -> Line:
    """As the document has it."""
    told = ""
    if memory.is_quotation and not memory.sensitive:
        told = f"{memory.source_speaker}, {memory.valid_from.astimezone(memory.person.zone):%-d %B %Y}"
    return Line(text_of(memory), memory.category, memory.id, told.translate(_WITHOUT_BRACKETS))


def own(entered: Entered, now: datetime) -> Any:
    rows = Memory.objects.current(now).visible_from(entered.venue).filter(person=entered.person)
    return rows.defer("embedding", "tsv")


def fitting(memories: Sequence[Memory]) -> list[Memory]:
    """One line a key, as many as there is room for, in the order of the document."""
    left = settings.KEEPSAKE_PROFILE_WORDS - profile_document.words(profile_document.write([], datetime.min))
    chosen = []
    for memory in sorted(one_a_key(memories), key=_worth, reverse=True):
        size = len(line_of(memory).written.split()) + 1  # the dash before it
        if size <= left:
            left -= size
            chosen.append(memory)
    return sorted(chosen, key=lambda memory: memory.id)


def one_a_key(memories: Sequence[Memory]) -> list[Memory]:
    """Without those whose key another one holds that was told later, at another level: at one level a key is unique."""
    latest = {comparable_key(memory.key): memory for memory in sorted(memories, key=lambda memory: memory.order)}
    return [memory for memory in memories if not memory.key or latest[comparable_key(memory.key)] is memory]


def _worth(memory: Memory) -> tuple[bool, float, datetime]:
    return memory.protected, memory.confidence, memory.reinforced_at


def text_of(memory: Memory) -> str:
    if memory.sensitive:
        return HIDDEN
    return memory.summary if is_long(memory) else memory.content


def is_long(memory: Memory) -> bool:
    """A reading list stands there as a whole, for its addresses are what it is for."""
    made = "signals" in memory.attributes
    return not memory.sensitive and len(memory.content) > LONGEST_LINE and not made
