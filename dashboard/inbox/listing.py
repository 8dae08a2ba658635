"""One page of the inbox, with its facets: what the page and its JSON twin both show."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator

from dashboard.facets import Facet
from dashboard.inbox.cards import Card, cards
from dashboard.inbox.conflicts import ConflictCard, conflict_cards, conflict_json
from dashboard.inbox.dialogue import Line
from dashboard.inbox.facets import facets, statuses
from dashboard.inbox.filters import InboxFilters
from dashboard.reach import Reach
from memory_app.models import Proposal

PAGE = 20


@dataclass(frozen=True, slots=True)
class InboxListing:
    """`total`: how many there are on all pages. `number` and `pages` count from 1. `seen`: when it was read."""

    cards: list[Card]
    total: int
    number: int
    pages: int
    filters: InboxFilters
    facets: list[Facet]
    status: Facet
    seen: datetime
    conflicts: list[ConflictCard] = field(default_factory=list)

    @property
    def newer(self) -> str:
        return self.filters.with_(page=self.number - 1).url if self.number > 1 else ""

    @property
    def older(self) -> str:
        return self.filters.with_(page=self.number + 1).url if self.number < self.pages else ""

    @property
    def undecided(self) -> bool:
        """Whether there is anything on the page to decide on."""
        return any(not card.decided for card in self.cards)


def list_proposals(reach: Reach, filters: InboxFilters, now: datetime) -> InboxListing:
    """The page that the filters ask for; beyond the last page, the last one."""
    page = _pages(reach, filters, now).get_page(filters.page)
    listing = outline(reach, filters, now)
    found = cards(reach, list(page.object_list), now)
    # Conflicts stand above what was noticed, where nothing else is asked for.
    conflicts = [] if filters.narrowed or page.number > 1 else conflict_cards(reach)
    return replace(listing, cards=found, number=page.number, conflicts=conflicts)


def outline(reach: Reach, filters: InboxFilters, now: datetime) -> InboxListing:
    """The same without its cards: what changes of a page when a card leaves it."""
    rows = filters.searched(reach.proposals())
    pages = _pages(reach, filters, now)
    return InboxListing(
        cards=[],
        total=pages.count,
        number=min(filters.page, pages.num_pages),
        pages=pages.num_pages,
        filters=filters,
        facets=facets(rows, filters, now, people=reach.everyone),
        status=statuses(rows, filters, now),
        seen=now,
    )


def _pages(reach: Reach, filters: InboxFilters, now: datetime) -> "Paginator[Proposal]":
    rows = filters.apply(filters.searched(reach.proposals()), now).defer("embedding")
    to_come = filters.status in ("waiting", "snoozed")
    return Paginator(rows.order_by(*(("-created_at", "number", "id") if to_come else ("-decided_at", "-id"))), PAGE)


def as_json(listing: InboxListing) -> dict[str, Any]:
    """The page as its JSON twin shows it."""
    every = [listing.status, *listing.facets]
    return {
        "items": [card_json(card) for card in listing.cards],
        "conflicts": [conflict_json(card) for card in listing.conflicts],
        "total": listing.total,
        "page": listing.number,
        "pages": listing.pages,
        "next": listing.older or None,
        "facets": {facet.name: {option.value: option.count for option in facet.options} for facet in every},
    }


def card_json(card: Card) -> dict[str, Any]:
    """A proposal in the fields of the API, with what its card shows beyond those."""
    proposal = card.proposal
    same = ("id", "number", "status", "type", "category", "summary", "content", "context", "keywords", "visibility",
            "quotes", "reason", "confidence", "relation", "event_time", "event_end", "created_at", "expires_at",
            "decided_at", "decided_by", "reject_reason", "snoozed_until")  # fmt: skip
    return {
        **{name: getattr(proposal, name) for name in same},
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


def line_json(line: Line) -> dict[str, Any]:
    return {
        "position": line.turn.position,
        "speaker": line.speaker,
        "spoken_at": line.turn.spoken_at,
        "text": "".join(bit.text for bit in line.bits),
        "quoted": line.quoted,
    }
