"""Receipts of briefs: write them, read what a brief held, list the briefs of a person, or those that held a memory.

A receipt is written too when memories are read out to a person in chat, so that “forget that” finds them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from memory_app.engine.audit.log import Author
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import NotFound
from memory_app.models import Memory, Person, Receipt
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.nlp.privacy.sensitive import mask_sensitive
from memory_app.rules.fusion import Share
from memory_app.rules.grant import Grant


def new_receipt(
    *,
    venue_context: VenueContext,
    query: str,
    intent: str,
    conversation: UUID | None,
    items: Sequence[Mapping[str, object]],
    author: Author,
    now: datetime,
    tokens: int = 0,
    token_budget: int = 0,
    reason: str = "",
) -> Receipt:
    """A receipt that is not saved yet. items: by `receipt_item`, in order of rank."""
    place, venue = venue_context.place, venue_context.venue
    return Receipt(
        space_id=venue.home,
        person=venue_context.person,
        at=now,
        query=query,
        intent=intent,
        author=author.label,
        venue={"space": place.space, "channel": place.channel, "restricted": venue.restricted},
        tokens=tokens,
        token_budget=token_budget,
        items=items,
        conversation=conversation,
        reason=reason,
    )


def receipt_item(rank: int, memory: Memory, score: float = 0, why: Sequence[Share] = ()) -> dict[str, object]:
    """What a receipt tells of a memory at a rank from 1, and why it was found."""
    return {
        "memory": str(memory.id),
        "space": str(memory.space_id),
        "version": memory.version,
        "rank": rank,
        "score": round(score, 4),
        "why": [{"signal": share.signal, "rank": share.rank, "share": share.share} for share in why],
    }


def get_receipt(*, receipt: UUID, person: str | None = None, grant: Grant) -> Receipt:
    """The receipt, its person loaded. Raises NotFound where there is none that the grant reaches, or none of the one
    who asks."""
    with every_space():
        found = Receipt.objects.select_related("person").filter(id=receipt).first()
    if found is None or not grant.allows(found.person.name, found.venue.get("space")):
        raise NotFound
    if person not in (None, found.person.name):
        raise NotFound
    return found


@dataclass(frozen=True, slots=True)
class ReceiptFilters:
    """What a list of briefs is narrowed to; None means any."""

    conversation: UUID | None = None
    memory: UUID | None = None
    since: datetime | None = None


def receipts_of(person: Person, filters: ReceiptFilters, grant: Grant) -> QuerySet[Receipt]:
    """The receipts of a person that the grant reaches, to be evaluated within their own space."""
    rows = Receipt.objects.filter(space_id=person.space_id, person=person).filter(_reachable(person, grant))
    if filters.conversation:
        rows = rows.filter(conversation=filters.conversation)
    if filters.memory:
        rows = rows.filter(items__contains=[{"memory": str(filters.memory)}])
    return rows.filter(at__gte=filters.since) if filters.since else rows


def _reachable(person: Person, grant: Grant) -> Q:
    """As `Grant.allows` says, of the places where they were made."""
    private = Q(venue__space=None) | Q(venue__space__isnull=True)
    shared = Q(venue__space__in=sorted(grant.spaces)) if grant.spaces else ~private
    reached = shared if grant.speaks_for(person.name) else Q(pk__in=[])
    return reached | private if grant.allows(person.name, None) else reached


CHAT_INTENT = "chat"
"""The intent of such a receipt."""


def record_mentioned(
    *,
    venue_context: VenueContext,
    query: str,
    memories: Sequence[Memory],
    conversation: UUID | None,
    author: Author,
    now: datetime,
) -> None:
    """Writes the receipt. memories: in the order in which they were numbered. That of a stranger is not kept."""
    if not memories or venue_context.is_unknown:
        return
    items = [receipt_item(rank, memory) for rank, memory in enumerate(memories, 1)]
    receipt = new_receipt(
        venue_context=venue_context,
        query=query,
        intent=CHAT_INTENT,
        conversation=conversation,
        items=items,
        author=author,
        now=now,
    )
    with allowed_spaces([venue_context.venue.home]):
        receipt.save(force_insert=True)


MAX_BRIEFS = 20


@dataclass(frozen=True, slots=True)
class BriefUse:
    """One brief that held the memory: when, for which question and in whose name, and at what rank from 1.

    What is sensitive in the question is masked. changed: whether the brief held an earlier version."""

    receipt: UUID
    at: datetime
    query: str
    author: str
    rank: int
    of: int
    changed: bool


def briefed_in(*, memory: Memory, home: UUID | None, limit: int = MAX_BRIEFS) -> Sequence[BriefUse]:
    """The latest first. home: the space of the person whose briefs are told of; None tells of everyone's, and wants
    `every_space()`. Expects a scope that is open."""
    rows = Receipt.objects.filter(items__contains=[{"memory": str(memory.id)}])
    if home:
        rows = rows.filter(space_id=home)
    return [_brief_use(receipt, memory) for receipt in rows.order_by("-at", "-id")[:limit]]


def _brief_use(receipt: Receipt, memory: Memory) -> BriefUse:
    item = next(item for item in receipt.items if item["memory"] == str(memory.id))
    return BriefUse(
        receipt=receipt.id,
        at=receipt.at,
        query=mask_sensitive(receipt.query),
        author=receipt.author,
        rank=item["rank"],
        of=len(receipt.items),
        changed=item.get("version", memory.version) != memory.version,
    )
