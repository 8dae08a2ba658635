"""Put a profile back: what an edited document changes, against what it said when it was written.

What happened since stands: a line that nobody touched leaves what is newer, and one that was forgotten stays forgotten.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.engine.memories.remember import remember
from memory_app.engine.summaries.profile import (
    HIDDEN_TEXT,
    current_memories,
    has_long_text,
    line_text,
    profile_fingerprint,
    profile_line,
    profile_memories,
    profile_memories_at,
    profile_text,
)
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import check_write
from memory_app.errors import ChangedMeanwhile, Invalid
from memory_app.models import Erasure, Memory, SourceType, Status, Tombstone
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.documents import profile_document
from memory_app.nlp.documents.profile_document import Line
from memory_app.nlp.text import normalised

BaseLines = dict[UUID, Line]
"""The lines of the document as they were when it was written, by the ids of their memories."""


@dataclass(frozen=True, slots=True)
class LineUpdate:
    """A memory, and what its line is to say and to be filed as. late: whether part of the line made way for what is
    newer."""

    memory: Memory
    text: str
    category: str
    late: bool = False

    @property
    def before(self) -> str:
        """What the line said."""
        return profile_document.on_one_line(line_text(self.memory))

    @property
    def changes(self) -> dict[str, Any]:
        changes = dict[str, Any]()
        if self.before != self.text:
            # Of a long memory only the summary stood there to be edited.
            changes["summary" if has_long_text(self.memory) else "content"] = self.text
        if self.memory.category != self.category:
            changes["category"] = self.category
        return changes


@dataclass(frozen=True, slots=True)
class ProfileDifference:
    """What an edited document changes. newer: memories that changed since it was written, and stay as they are by now;
    forgotten: lines whose memories were let go since, which are not added again."""

    adds: Sequence[Line]
    updates: Sequence[LineUpdate]
    removals: Sequence[Memory]
    unchanged: int
    newer: Sequence[Memory] = ()
    forgotten: Sequence[Line] = ()

    @property
    def removed_texts(self) -> list[str]:
        """The lines that are gone, as they were."""
        return [profile_document.on_one_line(line_text(memory)) for memory in self.removals]

    @property
    def newer_texts(self) -> list[str]:
        """The lines that stay, as they are."""
        return [profile_document.on_one_line(line_text(memory)) for memory in self.newer]

    @property
    def number(self) -> int:
        return len(self.adds) + len(self.updates) + len(self.removals)


def compare_profile(
    venue_context: VenueContext, text: str, now: datetime, expected: str | None = None
) -> ProfileDifference:
    """What the edited document would change. Raises Invalid for a text that is no profile document.

    A line is a memory by its id, or else by its words. A memory is removed only if the document had its line, and that
    still says the same. expected: the document it was made from, as `mark` has it; Stale where there is another by now.
    """
    if expected is not None and profile_fingerprint(profile_text(venue_context, now)) != expected:
        raise ChangedMeanwhile("The profile has changed meanwhile; read it again, then repeat your change.")
    edited = profile_document.read_profile(text)
    if not edited.headed:
        headings = ", ".join(f"## {heading}" for heading in profile_document.SECTIONS.values())
        raise Invalid("body", f"This is no profile: keep its headings ({headings}).")
    with allowed_spaces(venue_context.venue.spaces):
        base = _base_lines(venue_context, edited.written)
        lines = _match_by_words(edited.lines, base) if base else edited.lines
        ids = {line.id for line in lines if line.id}
        here = profile_memories(venue_context, now)
        known = {memory.id: memory for memory in here} | _memories_by_line_id(venue_context, ids, now)
        return _compare_lines(lines, base, here, known, _deleted_ids(venue_context, ids - known.keys()))


def update_profile(
    *,
    venue_context: VenueContext,
    text: str,
    author: Author,
    now: datetime,
    encoder: Encoder,
    expected: str | None = None,
) -> ProfileDifference:
    """Makes memories what the edited document says, in one transaction. Raises as `difference` does, and NotAllowed
    where one of them is not the caller's to write."""
    with transaction.atomic(), allowed_spaces(venue_context.venue.spaces):
        lock_writers(venue_context.person.id)
        changed = compare_profile(venue_context, text, now, expected)
        for memory in changed.removals:
            check_write(venue_context.grant, memory, removes=True)
            delete_memory(at=MemoryRef(memory.space_id, memory.id), author=author, now=now, reason="profile")
        for update in changed.updates:
            check_write(venue_context.grant, update.memory)
            at = MemoryRef(update.memory.space_id, update.memory.id)
            edit(at=at, changes=update.changes, author=author, now=now, encoder=encoder)
        for line in changed.adds:
            memory_input = MemoryInput(
                line.text,
                category=line.category,
                source=MemorySource(SourceType.EXPLICIT, speaker=venue_context.person.name),
            )
            remember(venue_context=venue_context, memory_input=memory_input, author=author, now=now, encoder=encoder)
        return changed


