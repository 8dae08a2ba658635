"""`/logs/`: tier 3, who did what and when, with the trail of one memory or one request. For super users."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import wants_json
from dashboard.logged import Logged, logged
from dashboard.reach import Reach
from memory_app.api.admin import shown_operation


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    only_super(reach)
    listing = logged(request.path, request.GET, timezone.now())
    if wants_json(request):
        return JsonResponse(_as_json(listing))
    part = "#results" if request.htmx.target == "results" else ""
    return render(request, f"dashboard/logs.html{part}", {"reach": reach, "listing": listing})


def _as_json(listing: Logged) -> dict[str, object]:
    return {
        "items": [shown_operation(row, listing.names).model_dump(mode="json") for row in listing.rows],
        "total": listing.total,
        "page": listing.number,
        "pages": listing.pages,
        "next": listing.older or None,
        "facets": {facet.name: {option.value: option.count for option in facet.options} for facet in listing.facets},
    }
