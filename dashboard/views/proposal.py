"""`/inbox/{id}/`: one proposal, and all that can be decided on it."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import ours, say, wants_json, warn
from dashboard.inbox.acts import until
from dashboard.inbox.after import after_many, after_one
from dashboard.inbox.cards import Card, cards
from dashboard.inbox.filters import InboxFilters
from dashboard.inbox.forms import MergeForm, ProposalForm
from dashboard.inbox.listing import card_json
from dashboard.inbox.wording import OUTCOMES, put_off
from dashboard.reach import Reach
from memory_app.embedding.encoder import current
from memory_app.engine.listening.keep_proposed import Holds
from memory_app.engine.listening.review import accept, reject, reopen, snooze
from memory_app.errors import InConflict, Invalid, KeepsakeError, NotFound
from memory_app.models import Proposal
from memory_app.rules.visibility import Visibility

LONGEST_REASON = 200
either = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@signed_in
def show(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    card = _card(reach, reach.find_proposal(proposal_id))
    if wants_json(request):
        return JsonResponse(card_json(card))
    return _page(request, reach, card)


@require_POST
@signed_in
def accept_proposal(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    """Keeps it as it is; with `everywhere`, and where the reader is its person and it is harmless, as `global`. Of what
    may not hold beside a memory, the newest alone or both, as the button that was pressed says."""
    proposal = reach.find_proposal(proposal_id)
    everywhere = "everywhere" in request.POST and _card(reach, proposal).harmless
    edits = {"visibility": Visibility.GLOBAL.value} if everywhere else None
    keep = request.POST.get("keep", "")
    holds: Holds | None = "both" if keep == "both" else "newest" if keep == "newest" else None
    try:
        outcome = _accept(reach, proposal, edits=edits, holds=holds)
    except (InConflict, Invalid) as error:
        return _failed(request, reach, error)
    return _done(request, reach, proposal, OUTCOMES.get(holds or outcome, OUTCOMES["added"]))


@either
@signed_in
def edit_proposal(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    """Keeps it with another text, summary, kind or section."""
    card = _card(reach, reach.find_proposal(proposal_id))
    form = ProposalForm.of(card.proposal, request.POST if request.method == "POST" else None)
    if not card.may_accept or not form.is_valid():
        return _page(request, reach, card, form=form, act="edit")
    try:
        outcome = _accept(reach, card.proposal, edits=form.changes)
    except InConflict as error:
        return _failed(request, reach, error)
    except Invalid as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return _page(request, reach, card, form=form, act="edit")
    return _done(request, reach, card.proposal, OUTCOMES.get(outcome, OUTCOMES["added"]))


@either
@signed_in
def merge_proposal(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    """Makes one text of it and the memory it is like."""
    card = _card(reach, reach.find_proposal(proposal_id))
    form = MergeForm.of(card.proposal, card.draft, request.POST if request.method == "POST" else None)
    if not card.may_merge or not form.is_valid():
        return _page(request, reach, card, form=form, act="merge")
    try:
        outcome = _accept(reach, card.proposal, merged=form.cleaned_data["merged"])
    except (InConflict, NotFound):
        warn(request, "One of the two has changed meanwhile, so nothing was merged.")
        return after_many(request, reach)
    return _done(request, reach, card.proposal, OUTCOMES[outcome])


@require_POST
@signed_in
def reject_proposal(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    proposal = reach.find_proposal(proposal_id)
    reason = request.POST.get("reason", "").replace("\x00", "")[:LONGEST_REASON]
    try:
        reject(proposal=proposal, reason=reason, author=reach.author(), now=timezone.now())
    except InConflict as error:
        return _failed(request, reach, error)
    return _done(request, reach, proposal, OUTCOMES["rejected"])


@require_POST
@signed_in
def snooze_proposal(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    """Puts it off until the morning of tomorrow, which needs not be said, or in a week."""
    proposal, now = reach.find_proposal(proposal_id), timezone.now()
    try:
        back_on = until(request.POST.get("until", "tomorrow"), now, reach.zone)
    except Invalid as error:  # no form of ours sends it, so there is none to show it in
        return render(request, "dashboard/problem.html", {"error": error}, status=400)
    try:
        snooze(proposal=proposal, until=back_on, author=reach.author(), now=now)
    except InConflict as error:
        return _failed(request, reach, error)
    return _done(request, reach, proposal, put_off(back_on, 1))


@require_POST
@signed_in
def reopen_proposal(request: Asked, reach: Reach, proposal_id: UUID) -> HttpResponse:
    """Undoes what was decided on it, or that it was put off."""
    proposal = reach.find_proposal(proposal_id)
    try:
        reopen(proposal=proposal, grant=reach.grant, author=reach.author(), now=timezone.now())
    except InConflict as error:
        warn(request, str(error))
    else:
        say(request, "Undone: it waits again.")
    return after_many(request, reach, focus=[proposal.id])


def _accept(reach: Reach, proposal: Proposal, **how: Any) -> str:
    accepted = accept(
        proposal=proposal, grant=reach.grant, author=reach.author(), now=timezone.now(), encoder=current(), **how
    )
    return accepted.outcome


def _card(reach: Reach, proposal: Proposal) -> Card:
    return cards(reach, [proposal], timezone.now())[0]


def _done(request: Asked, reach: Reach, proposal: Proposal, text: str) -> HttpResponse:
    say(request, text, reopen=[proposal.id])
    return after_one(request, reach)


def _failed(request: Asked, reach: Reach, error: KeepsakeError) -> HttpResponse:
    warn(request, str(error))
    return after_many(request, reach)


def _page(request: Asked, reach: Reach, card: Card, *, form: Any = None, act: str = "") -> HttpResponse:
    """The card in a page of its own; for a swap within the list, the form alone, or the card with its errors."""
    asked_for = ours(request, request.POST.get("next") or request.GET.get("next", ""), reverse("inbox"))
    context = {
        "reach": reach,
        "now": timezone.now(),
        "card": card,
        "form": form,
        "act": act,
        "next": asked_for,
    }
    if form is not None and not (card.may_merge if act == "merge" else card.may_accept):
        form = context["form"] = None
    failed = form is not None and form.is_bound
    if request.htmx:
        context["filters"] = InboxFilters.of_address(reverse("inbox"), asked_for)
    part = ("#card" if failed else "#form") if request.htmx else ""
    return render(request, f"dashboard/proposal.html{part}", context, status=422 if failed else 200)
