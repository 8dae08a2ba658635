"""`/inbox/`: what was noticed, filtered by its URL; deciding on several at once, and undoing it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, Func, Q, TextField
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django_htmx.http import reswap, retarget, trigger_client_event

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.decisions import (
    MAX_AT_ONCE,
    SNOOZE_DAYS,
    decide_all,
    decision_json,
    latest_decisions,
    reopen_all,
    snooze_end,
)
from dashboard.dialogue import conversation_name
from dashboard.lists import Facet, ListFilters, Pagination, Pairs, facets_json
from dashboard.proposal_cards import (
    ConflictCard,
    ProposalCard,
    card_json,
    conflict_cards,
    conflict_json,
    proposal_cards,
)
from dashboard.proposal_wording import PROPOSAL_STATUS_LABELS, RELATION_LABELS, describe_bulk_decision, describe_snooze
from dashboard.responses import parse_uuids, redirect_back, show_message, show_warning, wants_json
from dashboard.viewer import Viewer
from dashboard.wording import TYPE_LABELS, pluralize
from memory_app.engine.conflicts.answer import reopen
from memory_app.models import Conversation, Proposal, ProposalStatus
from memory_app.models.proposal import ProposalQuerySet


class QuoteTexts(Func):
    """The texts of the quotes, as one text."""

    template = "jsonb_path_query_array(%(expressions)s, '$[*].text')::text"
    output_field = TextField()


@dataclass(frozen=True)
class InboxFilters(ListFilters):
    status: str = "waiting"

    columns: ClassVar[Mapping[str, str]] = {
        "relation": "relation",
        "type": "type",
        "conversation": "conversation_id",
        "person": "person__name",
    }
    facet_labels: ClassVar[Mapping[str, str]] = {
        "relation": "What it would do",
        "type": "Kind",
        "conversation": "Conversation",
        "person": "Person",
    }
    value_labels: ClassVar[Mapping[str, Mapping[str, str]]] = {"type": TYPE_LABELS, "relation": RELATION_LABELS}

    @classmethod
    def read_settings(cls, url: QueryDict, query: str) -> dict[str, Any]:
        status = url.get("status", "")
        return {"status": status if status in PROPOSAL_STATUS_LABELS else "waiting"}

    @classmethod
    def known_values(cls, name: str, values: Sequence[str]) -> tuple[str, ...]:
        if name == "conversation":
            return tuple(map(str, parse_uuids(values)))
        return super().known_values(name, values)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.status != "waiting")

    @property
    def setting_pairs(self) -> Pairs:
        return [("status", self.status)] if self.status != "waiting" else []

    def with_query(self, rows: ProposalQuerySet) -> ProposalQuerySet:
        if not self.query:
            return rows
        occurs = Q(content__icontains=self.query) | Q(summary__icontains=self.query) | Q(quoted__icontains=self.query)
        return rows.alias(quoted=QuoteTexts("quotes")).filter(occurs)

    def matching(self, rows: ProposalQuerySet, now: datetime) -> ProposalQuerySet:
        """Rows that pass all filters."""
        return with_status(self.apply(self.with_query(rows)), self.status, now)

    def status_facet(self, rows: ProposalQuerySet, now: datetime) -> Facet:
        counts = _counts_by_status(self.apply(rows), now)
        return Facet("status", "Standing", self.options("status", PROPOSAL_STATUS_LABELS, counts))

    def labels_of(self, name: str, values: Sequence[str]) -> Mapping[str, str]:
        if name == "conversation":
            rows = Conversation.objects.filter(id__in=values).order_by()
            return {str(row.id): conversation_name(row) for row in rows}
        return super().labels_of(name, values)


def with_status(rows: ProposalQuerySet, status: str, now: datetime) -> ProposalQuerySet:
    """Rows of one of PROPOSAL_STATUS_LABELS."""
    match status:
        case "waiting":
            return rows.waiting(now)
        case "snoozed":
            return rows.snoozed(now)
        case "all":
            return rows
        case _:
            return rows.filter(status=status)


def _counts_by_status(rows: ProposalQuerySet, now: datetime) -> dict[str, int]:
    stored = {row["status"]: row["number"] for row in rows.order_by().values("status").annotate(number=Count("id"))}
    snoozed = rows.snoozed(now).count()
    known = {"waiting": stored.get("pending", 0) - snoozed, "snoozed": snoozed, "all": sum(stored.values())}
    return {status: known.get(status, stored.get(status, 0)) for status in PROPOSAL_STATUS_LABELS}


PAGE_SIZE = 20


@dataclass(frozen=True, slots=True)
class ProposalListing(Pagination):
    """read_at: when the page was read."""

    filters: InboxFilters
    facets: list[Facet]
    status_facets: list[Facet]
    read_at: datetime
    cards: Sequence[ProposalCard] = ()
    conflicts: Sequence[ConflictCard] = ()

    @property
    def has_undecided(self) -> bool:
        """Whether there is anything on the page to decide on."""
        return any(not card.decided for card in self.cards)


def list_proposals(viewer: Viewer, filters: InboxFilters, now: datetime, *, with_cards: bool = True) -> ProposalListing:
    """The page that the filters ask for; beyond the last page, the last one. Without cards: what changes of the page
    when a card leaves it."""
    every = viewer.proposals()
    rows = filters.matching(every, now).defer("embedding")
    order = ("-created_at", "number", "id") if filters.status in ("waiting", "snoozed") else ("-decided_at", "-id")
    page = Paginator(rows.order_by(*order), PAGE_SIZE).get_page(filters.page)
    # Conflicts stand above what was noticed, where nothing else is asked for.
    with_conflicts = with_cards and not filters.is_narrowed and page.number == 1
    searched = filters.with_query(every)
    return ProposalListing(
        filters=filters,
        facets=filters.facets(with_status(searched, filters.status, now), people=viewer.is_super_user),
        status_facets=[filters.status_facet(searched, now)],
        read_at=now,
        cards=proposal_cards(viewer, list(page.object_list), now) if with_cards else (),
        conflicts=conflict_cards(viewer) if with_conflicts else (),
        **filters.pagination(page),
    )


def as_json(listing: ProposalListing) -> dict[str, Any]:
    return {
        "items": [card_json(card) for card in listing.cards],
        "conflicts": [conflict_json(card) for card in listing.conflicts],
        **listing.pagination_json(),
        "facets": facets_json([*listing.status_facets, *listing.facets]),
    }


def answer_for_card(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """After a decision on one card, which leaves the page: the counts around it, and the focus on the next card."""
    return _answer(request, viewer, whole=False)


def answer_for_list(request: SignedInRequest, viewer: Viewer, *, focus: Iterable[UUID] = ()) -> HttpResponse:
    """After decisions on several, one that failed, or an undo: the whole list, whatever part htmx asked for. The focus
    goes to the first of `focus` that is on it."""
    return _answer(request, viewer, whole=True, focus=focus)


def _answer(request: SignedInRequest, viewer: Viewer, *, whole: bool, focus: Iterable[UUID] = ()) -> HttpResponse:
    path = reverse("inbox")
    if not request.htmx:
        return redirect_back(request, path)
    now = timezone.now()
    filters = InboxFilters.from_address(path, request.POST.get("next", ""))
    listing = list_proposals(viewer, filters, now, with_cards=whole)
    context = {
        "viewer": viewer,
        "now": now,
        "filters": filters,
        "next": filters.url,
        "listing": listing,
        "decisions": latest_decisions(viewer),
        "whole": whole,
    }
    response = render(request, "dashboard/inbox.html#after", context)
    if whole:
        response = retarget(reswap(response, "innerHTML"), "#results")
    return trigger_client_event(response, "decided", {"focus": [str(one) for one in focus]}, after="settle")


BULK_ACTIONS = ("accept", "reject", "tomorrow", "week")
"""The buttons of the bar; the last two put off, until tomorrow or for a week."""


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now = timezone.now()
    filters = InboxFilters.read(request.path, request.GET)
    listing = list_proposals(viewer, filters, now)
    if wants_json(request):
        decisions = [decision_json(decision) for decision in latest_decisions(viewer)]
        return JsonResponse(as_json(listing) | {"decisions": decisions})
    part = requested_part(request, "results")
    context = {"viewer": viewer, "now": now, "listing": listing, "filters": filters, "next": filters.url}
    if not part:
        context["decisions"] = latest_decisions(viewer)
    return render(request, f"dashboard/inbox.html{part}", context)


@post_view
def decide_chosen(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Decides on the proposals that were ticked, or on all that match; those of others are ignored."""
    now, action = timezone.now(), request.POST.get("act", "")
    chosen = _chosen_proposals(request, viewer, now) if action in BULK_ACTIONS else []
    if not chosen:
        show_warning(request, "Tick the proposals first.")
        return answer_for_list(request, viewer)
    snoozed_until = snooze_end(action, now, viewer.zone) if action in SNOOZE_DAYS else now
    result = decide_all(
        chosen, action, grant=viewer.grant, author=viewer.author(), now=now, snoozed_until=snoozed_until
    )
    number = len(result.proposals)
    if action in SNOOZE_DAYS:
        message = describe_snooze(snoozed_until, number)
    else:
        message = describe_bulk_decision(action, number, result.skipped)
    if len(chosen) == MAX_AT_ONCE:
        show_warning(request, f"At most {MAX_AT_ONCE} are decided on at once: press again for the rest.")
    show_message(request, message, reopen=[proposal.id for proposal in result.proposals])
    return answer_for_list(request, viewer)