def _base_lines(venue_context: VenueContext, written: datetime | None) -> BaseLines | None:
    if written is None:
        return None
    return {memory.id: profile_line(memory) for memory in profile_memories_at(venue_context, written, masked=False)}


def _match_by_words(lines: Sequence[Line], base: BaseLines) -> Sequence[Line]:
    """Of a document that lost its ids, the lines with those that had these words when it was written."""
    if any(line.id for line in lines):
        return lines
    by_words = {normalised(line.text): memory for memory, line in base.items() if line.text != HIDDEN_TEXT}
    return [replace(line, id=by_words.get(normalised(line.text))) for line in lines]


def _memories_by_line_id(venue_context: VenueContext, ids: Iterable[UUID], now: datetime) -> dict[UUID, Memory]:
    """The person's own memories that hold, by the ids that lines name: what took a corrected one's place is found by
    the id of that one."""
    memories, wanted = dict[UUID, Memory](), {id: id for id in ids}
    seen = set[UUID]()
    while wanted := {line: at for line, at in wanted.items() if at not in seen}:
        seen.update(wanted.values())
        rows = Memory.objects.visible_from(venue_context.venue).filter(
            person=venue_context.person, id__in=wanted.values()
        )
        found = {memory.id: memory for memory in current_memories(venue_context, now).filter(id__in=wanted.values())}
        memories |= {line: found[at] for line, at in wanted.items() if at in found}
        replaced = rows.filter(status=Status.SUPERSEDED).values_list("id", "superseded_by")
        by = {old: new for old, new in replaced if new}
        wanted = {line: by[at] for line, at in wanted.items() if at in by}
    return memories


def _deleted_ids(venue_context: VenueContext, ids: set[UUID]) -> set[UUID]:
    """Those of the ids that were the person's, and are kept no longer: forgotten, faded, run out or erased."""
    venue = venue_context.venue
    own = Memory.objects.visible_from(venue).filter(person=venue_context.person, id__in=ids)
    erased = Erasure.objects.filter(of_space__in=venue.own | {venue.home}).values("id")
    buried = Tombstone.objects.filter(memory_id__in=ids, erasure_id__in=erased)
    return {*own.values_list("id", flat=True), *buried.values_list("memory_id", flat=True)}


def _compare_lines(
    lines: Sequence[Line], base: BaseLines | None, here: Sequence[Memory], known: dict[UUID, Memory], deleted: set[UUID]
) -> ProfileDifference:
    by_words = {normalised(line_text(memory)): memory for memory in here if not memory.sensitive}
    adds, forgotten, updates = list[Line](), list[Line](), dict[UUID, LineUpdate]()
    for line in lines:
        memory = (known.get(line.id) if line.id else None) or by_words.get(normalised(line.text))
        if memory is not None:
            original = base.get(line.id) if base and line.id else None
            updates.setdefault(memory.id, _line_update(memory, line, original))
        elif line.id in deleted:
            forgotten.append(line)
        elif line.text != HIDDEN_TEXT:
            adds.append(line)
    left_out = [memory for memory in here if memory.id not in updates and (base is None or memory.id in base)]
    removals = [memory for memory in left_out if base is None or base[memory.id] == profile_line(memory)]
    changed = [update for update in updates.values() if update.changes]
    as_it_is = [update.memory for update in updates.values() if not update.changes and update.late]
    newer = as_it_is + [memory for memory in left_out if memory not in removals]
    return ProfileDifference(adds, changed, removals, len(updates) - len(changed) - len(as_it_is), newer, forgotten)


def _line_update(memory: Memory, line: Line, original: Line | None) -> LineUpdate:
    """A line that says what it said when the document was written says nothing of what changed since."""
    text, category = line.text, line.category
    if original is not None and text == profile_document.on_one_line(original.text):
        text = profile_document.on_one_line(line_text(memory))
    if original is not None and category == original.category:
        category = memory.category
    return LineUpdate(memory, text, category, late=(text, category) != (line.text, line.category))
