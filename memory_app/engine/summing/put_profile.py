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
from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.edit import At, edit
from memory_app.engine.enter import Entered
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.keeping.compose import Given, Source
from memory_app.engine.keeping.remember import remember
from memory_app.engine.summing.profile import HIDDEN, is_long, line_of, mark, own, profile_of, text_of, told
from memory_app.engine.summing.profile_past import told_at
from memory_app.engine.write_access import check_write
from memory_app.errors import Invalid, Stale
from memory_app.language import profile_document
from memory_app.language.profile_document import Line
from memory_app.models import Erasure, Memory, SourceType, Status, Tombstone
from memory_app.models.scope import within
from memory_app.rules.text import normalised

Base = dict[UUID, Line]
"""The lines of the document as they were when it was written, by the ids of their memories."""


@dataclass(frozen=True, slots=True)
class Update:
    """A memory, and what its line is to say and to be filed as. late: whether part of the line made way for what is
    newer."""

    memory: Memory
    text: str
    category: str
    late: bool = False

    @property
    def before(self) -> str:
        """What the line said."""
        return profile_document.shown(text_of(self.memory))

    @property
    def changes(self) -> dict[str, Any]:
        changes = dict[str, Any]()
        if self.before != self.text:
            # Of a long memory only the summary stood there to be edited.
            changes["summary" if is_long(self.memory) else "content"] = self.text
        if self.memory.category != self.category:
            changes["category"] = self.category
        return changes


@dataclass(frozen=True, slots=True)
class Difference:
    """What an edited document changes. newer: memories that changed since it was written, and stay as they are by now;
    forgotten: lines whose memories were let go since, which are not added again."""

    adds: Sequence[Line]
    updates: Sequence[Update]
    removals: Sequence[Memory]
    unchanged: int
    newer: Sequence[Memory] = ()
    forgotten: Sequence[Line] = ()

    @property
    def removed_texts(self) -> list[str]:
        """The lines that are gone, as they were."""
        return [profile_document.shown(text_of(memory)) for memory in self.removals]

    @property
    def newer_texts(self) -> list[str]:
        """The lines that stay, as they are."""
        return [profile_document.shown(text_of(memory)) for memory in self.newer]

    @property
    def number(self) -> int:
        return len(self.adds) + len(self.updates) + len(self.removals)


def difference(entered: Entered, text: str, now: datetime, expected: str | None = None) -> Difference:
    """What the edited document would change. Raises Invalid for a text that is no profile document.

    A line is a memory by its id, or else by its words. A memory is removed only if the document had its line, and that
    still says the same. expected: the document it was made from, as `mark` has it; Stale where there is another by now.
    """
    if expected is not None and mark(profile_of(entered, now)) != expected:
        raise Stale("The profile has changed meanwhile; read it again, then repeat your change.")
    edited = profile_document.read(text)
    if not edited.headed:
        headings = ", ".join(f"## {heading}" for heading in profile_document.SECTIONS.values())
        raise Invalid("body", f"This is no profile: keep its headings ({headings}).")
    with within(entered.venue.spaces):
        base = _base(entered, edited.written)
        lines = _known_by_words(edited.lines, base) if base else edited.lines
        ids = {line.id for line in lines if line.id}
        here = told(entered, now)
        known = {memory.id: memory for memory in here} | _heirs(entered, ids, now)
        return _compared(lines, base, here, known, _gone(entered, ids - known.keys()))


def put_profile(
    *, entered: Entered, text: str, author: Author, now: datetime, encoder: Encoder, expected: str | None = None
) -> Difference:
    """Makes memories what the edited document says, in one transaction. Raises as `difference` does, and NotGranted
    where one of them is not the caller's to write."""
    with transaction.atomic(), within(entered.venue.spaces):
        one_writer(entered.person.id)
        changed = difference(entered, text, now, expected)
        for memory in changed.removals:
            check_write(entered.grant, memory, removes=True)
            forget(at=At(memory.space_id, memory.id), author=author, now=now, reason="profile")
        for update in changed.updates:
            check_write(entered.grant, update.memory)
            at = At(update.memory.space_id, update.memory.id)
            edit(at=at, changes=update.changes, author=author, now=now, encoder=encoder)
        for line in changed.adds:
            given = Given(
                line.text, category=line.category, source=Source(SourceType.EXPLICIT, speaker=entered.person.name)
            )
            remember(entered=entered, given=given, author=author, now=now, encoder=encoder)
        return changed


