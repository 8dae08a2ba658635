"""`/erasures/`: what was erased for good, and of each the receipt, which tells how far it is. For super users."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import wants_json
from dashboard.erasing import erasures
from dashboard.reach import Reach
from memory_app.api.erasures import shown_erasure
from memory_app.engine.erasing.proof import is_genuine, is_sought, remains
from memory_app.errors import NotFound
from memory_app.models import Erasure


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    only_super(reach)
    listing = erasures(request.GET.get("page"))
    if wants_json(request):
        items = [shown_erasure(erasure).model_dump(mode="json") for erasure in listing.rows]
        return JsonResponse(
            {"items": items, "total": listing.total, "page": listing.number, "pages": listing.pages,
             "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/erasures.html", {"reach": reach, "listing": listing})


@require_safe
@signed_in
def show_one(request: Asked, reach: Reach, erasure_id: UUID) -> HttpResponse:
    """The receipt. While something is still to happen that does not take long, the page asks again by itself."""
    only_super(reach)
    erasure = Erasure.objects.filter(id=erasure_id).first()
    if erasure is None:
        raise NotFound
    if wants_json(request):
        return JsonResponse(shown_erasure(erasure).model_dump(mode="json"))
    context = {"reach": reach, "erasure": erasure, "genuine": is_genuine(erasure), "remains": remains(erasure)}
    context["sought"] = is_sought(erasure)
    part = "#receipt" if request.htmx.target == "receipt" else ""
    return render(request, f"dashboard/erasure.html{part}", context)
