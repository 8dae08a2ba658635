"""The past of the profile: what its lines were on a day, and what has changed in them since it began.

Both are read from the versions of memories. No copy of a document is kept, so what was erased is in none of them.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.summing.profile import NOT_OF_A_PROFILE, fitting, is_told, line_of
from memory_app.language import profile_document
from memory_app.language.profile_document import Line
from memory_app.models import Memory, Version
from memory_app.models.scope import within


@dataclass(frozen=True, slots=True)
class Shift:
    """A line that came (no `before`), went (no `after`) or changed; when, and by whom."""

    at: datetime
    by: str
    memory: UUID
    before: Line | None
    after: Line | None


@dataclass(frozen=True, slots=True)
class _Stand:
    """What a memory was from a time on; whoever replaced it is of the next."""

    since: datetime
    by: str
    memory: Memory


def profile_shifts(entered: Entered) -> list[Shift]:
    """Every change of a line, the latest first. Room is not looked at: what was left out for it is told as well."""
    with within(entered.venue.spaces):
        found = [shift for stands in _pasts(entered) for shift in _shifts(stands)]
    return sorted(found, key=lambda shift: (shift.at, shift.memory), reverse=True)


def profile_at(entered: Entered, at: datetime) -> str:
    """The document as it was at a time, with what is sensitive now masked in it."""
    return profile_document.write([line_of(memory) for memory in told_at(entered, at)], at)


def told_at(entered: Entered, at: datetime, *, masked: bool = True) -> list[Memory]:
    """The memories that the document had lines for at a time, in its order, each as it was.

    masked: what is sensitive now counts as sensitive then, for whoever is shown it.
    """
    with within(entered.venue.spaces):
        then = [stand.memory for stands in _pasts(entered, masked) if (stand := _at(stands, at)) is not None]
    return fitting([m for m in then if is_told(m) and (m.expires_at is None or m.expires_at > at)])


def _pasts(entered: Entered, masked: bool = True) -> Iterator[list[_Stand]]:
    """Of each of the person's memories all that it was, oldest first; forgotten ones are among them."""
    own = Memory.objects.visible_from(entered.venue).filter(person=entered.person)
    memories = list(own.exclude(type__in=NOT_OF_A_PROFILE).defer("embedding", "tsv"))
    versions = dict[UUID, list[Version]]()
    rows = Version.objects.filter(
        space_id__in={memory.space_id for memory in memories}, memory_id__in=[memory.id for memory in memories]
    )
    for version in rows.order_by("number"):
        versions.setdefault(version.memory_id, []).append(version)
    for memory in memories:
        yield _stands(memory, versions.get(memory.id, []), masked)


def _stands(memory: Memory, versions: list[Version], masked: bool) -> list[_Stand]:
    past = [_Stand(version.changed_at, version.changed_by, _as_it_was(memory, version, masked)) for version in versions]
    return [*past, _Stand(memory.updated_at if past else memory.created_at, memory.changed_by, memory)]


def _as_it_was(memory: Memory, version: Version, masked: bool) -> Memory:
    was = copy(memory)
    for name, value in version.fields.items():
        setattr(was, name, value)
    was.sensitive = was.sensitive or (masked and memory.sensitive)
    return was


def _at(stands: list[_Stand], at: datetime) -> _Stand | None:
    return next((stand for stand in reversed(stands) if stand.since <= at), None)


def _shifts(stands: list[_Stand]) -> Iterator[Shift]:
    before: Line | None = None
    for stand in stands:
        after = line_of(stand.memory) if is_told(stand.memory) else None
        if after != before:
            yield Shift(stand.since, stand.by, stand.memory.id, before, after)
        before = after
