"""One proposal explained: the words it came from, how sure it is, who would see it, and what it would change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from uuid import UUID

from dashboard.compare import Piece, word_diff
from dashboard.inbox.dialogue import Line, excerpts
from dashboard.inbox.wording import REASONS, consequence, effect, is_decided, section, sure
from dashboard.reach import Reach
from dashboard.words import audience, happened
from memory_app.engine.passing.harmless import is_harmless
from memory_app.models import Channel, Memory, Proposal, Relation
from memory_app.models.proposal import WARNED_BEFORE
from memory_app.rules.together import together
from memory_app.rules.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Beside:
    """Two texts side by side: what only the old one says is marked in it, and so with the new one."""

    old: Sequence[Piece]
    new: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Card:
    """All that the inbox shows of a proposal.

    harmless: whether its reader is offered that it be told wherever they talk. target: the memory it is about, if it
    still stands. beside: empty where that is sensitive.
    may_accept, may_merge: what can be done as long as nothing is decided. following: the next one in the list.
    """

    proposal: Proposal
    mine: bool
    decided: bool
    sure: str
    section: str
    audience: str
    harmless: bool
    excerpt: Sequence[Line]
    effect: str
    consequence: str
    target: Memory | None
    beside: Beside | None
    became: Memory | None
    expires_soon: bool
    put_off: datetime | None
    following: UUID | None = None

    @property
    def may_accept(self) -> bool:
        return not self.decided

    @property
    def may_merge(self) -> bool:
        related = self.proposal.relation in (Relation.MERGE, Relation.CONFLICT)
        return not self.decided and related and self.beside is not None

    @property
    def in_conflict(self) -> bool:
        """Whether it may not hold beside a memory, so that both can be kept, or one."""
        return not self.decided and self.proposal.relation == Relation.CONFLICT and self.target is not None

    @property
    def choices(self) -> Sequence[str]:
        """What may become of it and the memory, as the API calls it: `accept` with `keep`, or `reject`."""
        return ("newest", "both", "old") if self.in_conflict else ()

    @property
    def happened(self) -> str:
        return happened(self.proposal)

    @property
    def reasons(self) -> Sequence[str]:
        return REASONS

    @property
    def draft(self) -> str:
        """What the two could say as one, for the person to edit."""
        new = self.proposal.content
        return together(self.target.content, new) if self.target else new


def cards(reach: Reach, proposals: Sequence[Proposal], now: datetime) -> list[Card]:
    """A card for each, in order; turns, memories and channels are read once for all."""
    memories = _memories(reach, proposals)
    channels = _channels(proposals)
    reader = reach.person.id if reach.person else None
    lines = excerpts(proposals, reader=reader)
    following = zip_longest(proposals, [proposal.id for proposal in proposals[1:]])
    return [
        _card(proposal, memories, channels, lines[proposal.id], reader, now, after) for proposal, after in following
    ]


def _card(
    proposal: Proposal,
    memories: dict[UUID, Memory],
    channels: dict[UUID, Channel],
    lines: Sequence[Line],
    reader: UUID | None,
    now: datetime,
    following: UUID | None,
) -> Card:
    mine, decided = proposal.person_id == reader, is_decided(proposal)
    target = _standing(memories.get(proposal.target_id) if proposal.target_id else None, now)
    about = None if decided else target
    return Card(
        proposal=proposal,
        mine=mine,
        decided=decided,
        sure=sure(proposal.confidence),
        section=section(proposal),
        audience=audience(_to_be(proposal, channels), mine=mine),
        harmless=mine and not decided and _is_private(proposal) and is_harmless(proposal),
        excerpt=lines,
        effect=effect(proposal),
        consequence=consequence(proposal),
        target=about,
        beside=beside_each_other(about, proposal),
        became=memories.get(proposal.memory_id) if proposal.memory_id else None,
        expires_soon=not decided and proposal.expires_at - now <= WARNED_BEFORE,
        put_off=proposal.snoozed_until if proposal.snoozed_until and proposal.snoozed_until > now else None,
        following=following,
    )


def _is_private(proposal: Proposal) -> bool:
    """Whether it would be kept for private talks alone."""
    return proposal.visibility == Visibility.PRIVATE


def _memories(reach: Reach, proposals: Sequence[Proposal]) -> dict[UUID, Memory]:
    named = [(proposal.target_id, proposal.memory_id) for proposal in proposals]
    ids = {memory for pair in named for memory in pair if memory}
    return {memory.id: memory for memory in reach.own().filter(id__in=ids)} if ids else {}


def _channels(proposals: Sequence[Proposal]) -> dict[UUID, Channel]:
    ids = {proposal.channel_id for proposal in proposals if proposal.channel_id}
    return {channel.id: channel for channel in Channel.objects.filter(id__in=ids)} if ids else {}


def _standing(memory: Memory | None, now: datetime) -> Memory | None:
    """The memory, if it is still kept and current."""
    if memory is None or memory.status != "active" or (memory.expires_at and memory.expires_at <= now):
        return None
    return memory


def _to_be(proposal: Proposal, channels: dict[UUID, Channel]) -> Memory:
    """The memory it would become, as far as who sees it goes."""
    memory = Memory(person=proposal.person, space=proposal.space, visibility=proposal.visibility)
    if proposal.channel_id and proposal.channel_id in channels:
        memory.channel = channels[proposal.channel_id]
    return memory


def beside_each_other(target: Memory | None, new: Proposal | Memory) -> Beside | None:
    """The two texts, compared word by word; None where one is sensitive or gone."""
    if target is None or target.sensitive or (isinstance(new, Memory) and new.sensitive):
        return None
    pieces = word_diff(target.content, new.content)
    return Beside(
        old=[piece for piece in pieces if piece.kind != "added"],
        new=[piece for piece in pieces if piece.kind != "removed"],
    )
