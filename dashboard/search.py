"""`/search/`: search as a person's assistant would, and see what is found, why, and the brief it would get."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view
from dashboard.responses import wants_json
from dashboard.search_parameters import KIND_LABELS, METHOD_LABELS, RERANK_LABELS, SearchParameters
from dashboard.search_results import as_json, search
from dashboard.viewer import Viewer
from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS, VISIBILITY_LABELS
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import NotFound
from memory_app.models import Person

MAX_NAMES_OFFERED = 500
"""People whom the box of a super user suggests; any other name may be typed."""


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now, parameters = timezone.now(), SearchParameters.read(request.GET)
    venue_context = _searched_person(viewer, parameters)
    page = None
    if venue_context and parameters.query:
        address = f"{request.scheme}://{request.get_host()}"
        page = search(viewer, venue_context, parameters, address, now, current_encoder())
    if wants_json(request):
        return JsonResponse(as_json(parameters, page, now))
    context = {
        "viewer": viewer,
        "now": now,
        "parameters": parameters,
        "venue_context": venue_context,
        "page": page,
        "kinds": KIND_LABELS,
        "methods": METHOD_LABELS,
        "reranks": RERANK_LABELS,
        "types": TYPE_LABELS,
        "categories": CATEGORY_LABELS,
        "visibilities": VISIBILITY_LABELS,
        "people": Person.objects.order_by("name")[:MAX_NAMES_OFFERED] if viewer.is_super_user else [],
    }
    return render(request, "dashboard/search.html", context)


def _searched_person(viewer: Viewer, parameters: SearchParameters) -> VenueContext | None:
    """Whose memory is searched: the viewer's; for a super user, anyone's by name. None where nobody has that name."""
    if not viewer.is_super_user or not parameters.person:
        return viewer.venue_context
    try:
        return resolve_venue(person=parameters.person, create=False)
    except NotFound:
        return None
