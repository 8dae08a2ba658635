"""`/`: how much is remembered, what is new, and what was done lately."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ..access import Asked, signed_in
from ..lately import lately
from ..overview import overview
from ..reach import Reach


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    context = {"reach": reach, "now": now, "overview": overview(reach, now), "deeds": lately(reach)}
    return render(request, "dashboard/overview.html", context)
