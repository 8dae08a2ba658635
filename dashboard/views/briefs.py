"""`/briefs/`: what assistants were told, brief by brief."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import wants_json
from dashboard.briefs import as_json, list_briefs
from dashboard.reach import Reach


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    listing = list_briefs(reach, request.GET.get("page"))
    if wants_json(request):
        return JsonResponse(as_json(listing))
    return render(request, "dashboard/briefs.html", {"reach": reach, "listing": listing})