@post_view
def reopen_chosen(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Undoes what was decided on the proposals named; those of others are ignored."""
    named = parse_uuids(request.POST.getlist("proposal"))[:MAX_AT_ONCE]
    now = timezone.now()
    found = viewer.proposals().filter(id__in=named)
    result = reopen_all(found, grant=viewer.grant, author=viewer.author(), now=now)
    conflicts = [
        reopen(conflict=conflict, grant=viewer.grant, author=viewer.author(), now=now)
        for conflict in viewer.conflicts().filter(id__in=named)
    ]
    number = len(result.proposals) + len(conflicts)
    if result.skipped:
        show_warning(
            request, f"{pluralize(result.skipped, 'was', 'were')} left: the memory has changed since. Edit it instead."
        )
    if number:
        show_message(request, "Undone: it waits again." if number == 1 else f"Undone: {number} wait again.")
    elif not result.skipped:
        show_warning(request, "There was nothing to undo.")
    return answer_for_list(
        request, viewer, focus=[*(one.id for one in result.proposals), *(one.id for one in conflicts)]
    )


def _chosen_proposals(request: SignedInRequest, viewer: Viewer, now: datetime) -> list[Proposal]:
    pending = viewer.proposals().filter(status=ProposalStatus.PENDING).defer("embedding")
    if "every" not in request.POST:
        return list(pending.filter(id__in=parse_uuids(request.POST.getlist("proposal")))[:MAX_AT_ONCE])
    filters = InboxFilters.from_address(reverse("inbox"), request.POST.get("next", ""))
    rows = filters.matching(pending, now)
    # Whoever pressed the button has not seen what came in after the page was read.
    read_at = parse_datetime(request.POST.get("seen", "")) or now
    return list(rows.filter(created_at__lte=read_at).order_by("created_at", "id")[:MAX_AT_ONCE])
