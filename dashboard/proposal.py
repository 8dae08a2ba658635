"""`/inbox/{id}/`: one proposal, and all that can be decided on it."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, form_view, get_view, post_view
from dashboard.decisions import snooze_end
from dashboard.forms import MAX_CONTENT_LENGTH, NormalizedTextField, TextChangesForm
from dashboard.inbox import InboxFilters, answer_for_card, answer_for_list
from dashboard.proposal_cards import ProposalCard, card_json, proposal_cards
from dashboard.proposal_wording import OUTCOME_MESSAGES, describe_snooze
from dashboard.responses import clean_text, safe_address, show_message, show_warning, wants_json
from dashboard.viewer import Viewer
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.proposals.accept_proposal import ConflictChoice, accept
from memory_app.engine.proposals.review import reject, reopen, snooze
from memory_app.errors import ConflictError, Invalid, KeepsakeError, NotFound
from memory_app.models import Proposal
from memory_app.rules.visibility import Visibility

MAX_REASON_LENGTH = 200


class ProposalForm(TextChangesForm):
    """What a person may change before they accept."""

    content = NormalizedTextField(
        label="What to remember",
        max_length=MAX_CONTENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
    )

    @classmethod
    def of(cls, proposal: Proposal, data: Any = None) -> "ProposalForm":
        initial = {name: getattr(proposal, name) for name in cls.base_fields}
        return cls(data, initial=initial, auto_id=f"{proposal.id}-%s")


class MergeForm(forms.Form):
    """The one text that two become."""

    merged = NormalizedTextField(
        label="The two as one",
        max_length=MAX_CONTENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
    )

    @classmethod
    def of(cls, proposal: Proposal, draft: str, data: Any = None) -> "MergeForm":
        return cls(data, initial={"merged": draft}, auto_id=f"{proposal.id}-%s")


@get_view
def show(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    card = _card(viewer, viewer.find_proposal(proposal_id))
    if wants_json(request):
        return JsonResponse(card_json(card))
    return _page(request, viewer, card)


@post_view
def accept_proposal(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    """Accepts it as it is; with `everywhere`, where the viewer is its person and it is harmless, as `global`. If it
    conflicts with a memory, `keep` says whether the newest alone or both are kept."""
    proposal = viewer.find_proposal(proposal_id)
    everywhere = "everywhere" in request.POST and _card(viewer, proposal).harmless
    edits = {"visibility": Visibility.GLOBAL.value} if everywhere else None
    keep = request.POST.get("keep", "")
    holds: ConflictChoice | None = "both" if keep == "both" else "newest" if keep == "newest" else None
    try:
        outcome = _accept(viewer, proposal, edits=edits, holds=holds)
    except (ConflictError, Invalid) as error:
        return _failure(request, viewer, error)
    return _success(request, viewer, proposal, OUTCOME_MESSAGES.get(holds or outcome, OUTCOME_MESSAGES["added"]))


@form_view
def edit_proposal(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    """Accepts it with another text, summary, kind or section."""
    card = _card(viewer, viewer.find_proposal(proposal_id))
    form = ProposalForm.of(card.proposal, request.POST if request.method == "POST" else None)
    if not card.may_accept or not form.is_valid():
        return _page(request, viewer, card, form=form, act="edit")
    try:
        outcome = _accept(viewer, card.proposal, edits=form.changes)
    except ConflictError as error:
        return _failure(request, viewer, error)
    except Invalid as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return _page(request, viewer, card, form=form, act="edit")
    return _success(request, viewer, card.proposal, OUTCOME_MESSAGES.get(outcome, OUTCOME_MESSAGES["added"]))


@form_view
def merge_proposal(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    """Makes one text of it and the memory it is like."""
    card = _card(viewer, viewer.find_proposal(proposal_id))
    form = MergeForm.of(card.proposal, card.draft, request.POST if request.method == "POST" else None)
    if not card.may_merge or not form.is_valid():
        return _page(request, viewer, card, form=form, act="merge")
    try:
        outcome = _accept(viewer, card.proposal, merged=form.cleaned_data["merged"])
    except (ConflictError, NotFound):
        show_warning(request, "One of the two has changed meanwhile, so nothing was merged.")
        return answer_for_list(request, viewer)
    return _success(request, viewer, card.proposal, OUTCOME_MESSAGES[outcome])


@post_view
def reject_proposal(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    proposal = viewer.find_proposal(proposal_id)
    reason = clean_text(request.POST.get("reason", ""), MAX_REASON_LENGTH)
    try:
        reject(proposal=proposal, reason=reason, author=viewer.author(), now=timezone.now())
    except ConflictError as error:
        return _failure(request, viewer, error)
    return _success(request, viewer, proposal, OUTCOME_MESSAGES["rejected"])


@post_view
def snooze_proposal(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    """Puts it off until tomorrow morning, which is the default, or for a week."""
    proposal, now = viewer.find_proposal(proposal_id), timezone.now()
    try:
        snoozed_until = snooze_end(request.POST.get("until", "tomorrow"), now, viewer.zone)
    except Invalid as error:  # no form sends this, so there is none to show the error in
        return render(request, "dashboard/error.html", {"error": error}, status=400)
    try:
        snooze(proposal=proposal, until=snoozed_until, author=viewer.author(), now=now)
    except ConflictError as error:
        return _failure(request, viewer, error)
    return _success(request, viewer, proposal, describe_snooze(snoozed_until, 1))


@post_view
def reopen_proposal(request: SignedInRequest, viewer: Viewer, proposal_id: UUID) -> HttpResponse:
    """Undoes its decision, or that it was put off."""
    proposal = viewer.find_proposal(proposal_id)
    try:
        reopen(proposal=proposal, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    except ConflictError as error:
        show_warning(request, str(error))
    else:
        show_message(request, "Undone: it waits again.")
    return answer_for_list(request, viewer, focus=[proposal.id])


def _accept(viewer: Viewer, proposal: Proposal, **how: Any) -> str:
    accepted = accept(
        proposal=proposal,
        grant=viewer.grant,
        author=viewer.author(),
        now=timezone.now(),
        encoder=current_encoder(),
        **how,
    )
    return accepted.outcome


def _card(viewer: Viewer, proposal: Proposal) -> ProposalCard:
    return proposal_cards(viewer, [proposal], timezone.now())[0]


def _success(request: SignedInRequest, viewer: Viewer, proposal: Proposal, text: str) -> HttpResponse:
    show_message(request, text, reopen=[proposal.id])
    return answer_for_card(request, viewer)


def _failure(request: SignedInRequest, viewer: Viewer, error: KeepsakeError) -> HttpResponse:
    show_warning(request, str(error))
    return answer_for_list(request, viewer)


def _page(
    request: SignedInRequest, viewer: Viewer, card: ProposalCard, *, form: Any = None, act: str = ""
) -> HttpResponse:
    """The card in a page of its own; for htmx in the list, the form alone, or the card with its errors."""
    return_address = safe_address(request, request.POST.get("next") or request.GET.get("next", ""), reverse("inbox"))
    context = {
        "viewer": viewer,
        "now": timezone.now(),
        "card": card,
        "form": form,
        "act": act,
        "next": return_address,
    }
    if form is not None and not (card.may_merge if act == "merge" else card.may_accept):
        form = context["form"] = None
    failed = form is not None and form.is_bound
    if request.htmx:
        context["filters"] = InboxFilters.from_address(reverse("inbox"), return_address)
    part = ("#card" if failed else "#form") if request.htmx else ""
    return render(request, f"dashboard/proposal.html{part}", context, status=422 if failed else 200)
