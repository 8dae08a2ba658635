"""`/inbox/`: what was noticed, filtered by its URL; deciding on several at once, and undoing it."""

from datetime import datetime

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import say, uuids, wants_json, warn
from dashboard.inbox.acts import DAYS_OFF, MOST_AT_ONCE, decide_all, reopen_all, until
from dashboard.inbox.after import after_many
from dashboard.inbox.decisions import decided_lately, decision_json
from dashboard.inbox.filters import InboxFilters
from dashboard.inbox.listing import as_json, list_proposals
from dashboard.inbox.wording import all_done, put_off
from dashboard.reach import Reach
from dashboard.words import count
from memory_app.engine.conflicts.answer import reopen
from memory_app.models import Proposal, ProposalStatus

ACTS = ("accept", "reject", "tomorrow", "week")
"""What a button of the bar may ask for; the last two put off, until tomorrow or for a week."""


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    filters = InboxFilters.read(request.path, request.GET)
    listing = list_proposals(reach, filters, now)
    if wants_json(request):
        decisions = [decision_json(decision) for decision in decided_lately(reach)]
        return JsonResponse(as_json(listing) | {"decisions": decisions})
    part = "#results" if request.htmx.target == "results" else ""
    context = {"reach": reach, "now": now, "listing": listing, "filters": filters, "next": filters.url}
    if not part:
        context["decisions"] = decided_lately(reach)
    return render(request, f"dashboard/inbox.html{part}", context)


@require_POST
@signed_in
def decide_chosen(request: Asked, reach: Reach) -> HttpResponse:
    """Decides on the proposals that were ticked, or on all that match; those of others are passed over."""
    now, act = timezone.now(), request.POST.get("act", "")
    chosen = _chosen(request, reach, now) if act in ACTS else []
    if not chosen:
        warn(request, "Tick the proposals first.")
        return after_many(request, reach)
    back_on = until(act, now, reach.zone) if act in DAYS_OFF else now
    done = decide_all(chosen, act, grant=reach.grant, author=reach.author(), now=now, back_on=back_on)
    number = len(done.proposals)
    said = put_off(back_on, number) if act in DAYS_OFF else all_done(act, number, done.left)
    if len(chosen) == MOST_AT_ONCE:
        warn(request, f"At most {MOST_AT_ONCE} are decided on at once: press again for the rest.")
    say(request, said, reopen=[proposal.id for proposal in done.proposals])
    return after_many(request, reach)


@require_POST
@signed_in
def reopen_chosen(request: Asked, reach: Reach) -> HttpResponse:
    """Undoes what was decided on the proposals named; those of others are passed over."""
    named = uuids(request.POST.getlist("proposal"))[:MOST_AT_ONCE]
    now = timezone.now()
    found = reach.proposals().filter(id__in=named)
    done = reopen_all(found, grant=reach.grant, author=reach.author(), now=now)
    conflicts = [
        reopen(conflict=conflict, grant=reach.grant, author=reach.author(), now=now)
        for conflict in reach.conflicts().filter(id__in=named)
    ]
    number = len(done.proposals) + len(conflicts)
    if done.left:
        warn(request, f"{count(done.left, 'was', 'were')} left: the memory has changed since. Edit it instead.")
    if number:
        say(request, "Undone: it waits again." if number == 1 else f"Undone: {number} wait again.")
    elif not done.left:
        warn(request, "There was nothing to undo.")
    return after_many(request, reach, focus=[*(one.id for one in done.proposals), *(one.id for one in conflicts)])


def _chosen(request: Asked, reach: Reach, now: datetime) -> list[Proposal]:
    pending = reach.proposals().filter(status=ProposalStatus.PENDING).defer("embedding")
    if "every" not in request.POST:
        return list(pending.filter(id__in=uuids(request.POST.getlist("proposal")))[:MOST_AT_ONCE])
    filters = InboxFilters.of_address(reverse("inbox"), request.POST.get("next", ""))
    rows = filters.apply(filters.searched(pending), now)
    # What came in after the page was read was not seen by whoever pressed the button.
    seen = parse_datetime(request.POST.get("seen", "")) or now
    return list(rows.filter(created_at__lte=seen).order_by("created_at", "id")[:MOST_AT_ONCE])
