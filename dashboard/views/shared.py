"""`/shared/`: what everyone says in the spaces one belongs to. To be read: each is changed by whose it is."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import wants_json
from dashboard.listing import memory_json
from dashboard.reach import Reach
from dashboard.shared import shared


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    listing = shared(reach, request.GET, now)
    if wants_json(request):
        items = [memory_json(row.memory, now, masked=row.memory.sensitive) for row in listing.rows]
        return JsonResponse(
            {"items": items, "total": listing.total, "page": listing.number, "pages": listing.pages,
             "next": listing.older or None, "spaces": listing.spaces}
        )  # fmt: skip
    return render(request, "dashboard/shared.html", {"reach": reach, "listing": listing})
