"""`/deleted/`: tier 2, what was forgotten and can be brought back, searched by its words."""

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.memories import PAGE_SIZE, MemoryFilters, MemoryListing, as_json, contains_text, memory_listing
from dashboard.responses import page_or_json, parse_uuids, redirect_back, show_message, show_warning
from dashboard.viewer import RESTORABLE_FOR, Viewer
from dashboard.wording import describe_restored
from memory_app.engine.memories.delete_and_restore import restore_all
from memory_app.models import Memory
from memory_app.models.memory import MemoryQuerySet


def list_deleted(viewer: Viewer, path: str, url: QueryDict) -> MemoryListing:
    """The page of tier 2 that the URL asks for, the latest first."""
    filters = MemoryFilters.read(path, url)
    rows = _search(viewer, filters)
    page = Paginator(filters.apply(rows).order_by("-deleted_at", "-id"), PAGE_SIZE).get_page(filters.page)
    return memory_listing(viewer, rows, filters, page, list(page.object_list))


def _search(viewer: Viewer, filters: MemoryFilters) -> MemoryQuerySet:
    """Before any facet narrows it."""
    rows = viewer.deleted_memories()
    return rows.filter(contains_text(filters.query)) if filters.query else rows


MAX_AT_ONCE = 500
"""Memories that one press of the button brings back: each takes some milliseconds, and a person waits."""


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now = timezone.now()
    listing = list_deleted(viewer, request.path, request.GET)
    part = requested_part(request, "results")
    context = {"viewer": viewer, "now": now, "listing": listing, "days": RESTORABLE_FOR.days}
    return page_or_json(request, f"deleted.html{part}", context, lambda: as_json(listing, now))


@post_view
def restore_chosen(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Brings back the memories that were ticked, or all that match; those that are not there, or not one's own, are
    passed over."""
    now, chosen = timezone.now(), _chosen_memories(request, viewer)
    if not chosen:
        show_warning(request, "Tick the memories to bring back first.")
        return redirect_back(request, reverse("deleted"))
    restored = restore_all(memories=chosen, author=viewer.author(), now=now)
    show_message(request, describe_restored(restored))
    if len(chosen) == MAX_AT_ONCE:
        show_warning(request, f"At most {MAX_AT_ONCE} go at once: press again for the rest.")
    return redirect_back(request, reverse("deleted"))


def _chosen_memories(request: SignedInRequest, viewer: Viewer) -> list[Memory]:
    if "every" not in request.POST:
        ticked = parse_uuids(request.POST.getlist("memory"))
        return list(viewer.writable(viewer.deleted_memories()).filter(id__in=ticked)[:MAX_AT_ONCE])
    filters = MemoryFilters.from_address(reverse("deleted"), request.POST.get("next", ""))
    rows = viewer.writable(filters.apply(_search(viewer, filters)))
    # What was forgotten after the page was read was not seen by whoever pressed the button.
    read_at = parse_datetime(request.POST.get("seen", "")) or timezone.now()
    return list(rows.filter(deleted_at__lte=read_at).order_by("-deleted_at", "-id")[:MAX_AT_ONCE])
