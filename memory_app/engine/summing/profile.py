"""The profile: what is known of a person as one document, and what an edited one changes.

It holds their own memories that may be seen in private, not those of meetings, journals and reflections, and no code.
What is sensitive is masked. What does not fit is left out of the document, and stays in memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.db import transaction

from ...embedding.encoder import Encoder
from ...errors import Invalid, Stale
from ...language import profile_document
from ...language.profile_document import Line
from ...models import Memory, MemoryType, SourceType, Status
from ...models.scope import within
from ...rules.code import is_code
from ...rules.sensitive import MASK
from ...rules.text import normalised
from ..author import Author
from ..change import one_writer
from ..edit import At, edit
from ..enter import Entered
from ..forgetting.forget import forget
from ..keeping.compose import Given, Source
from ..keeping.remember import remember

MOST_WORDS = 2_000
SURE_ENOUGH = 0.7
"""Words of the document, and confidence of what is in it (seed: 2,000 words, 0.7)."""

LONGEST_LINE = 300
"""Characters; of a longer memory the summary stands in the document."""

NOT_OF_A_PROFILE = (MemoryType.MEETING, MemoryType.JOURNAL, MemoryType.REFLECTION, MemoryType.NOTE)
HIDDEN = f"{MASK} (sensitive)"


@dataclass(frozen=True, slots=True)
class Update:
    """A memory that is to say, or to be filed as, something else."""

    memory: Memory
    text: str
    category: str

    @property
    def before(self) -> str:
        """What the line said."""
        return profile_document.shown(_text(self.memory))

    @property
    def changes(self) -> dict[str, Any]:
        changes = dict[str, Any]()
        if self.before != self.text:
            # Of a long memory only the summary stood there to be edited.
            changes["summary" if _is_long(self.memory) else "content"] = self.text
        if self.memory.category != self.category:
            changes["category"] = self.category
        return changes


@dataclass(frozen=True, slots=True)
class Difference:
    """What an edited document changes."""

    adds: Sequence[Line]
    updates: Sequence[Update]
    removals: Sequence[Memory]
    unchanged: int

    @property
    def removed_texts(self) -> list[str]:
        """The lines that are gone, as they were."""
        return [profile_document.shown(_text(memory)) for memory in self.removals]

    @property
    def number(self) -> int:
        return len(self.adds) + len(self.updates) + len(self.removals)


def profile_of(entered: Entered, now: datetime) -> str:
    """The document, of at most MOST_WORDS words: what is confirmed, surest and latest reinforced stays."""
    with within(entered.venue.spaces):
        lines = [line_of(memory) for memory in _told(entered, now)]
    return profile_document.write(lines, now)


def difference(entered: Entered, text: str, now: datetime) -> Difference:
    """What the edited document would change. Raises Invalid for a text that is no profile document.

    A line is a memory by its id, or else by its words. A memory is removed only if the document was written when it
    was there, and it would be in it.
    """
    edited = profile_document.read(text)
    if not edited.headed:
        headings = ", ".join(f"## {heading}" for heading in profile_document.SECTIONS.values())
        raise Invalid("body", f"This is no profile: keep its headings ({headings}).")
    with within(entered.venue.spaces):
        told = _told(entered, now)
        known = {memory.id: memory for memory in told} | _named(entered, edited.lines, now)
    return _compared(edited, told, known)


def put_profile(
    *, entered: Entered, text: str, author: Author, now: datetime, encoder: Encoder, expected: str | None = None
) -> Difference:
    """Makes memories what the edited document says, in one transaction. expected: the document it was made from, as
    `mark` has it; Stale where there is another by now."""
    with transaction.atomic(), within(entered.venue.spaces):
        one_writer(entered.person.id)
        if expected is not None and mark(profile_of(entered, now)) != expected:
            raise Stale("The profile has changed meanwhile; read it again, then repeat your change.")
        changed = difference(entered, text, now)
        for memory in changed.removals:
            forget(at=At(memory.space_id, memory.id), author=author, now=now, reason="profile")
        for update in changed.updates:
            at = At(update.memory.space_id, update.memory.id)
            edit(at=at, changes=update.changes, author=author, now=now, encoder=encoder)
        for line in changed.adds:
            given = Given(
                line.text, category=line.category, source=Source(SourceType.EXPLICIT, speaker=entered.person.name)
            )
            remember(entered=entered, given=given, author=author, now=now, encoder=encoder)
        return changed


def mark(document: str) -> str:
    """The same for documents that say the same, whenever they were written."""
    lines = profile_document.read(document).lines
    said = "\n".join(f"{line.id} {line.category} {line.text}" for line in lines)
    return blake2b(said.encode(), digest_size=12).hexdigest()


def _told(entered: Entered, now: datetime) -> list[Memory]:
    """The memories of the document, in its order."""
    rows = _own(entered, now).filter(confidence__gte=SURE_ENOUGH).exclude(type__in=NOT_OF_A_PROFILE)
    return fitting([memory for memory in rows if is_told(memory)])


def is_told(memory: Memory) -> bool:
    """Whether the document has a line for it, if there is room."""
    of_a_kind = memory.type not in NOT_OF_A_PROFILE and memory.status == Status.ACTIVE
    return of_a_kind and memory.confidence >= SURE_ENOUGH and not is_code(memory.content)


def line_of(memory: Memory) -> Line:
    """As the document has it."""
    return Line(_text(memory), memory.category, memory.id)


def _own(entered: Entered, now: datetime) -> Any:
    rows = Memory.objects.current(now).visible_from(entered.venue).filter(person=entered.person)
    return rows.defer("embedding", "tsv")


def fitting(memories: Sequence[Memory]) -> list[Memory]:
    """Those that there is room for, in the order of the document."""
    left = MOST_WORDS - profile_document.words(profile_document.write([], datetime.min))
    chosen = []
    for memory in sorted(memories, key=_worth, reverse=True):
        size = len(_text(memory).split()) + 1  # the dash before it
        if size <= left:
            left -= size
            chosen.append(memory)
    return sorted(chosen, key=lambda memory: memory.id)


def _worth(memory: Memory) -> tuple[bool, float, datetime]:
    return memory.protected, memory.confidence, memory.reinforced_at


def _text(memory: Memory) -> str:
    if memory.sensitive:
        return HIDDEN
    return memory.summary if _is_long(memory) else memory.content


def _is_long(memory: Memory) -> bool:
    return not memory.sensitive and len(memory.content) > LONGEST_LINE


def _named(entered: Entered, lines: Sequence[Line], now: datetime) -> dict[UUID, Memory]:
    """The person's own memories that the document names, though they may not fit in it by now."""
    ids = [line.id for line in lines if line.id]
    return {memory.id: memory for memory in _own(entered, now).filter(id__in=ids)}


def _compared(
    edited: profile_document.Document, told: Sequence[Memory], known: dict[UUID, Memory]
) -> Difference:  # fmt: skip
    by_text = {normalised(_text(memory)): memory for memory in told if not memory.sensitive}
    adds, updates, seen = list[Line](), list[Update](), set[UUID]()
    for line in edited.lines:
        memory = known.get(line.id) if line.id else None
        memory = memory or by_text.get(normalised(line.text))
        if memory is None and line.text != HIDDEN:
            adds.append(line)
        elif memory is not None and memory.id not in seen:
            seen.add(memory.id)
            updates.append(Update(memory, line.text, line.category))
    changed = [update for update in updates if update.changes]
    removals = [
        memory
        for memory in told
        if memory.id not in seen and (edited.written is None or memory.created_at <= edited.written)
    ]
    return Difference(adds, changed, removals, len(updates) - len(changed))
