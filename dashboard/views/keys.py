"""`/keys/`: what assistants call with. Made, rotated and revoked by super users who give their password again."""

from datetime import timedelta
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import say, wants_json, warn
from dashboard.key_forms import OVERLAPS, KeyForm, as_json, listed
from dashboard.password import refusal
from dashboard.reach import Reach
from memory_app.engine.keys import Issued, create_key, revoke_key, rotate_key
from memory_app.errors import Invalid


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    only_super(reach)
    if wants_json(request):
        return JsonResponse({"items": as_json(listed(timezone.now()))})
    return _page(request, reach, KeyForm())


@require_POST
@signed_in
def create(request: Asked, reach: Reach) -> HttpResponse:
    """Answers the page with the new key on it: it is stored nowhere, so not to be fetched again."""
    only_super(reach)
    form, now = KeyForm(request.POST), timezone.now()
    if not form.is_valid():
        return _page(request, reach, form)
    if refused := refusal(request.user, form.cleaned_data["password"]):
        form.add_error("password", refused)
        return _page(request, reach, form)
    asked = {name: form.cleaned_data[name] for name in ("name", "scopes", "spaces", "people")}
    try:
        issued = create_key(**asked, expires_at=form.expires_at(now), author=reach.author(), now=now)
    except Invalid as error:
        form.add_error(None, str(error))
        return _page(request, reach, form)
    return _page(request, reach, KeyForm(), issued)


@require_POST
@signed_in
def rotate(request: Asked, reach: Reach, key_id: UUID) -> HttpResponse:
    only_super(reach)
    if refused := refusal(request.user, request.POST.get("password", "")):
        warn(request, refused)
        return redirect("keys")
    hours = request.POST.get("overlap", "")
    overlap = timedelta(hours=int(hours if hours in OVERLAPS else "24"))
    try:
        issued = rotate_key(key=key_id, overlap=overlap, author=reach.author(), now=timezone.now())
    except Invalid as error:
        warn(request, str(error))
        return redirect("keys")
    return _page(request, reach, KeyForm(), issued)


@require_POST
@signed_in
def revoke(request: Asked, reach: Reach, key_id: UUID) -> HttpResponse:
    only_super(reach)
    if refused := refusal(request.user, request.POST.get("password", "")):
        warn(request, refused)
        return redirect("keys")
    try:
        key = revoke_key(key=key_id, author=reach.author(), now=timezone.now())
        say(request, f"Revoked. “{key.name}” opens nothing any more.")
    except Invalid as error:
        warn(request, str(error))
    return redirect("keys")


def _page(request: Asked, reach: Reach, form: KeyForm, issued: Issued | None = None) -> HttpResponse:
    context = {
        "reach": reach,
        "form": form,
        "issued": issued,
        "keys": listed(timezone.now()),
        "overlaps": OVERLAPS,
        "address": f"{request.scheme}://{request.get_host()}",
    }
    return render(request, "dashboard/keys.html", context, status=422 if form.is_bound else 200)