def _base(entered: Entered, written: datetime | None) -> Base | None:
    if written is None:
        return None
    return {memory.id: line_of(memory) for memory in told_at(entered, written, masked=False)}


def _known_by_words(lines: Sequence[Line], base: Base) -> Sequence[Line]:
    """Of a document that lost its ids, the lines with those that had these words when it was written."""
    if any(line.id for line in lines):
        return lines
    by_words = {normalised(line.text): memory for memory, line in base.items() if line.text != HIDDEN}
    return [replace(line, id=by_words.get(normalised(line.text))) for line in lines]


def _heirs(entered: Entered, ids: Iterable[UUID], now: datetime) -> dict[UUID, Memory]:
    """The person's own memories that hold, by the ids that lines name: what took a corrected one's place is found by
    the id of that one."""
    heirs, named = dict[UUID, Memory](), {one: one for one in ids}
    seen = set[UUID]()
    while named := {line: at for line, at in named.items() if at not in seen}:
        seen.update(named.values())
        rows = Memory.objects.visible_from(entered.venue).filter(person=entered.person, id__in=named.values())
        found = {memory.id: memory for memory in own(entered, now).filter(id__in=named.values())}
        heirs |= {line: found[at] for line, at in named.items() if at in found}
        replaced = rows.filter(status=Status.SUPERSEDED).values_list("id", "superseded_by")
        by = {old: new for old, new in replaced if new}
        named = {line: by[at] for line, at in named.items() if at in by}
    return heirs


def _gone(entered: Entered, ids: set[UUID]) -> set[UUID]:
    """Those of the ids that were the person's, and are kept no longer: forgotten, faded, run out or erased."""
    venue = entered.venue
    theirs = Memory.objects.visible_from(venue).filter(person=entered.person, id__in=ids)
    erased = Erasure.objects.filter(of_space__in=venue.own | {venue.home}).values("id")
    buried = Tombstone.objects.filter(memory_id__in=ids, erasure_id__in=erased)
    return {*theirs.values_list("id", flat=True), *buried.values_list("memory_id", flat=True)}


def _compared(
    lines: Sequence[Line], base: Base | None, here: Sequence[Memory], known: dict[UUID, Memory], gone: set[UUID]
) -> Difference:
    by_words = {normalised(text_of(memory)): memory for memory in here if not memory.sensitive}
    adds, forgotten, updates = list[Line](), list[Line](), dict[UUID, Update]()
    for line in lines:
        memory = (known.get(line.id) if line.id else None) or by_words.get(normalised(line.text))
        if memory is not None:
            then = base.get(line.id) if base and line.id else None
            updates.setdefault(memory.id, _update(memory, line, then))
        elif line.id in gone:
            forgotten.append(line)
        elif line.text != HIDDEN:
            adds.append(line)
    left_out = [memory for memory in here if memory.id not in updates and (base is None or memory.id in base)]
    removals = [memory for memory in left_out if base is None or base[memory.id] == line_of(memory)]
    changed = [update for update in updates.values() if update.changes]
    as_it_is = [update.memory for update in updates.values() if not update.changes and update.late]
    newer = as_it_is + [memory for memory in left_out if memory not in removals]
    return Difference(adds, changed, removals, len(updates) - len(changed) - len(as_it_is), newer, forgotten)


def _update(memory: Memory, line: Line, then: Line | None) -> Update:
    """A line that says what it said when the document was written says nothing of what changed since."""
    text, category = line.text, line.category
    if then is not None and text == profile_document.shown(then.text):
        text = profile_document.shown(text_of(memory))
    if then is not None and category == then.category:
        category = memory.category
    return Update(memory, text, category, late=(text, category) != (line.text, line.category))
