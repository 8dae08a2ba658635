"""`/`: how much is remembered, what is new, and what was done lately."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import wants_json
from dashboard.lately import lately
from dashboard.overview import overview, overview_json
from dashboard.reach import Reach


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    shown = overview(reach, now)
    if wants_json(request):
        return JsonResponse(overview_json(shown, now))
    context = {"reach": reach, "now": now, "overview": shown, "deeds": lately(reach)}
    return render(request, "dashboard/overview.html", context)
