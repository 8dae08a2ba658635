"""The answer to an act of the inbox: back to the list, or, for a swap, the parts of the page that changed."""

from collections.abc import Iterable
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import reswap, retarget, trigger_client_event

from dashboard.access import Asked
from dashboard.answer import back
from dashboard.inbox.decisions import decided_lately
from dashboard.inbox.filters import InboxFilters
from dashboard.inbox.listing import list_proposals, outline
from dashboard.reach import Reach


def after_one(request: Asked, reach: Reach) -> HttpResponse:
    """After an act on one card, which leaves the page: the figures around it, and the focus to the next card."""
    return _after(request, reach, whole=False)


def after_many(request: Asked, reach: Reach, *, focus: Iterable[UUID] = ()) -> HttpResponse:
    """After an act on several, one that failed, or an undoing: the whole list anew, whatever the swap was to replace.

    The focus goes to the first of `focus` that is on it.
    """
    return _after(request, reach, whole=True, focus=focus)


def _after(request: Asked, reach: Reach, *, whole: bool, focus: Iterable[UUID] = ()) -> HttpResponse:
    path = reverse("inbox")
    if not request.htmx:
        return back(request, path)
    now = timezone.now()
    filters = InboxFilters.of_address(path, request.POST.get("next", ""))
    listing = (list_proposals if whole else outline)(reach, filters, now)
    context = {
        "reach": reach,
        "now": now,
        "filters": filters,
        "next": filters.url,
        "listing": listing,
        "decisions": decided_lately(reach),
        "whole": whole,
    }
    response = render(request, "dashboard/inbox.html#after", context)
    if whole:
        response = retarget(reswap(response, "innerHTML"), "#results")
    return trigger_client_event(response, "decided", {"focus": [str(one) for one in focus]}, after="settle")
