"""All that the page of one memory tells: its links to others, its versions, and what differs between two of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dashboard.compare import Change, compare
from dashboard.inbox.conflicts import ConflictCard, conflict_cards
from dashboard.reach import Reach
from dashboard.words import audience, happened, lasting, origin
from memory_app.engine.history import Past, chain, history
from memory_app.engine.passing.harmless import NARROWER, is_harmless
from memory_app.engine.recalling.used import Use, used
from memory_app.engine.summing.reflected import reflected
from memory_app.models import Memory, MemoryType


@dataclass(frozen=True, slots=True)
class Rests:
    """A line of a reflection, and the memories it rests on that are still there. open: those not confirmed yet."""

    text: str
    sources: Sequence[Memory]

    @property
    def open(self) -> Sequence[Memory]:
        return [memory for memory in self.sources if not memory.protected]


@dataclass(frozen=True, slots=True)
class Portrait:
    """One memory explained. `harmless`: whether its reader is offered that it be told wherever they talk. `versions`
    are newest first, and empty for whoever may not change it."""

    memory: Memory
    masked: bool
    mine: bool
    changeable: bool
    origin: str
    audience: str
    harmless: bool
    lasting: str
    happened: str
    strength: float
    chain: Sequence[Memory]
    conflicts: Sequence[ConflictCard]
    uses: Sequence[Use]
    lines: Sequence[Rests]
    versions: Sequence[Past]
    older: Past | None
    newer: Past | None
    changes: Sequence[Change]

    @property
    def percent(self) -> int:
        return round(100 * self.strength)

    @property
    def home(self) -> UUID:
        """The space of its person's own."""
        return self.memory.person.space_id


def portrait(reach: Reach, memory: Memory, url: Mapping[str, str], now: datetime, *, masked: bool) -> Portrait:
    """`url`: the query string, whose `from` and `to` choose the versions to compare; by default the last two."""
    mine = reach.person is not None and memory.person_id == reach.person.id
    changeable = reach.may_change(memory)
    versions = list(reversed(history(memory))) if reach.is_own(memory) else []
    older, newer = _compared(versions, url)
    return Portrait(
        memory=memory,
        masked=masked,
        mine=mine,
        changeable=changeable,
        origin=origin(memory, mine=mine),
        audience=audience(memory, mine=mine),
        harmless=mine and not memory.deleted_at and memory.visibility in NARROWER and is_harmless(memory),
        lasting=lasting(memory, now),
        happened=happened(memory),
        strength=memory.strength(now),
        chain=_chain(reach, memory),
        conflicts=conflict_cards(reach, memory=memory.id) if changeable else [],
        uses=_uses(reach, memory),
        lines=[] if masked else _lines(reach, memory, now),
        versions=versions,
        older=older,
        newer=newer,
        changes=compare(older.state, newer.state) if older and newer and not masked else [],
    )


def _chain(reach: Reach, memory: Memory) -> Sequence[Memory]:
    """The memories that replaced one another, oldest first, as far as they may be seen; empty for one alone."""
    links = [link for link in chain(memory) if link.id == memory.id or reach.is_own(link)]
    return links if len(links) > 1 else []


def _uses(reach: Reach, memory: Memory) -> Sequence[Use]:
    """Of the reader's own briefs: what another asked is not told to them, though it brought up what is theirs."""
    if reach.everyone:
        return used(memory=memory, home=None)
    return used(memory=memory, home=reach.person.space_id) if reach.person else []


def _lines(reach: Reach, memory: Memory, now: datetime) -> list[Rests]:
    lines = reflected(memory, now) if memory.type == MemoryType.REFLECTION else []
    named = {source for line in lines for source in line.sources}
    there = {one.id: one for one in reach.own().kept().filter(id__in=named)}
    return [Rests(line.text, [there[source] for source in line.sources if source in there]) for line in lines]


def _compared(versions: Sequence[Past], url: Mapping[str, str]) -> tuple[Past | None, Past | None]:
    if len(versions) < 2:
        return None, None
    by_number = {str(version.number): version for version in versions}
    newer = by_number.get(url.get("to", ""), versions[0])
    older = by_number.get(url.get("from", ""), versions[1])
    return (older, newer) if older.number <= newer.number else (newer, older)
