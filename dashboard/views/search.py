"""`/search/`: ask as a person's assistant would, and see what is found, why, and what the assistant would be told."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import wants_json
from dashboard.asking import KINDS, METHODS, RERANKS, Inquiry, answer, as_json
from dashboard.reach import Reach
from dashboard.words import CATEGORIES, TYPES, VISIBILITIES
from memory_app.embedding.encoder import current
from memory_app.engine.enter import Entered, enter
from memory_app.errors import NotFound
from memory_app.models import Person

NAMES_OFFERED = 500
"""People whom the box of a super user suggests; any other name may be typed."""


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now, inquiry = timezone.now(), Inquiry.read(request.GET)
    entered = _whose(reach, inquiry)
    told = None
    if entered and inquiry.query:
        address = f"{request.scheme}://{request.get_host()}"
        told = answer(reach, entered, inquiry, address, now, current())
    if wants_json(request):
        return JsonResponse(as_json(inquiry, told, now))
    context = {
        "reach": reach,
        "now": now,
        "inquiry": inquiry,
        "entered": entered,
        "answer": told,
        "kinds": KINDS,
        "methods": METHODS,
        "reranks": RERANKS,
        "types": TYPES,
        "categories": CATEGORIES,
        "visibilities": VISIBILITIES,
        "people": Person.objects.order_by("name")[:NAMES_OFFERED] if reach.everyone else [],
    }
    return render(request, "dashboard/search.html", context)


def _whose(reach: Reach, inquiry: Inquiry) -> Entered | None:
    """Of whom is asked: oneself; for a super user, whoever is named. None where nobody is, or is not known."""
    if not reach.everyone or not inquiry.person:
        return reach.entered
    try:
        return enter(person=inquiry.person, create=False)
    except NotFound:
        return None
