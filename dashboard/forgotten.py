"""The list of tier 2: what was forgotten, the latest first, searched by the words it holds."""

from django.core.paginator import Paginator
from django.http import QueryDict

from dashboard.facets import facets, statuses
from dashboard.filters import Filters
from dashboard.found import occurs
from dashboard.listing import PAGE, Listing
from dashboard.reach import Reach
from memory_app.models.memory import MemoryQuerySet


def list_forgotten(reach: Reach, path: str, url: QueryDict) -> Listing:
    """The page of the forgotten that the URL asks for."""
    filters = Filters.read(path, url)
    rows = _searched(reach, filters)
    pages = Paginator(filters.apply(rows).order_by("-deleted_at", "-id"), PAGE)
    page = pages.get_page(filters.page)
    return Listing(
        memories=list(page.object_list),
        total=pages.count,
        number=page.number,
        pages=pages.num_pages,
        filters=filters,
        facets=facets(rows, filters, people=reach.everyone),
        status=statuses(filters),
    )


def matching(reach: Reach, filters: Filters) -> MemoryQuerySet:
    """All that a list of the forgotten shows, on whichever page."""
    return filters.apply(_searched(reach, filters))


def _searched(reach: Reach, filters: Filters) -> MemoryQuerySet:
    """Before any facet narrows it."""
    rows = reach.forgotten()
    return rows.filter(occurs(filters.query)) if filters.query else rows
