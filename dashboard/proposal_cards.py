"""The cards of the inbox: proposals with all that explains them, and conflicts of two memories side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any
from uuid import UUID

from dashboard.dialogue import DialogueLine, excerpts, line_json
from dashboard.diff import DiffPiece, diff_words
from dashboard.proposal_wording import (
    REJECT_REASONS,
    describe_confidence,
    describe_consequence,
    describe_relation,
    describe_section,
    is_decided,
)
from dashboard.responses import fields_json
from dashboard.viewer import Viewer
from dashboard.wording import describe_audience, describe_event_time
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.models import Channel, Conflict, Memory, Proposal, Relation
from memory_app.models.proposal import WARNING_PERIOD
from memory_app.nlp.understand import is_global_safe
from memory_app.rules.decide import merged_text
from memory_app.rules.visibility import Visibility


@dataclass(frozen=True, slots=True)
class TextComparison:
    """Two texts side by side; what only one of them says is marked in it."""

    old: Sequence[DiffPiece]
    new: Sequence[DiffPiece]


@dataclass(frozen=True, slots=True)
class ProposalCard:
    """All that the inbox shows of a proposal.

    harmless: whether its person is offered to have it recalled wherever they talk. target: the memory it is about, if
    that is still current. comparison: None where the memory is sensitive. next_id: the next proposal of the list.
    """

    proposal: Proposal
    mine: bool
    decided: bool
    confidence: str
    section: str
    audience: str
    harmless: bool
    excerpt: Sequence[DialogueLine]
    relation: str
    consequence: str
    target: Memory | None
    comparison: TextComparison | None
    resulting_memory: Memory | None
    expires_soon: bool
    snoozed_until: datetime | None
    next_id: UUID | None = None

    @property
    def may_accept(self) -> bool:
        return not self.decided

    @property
    def may_merge(self) -> bool:
        related = self.proposal.relation in (Relation.MERGE, Relation.CONFLICT)
        return not self.decided and related and self.comparison is not None

    @property
    def in_conflict(self) -> bool:
        """Whether it conflicts with a memory, so that both can be kept, or one."""
        return not self.decided and self.proposal.relation == Relation.CONFLICT and self.target is not None

    @property
    def choices(self) -> Sequence[str]:
        """What may become of it and the memory, as the API calls it: `accept` with `keep`, or `reject`."""
        return ("newest", "both", "old") if self.in_conflict else ()

    @property
    def event_time(self) -> str:
        return describe_event_time(self.proposal)

    @property
    def reasons(self) -> Sequence[str]:
        return REJECT_REASONS

    @property
    def draft(self) -> str:
        """What the two could say as one, for the person to edit."""
        new = self.proposal.content
        return merged_text(self.target.content, new) if self.target else new


def proposal_cards(viewer: Viewer, proposals: Sequence[Proposal], now: datetime) -> list[ProposalCard]:
    """A card for each, in order; turns, memories and channels are read once for all."""
    memories = _related_memories(viewer, proposals)
    channels = _channels(proposals)
    reader = viewer.person.id if viewer.person else None
    lines = excerpts(proposals, reader=reader)
    next_id = zip_longest(proposals, [proposal.id for proposal in proposals[1:]])
    return [
        _proposal_card(proposal, memories, channels, lines[proposal.id], reader, now, after)
        for proposal, after in next_id
    ]


def _proposal_card(
    proposal: Proposal,
    memories: dict[UUID, Memory],
    channels: dict[UUID, Channel],
    lines: Sequence[DialogueLine],
    reader: UUID | None,
    now: datetime,
    next_id: UUID | None,
) -> ProposalCard:
    mine, decided = proposal.person_id == reader, is_decided(proposal)
    target = _if_current(memories.get(proposal.target_id) if proposal.target_id else None, now)
    about = None if decided else target
    return ProposalCard(
        proposal=proposal,
        mine=mine,
        decided=decided,
        confidence=describe_confidence(proposal.confidence),
        section=describe_section(proposal),
        audience=describe_audience(_future_memory(proposal, channels), mine=mine),
        harmless=mine and not decided and _is_private(proposal) and is_global_safe(proposal.content, proposal.key),
        excerpt=lines,
        relation=describe_relation(proposal),
        consequence=describe_consequence(proposal),
        target=about,
        comparison=compare_texts(about, proposal),
        resulting_memory=memories.get(proposal.memory_id) if proposal.memory_id else None,
        expires_soon=not decided and proposal.expires_at - now <= WARNING_PERIOD,
        snoozed_until=proposal.snoozed_until if proposal.snoozed_until and proposal.snoozed_until > now else None,
        next_id=next_id,
    )


def _is_private(proposal: Proposal) -> bool:
    """Whether only private conversations would recall it."""
    return proposal.visibility == Visibility.PRIVATE


def _related_memories(viewer: Viewer, proposals: Sequence[Proposal]) -> dict[UUID, Memory]:
    named = [(proposal.target_id, proposal.memory_id) for proposal in proposals]
    ids = {memory for pair in named for memory in pair if memory}
    return {memory.id: memory for memory in viewer.own_memories().filter(id__in=ids)} if ids else {}


def _channels(proposals: Sequence[Proposal]) -> dict[UUID, Channel]:
    ids = {proposal.channel_id for proposal in proposals if proposal.channel_id}
    return {channel.id: channel for channel in Channel.objects.filter(id__in=ids)} if ids else {}


def _if_current(memory: Memory | None, now: datetime) -> Memory | None:
    """The memory, if it is still kept and current."""
    if memory is None or memory.status != "active" or (memory.expires_at and memory.expires_at <= now):
        return None
    return memory


def _future_memory(proposal: Proposal, channels: dict[UUID, Channel]) -> Memory:
    """The memory it would become, as far as who sees it goes."""
    memory = Memory(person=proposal.person, space=proposal.space, visibility=proposal.visibility)
    if proposal.channel_id and proposal.channel_id in channels:
        memory.channel = channels[proposal.channel_id]
    return memory


def compare_texts(target: Memory | None, new: Proposal | Memory) -> TextComparison | None:
    """The two texts, compared word by word; None where one is sensitive or gone."""
    if target is None or target.sensitive or (isinstance(new, Memory) and new.sensitive):
        return None
    pieces = diff_words(target.content, new.content)
    return TextComparison(
        old=[piece for piece in pieces if piece.kind != "added"],
        new=[piece for piece in pieces if piece.kind != "removed"],
    )


def card_json(card: ProposalCard) -> dict[str, Any]:
    """A proposal in the fields of the API, with what its card shows beyond those."""
    proposal = card.proposal
    same = ("id", "number", "status", "type", "category", "summary", "content", "context", "keywords", "visibility",
            "quotes", "reason", "confidence", "relation", "event_time", "event_end", "created_at", "expires_at",
            "decided_at", "decided_by", "reject_reason", "snoozed_until")  # fmt: skip
    return {
        **fields_json(proposal, *same),
        "person": proposal.person.name,
        "key": proposal.key or None,
        "space": proposal.space.name or None,
        "conversation": proposal.conversation_id,
        "target": proposal.target_id,
        "memory": proposal.memory_id,
        "audience": card.audience,
        "harmless": card.harmless,
        "dialogue": [line_json(line) for line in card.excerpt],
        "draft": card.draft if card.may_merge else None,
        "choices": list(card.choices),
    }


MAX_CONFLICTS = 20
"""Conflicts on one page; the next ones come up as these are answered."""


@dataclass(frozen=True, slots=True)
class ConflictCard:
    """A conflict with its two memories. comparison: None where one of them is sensitive. next_id: of the next card."""

    conflict: Conflict
    older: Memory
    newer: Memory
    comparison: TextComparison | None
    next_id: UUID | None = None

    @property
    def draft(self) -> str:
        """What the two could say as one, for the person to edit."""
        return merged_text(self.older.content, self.newer.content)


def conflict_cards(viewer: Viewer, *, memory: UUID | None = None) -> list[ConflictCard]:
    """Those that wait for an answer, the latest first. memory: those of this one alone."""
    rows = viewer.conflicts().of_memory(memory) if memory else viewer.conflicts()
    found = list(rows.open().order_by("-opened_at", "-id")[:MAX_CONFLICTS])
    memories = _conflict_memories(found)
    pairs = [(row, memories[row.older_id], memories[row.newer_id]) for row in found]
    next_id = zip_longest(pairs, [row.id for row in found[1:]])
    return [
        ConflictCard(row, older, newer, compare_texts(older, newer), after) for (row, older, newer), after in next_id
    ]


def conflict_json(card: ConflictCard) -> dict[str, Any]:
    return {
        "id": card.conflict.id,
        "reason": card.conflict.reason,
        "opened_at": card.conflict.opened_at,
        "older": {"id": card.older.id, "content": None if card.older.sensitive else card.older.content},
        "newer": {"id": card.newer.id, "content": None if card.newer.sensitive else card.newer.content},
    }


def _conflict_memories(conflicts: Sequence[Conflict]) -> dict[UUID, Memory]:
    ids = {memory for conflict in conflicts for memory in (conflict.older_id, conflict.newer_id)}
    spaces = {conflict.space_id for conflict in conflicts}
    rows = Memory.objects.select_related(*WITH_NAMES).filter(space_id__in=spaces, id__in=ids)
    return {memory.id: memory for memory in rows} if ids else {}
