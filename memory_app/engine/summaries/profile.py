"""The profile: what is known of a person as one document, and what was in it on an earlier day.

It holds their own memories that may be seen in private, except those of meetings, journals and reflections, and code.
What is sensitive is masked. What does not fit is left out of the document and stays in memory. The past is read from
the versions of memories, not from copies of the document, so what was erased is in none of it. `update_profile` carries
out what an edited document changes.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.conf import settings

from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, MemoryType, Status, Version
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.documents import profile_document
from memory_app.nlp.documents.profile_document import Line, is_code
from memory_app.nlp.privacy.sensitive import MASK
from memory_app.rules.decide import comparable_key

MIN_CONFIDENCE = 0.7
"""Confidence of what is in the document (seed: 0.7)."""

MAX_LINE_LENGTH = 300
"""Characters; of a longer memory the summary stands in the document."""

EXCLUDED_TYPES = (MemoryType.MEETING, MemoryType.JOURNAL, MemoryType.REFLECTION, MemoryType.NOTE)
_WITHOUT_BRACKETS = str.maketrans("()", "  ")
HIDDEN_TEXT = f"{MASK} (sensitive)"


def profile_text(venue_context: VenueContext, now: datetime) -> str:
    """The document, of at most so many words as are set: what is confirmed, surest and latest reinforced stays."""
    with allowed_spaces(venue_context.venue.spaces):
        lines = [profile_line(memory) for memory in profile_memories(venue_context, now)]
    return profile_document.write_profile(lines, now)


def profile_fingerprint(document: str) -> str:
    """The same for documents that say the same, whenever they were written."""
    lines = profile_document.read_profile(document).lines
    text = "\n".join(f"{line.id} {line.category} {line.text}" for line in lines)
    return blake2b(text.encode(), digest_size=12).hexdigest()


def profile_memories(venue_context: VenueContext, now: datetime) -> list[Memory]:
    """The memories of the document, in its order."""
    rows = current_memories(venue_context, now).filter(confidence__gte=MIN_CONFIDENCE).exclude(type__in=EXCLUDED_TYPES)
    return fit_to_budget([memory for memory in rows if belongs_in_profile(memory)])


def belongs_in_profile(memory: Memory) -> bool:
    """Whether the document has a line for it, if there is room."""
    of_a_kind = memory.type not in EXCLUDED_TYPES and memory.status == Status.ACTIVE
    return of_a_kind and memory.confidence >= MIN_CONFIDENCE and not is_code(memory.content)


def profile_line(memory: Memory) -> Line:
    """As the document has it."""
    said_by = ""
    if memory.is_quotation and not memory.sensitive:
        said_by = f"{memory.source_speaker}, {memory.valid_from.astimezone(memory.person.zone):%-d %B %Y}"
    return Line(line_text(memory), memory.category, memory.id, said_by.translate(_WITHOUT_BRACKETS))


def current_memories(venue_context: VenueContext, now: datetime) -> Any:
    rows = Memory.objects.current(now).visible_from(venue_context.venue).filter(person=venue_context.person)
    return rows.defer("embedding", "tsv")


def fit_to_budget(memories: Sequence[Memory]) -> list[Memory]:
    """One line a key, as many as there is room for, in the order of the document."""
    left = settings.KEEPSAKE_PROFILE_WORDS - profile_document.count_words(
        profile_document.write_profile([], datetime.min)
    )
    chosen = []
    for memory in sorted(latest_per_key(memories), key=_priority, reverse=True):
        size = len(profile_line(memory).written.split()) + 1  # the dash before it
        if size <= left:
            left -= size
            chosen.append(memory)
    return sorted(chosen, key=lambda memory: memory.id)


def latest_per_key(memories: Sequence[Memory]) -> list[Memory]:
    """Without those whose key another one holds that was told later, at another level: at one level a key is unique."""
    latest = {comparable_key(memory.key): memory for memory in sorted(memories, key=lambda memory: memory.order)}
    return [memory for memory in memories if not memory.key or latest[comparable_key(memory.key)] is memory]


def _priority(memory: Memory) -> tuple[bool, float, datetime]:
    return memory.protected, memory.confidence, memory.reinforced_at


def line_text(memory: Memory) -> str:
    if memory.sensitive:
        return HIDDEN_TEXT
    return memory.summary if has_long_text(memory) else memory.content


def has_long_text(memory: Memory) -> bool:
    """A reading list stands there as a whole, for its addresses are what it is for."""
    made = "signals" in memory.attributes
    return not memory.sensitive and len(memory.content) > MAX_LINE_LENGTH and not made


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """A line that came (no `before`), went (no `after`) or changed; when, and by whom."""

    at: datetime
    by: str
    memory: UUID
    before: Line | None
    after: Line | None


@dataclass(frozen=True, slots=True)
class _MemoryState:
    """What a memory was from a time on; whoever replaced it is of the next."""

    since: datetime
    by: str
    memory: Memory


def profile_changes(venue_context: VenueContext) -> list[ProfileChange]:
    """Every change of a line, the latest first. Room is not looked at: what was left out for it is told as well."""
    with allowed_spaces(venue_context.venue.spaces):
        found = [shift for states in _memory_histories(venue_context) for shift in _changes_of(states)]
    return sorted(found, key=lambda shift: (shift.at, shift.memory), reverse=True)


def profile_at(venue_context: VenueContext, at: datetime) -> str:
    """The document as it was at a time, with what is sensitive now masked in it."""
    return profile_document.write_profile(
        [profile_line(memory) for memory in profile_memories_at(venue_context, at)], at
    )


def profile_memories_at(venue_context: VenueContext, at: datetime, *, masked: bool = True) -> list[Memory]:
    """The memories that the document had lines for at a time, in its order, each as it was.

    masked: what is sensitive now counts as sensitive then, for whoever is shown it.
    """
    with allowed_spaces(venue_context.venue.spaces):
        then = [
            state.memory
            for states in _memory_histories(venue_context, masked)
            if (state := _state_at(states, at)) is not None
        ]
    return fit_to_budget([m for m in then if belongs_in_profile(m) and (m.expires_at is None or m.expires_at > at)])


def _memory_histories(venue_context: VenueContext, masked: bool = True) -> Iterator[list[_MemoryState]]:
    """Of each of the person's memories all that it was, oldest first; forgotten ones are among them."""
    own = Memory.objects.visible_from(venue_context.venue).filter(person=venue_context.person)
    memories = list(own.exclude(type__in=EXCLUDED_TYPES).defer("embedding", "tsv"))
    versions = dict[UUID, list[Version]]()
    rows = Version.objects.filter(
        space_id__in={memory.space_id for memory in memories}, memory_id__in=[memory.id for memory in memories]
    )
    for version in rows.order_by("number"):
        versions.setdefault(version.memory_id, []).append(version)
    for memory in memories:
        yield _memory_states(memory, versions.get(memory.id, []), masked)


def _memory_states(memory: Memory, versions: list[Version], masked: bool) -> list[_MemoryState]:
    past = [
        _MemoryState(version.changed_at, version.changed_by, _memory_at_version(memory, version, masked))
        for version in versions
    ]
    return [*past, _MemoryState(memory.updated_at if past else memory.created_at, memory.changed_by, memory)]


def _memory_at_version(memory: Memory, version: Version, masked: bool) -> Memory:
    was = copy(memory)
    for name, value in version.fields.items():
        setattr(was, name, value)
    was.sensitive = was.sensitive or (masked and memory.sensitive)
    return was


def _state_at(states: list[_MemoryState], at: datetime) -> _MemoryState | None:
    return next((state for state in reversed(states) if state.since <= at), None)


def _changes_of(states: list[_MemoryState]) -> Iterator[ProfileChange]:
    before: Line | None = None
    for state in states:
        after = profile_line(state.memory) if belongs_in_profile(state.memory) else None
        if after != before:
            yield ProfileChange(state.since, state.by, state.memory.id, before, after)
        before = after
