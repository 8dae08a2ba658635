"""The list of tier 2: what was forgotten, the latest first, searched by the words it holds."""

from django.core.paginator import Paginator
from django.http import QueryDict

from .facets import facets, statuses
from .filters import Filters
from .found import occurs
from .listing import PAGE, Listing
from .reach import Reach


def list_forgotten(reach: Reach, path: str, url: QueryDict) -> Listing:
    """The page of the forgotten that the URL asks for."""
    filters = Filters.read(path, url)
    rows = reach.forgotten()
    if filters.query:
        rows = rows.filter(occurs(filters.query))
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
