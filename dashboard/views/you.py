"""`/account/`: who is signed in, how they sign in, and how the pages look to them."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, wants_json
from dashboard.reach import Reach
from dashboard.sessions import session_json, sessions

LOOKS = {"theme": ("system", "light", "dark"), "shortcuts": ("on", "off")}
"""Cookies of a browser, the first value being what holds without one."""

KEPT_FOR = 365 * 24 * 60 * 60


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    signed = sessions(request)
    if wants_json(request):
        person = reach.person.name if reach.person else None
        told = {"name": request.user.get_username(), "person": person, "super": reach.everyone}
        return JsonResponse({**told, "sessions": [session_json(one) for one in signed]})
    return render(request, "dashboard/you.html", {"reach": reach, "sessions": signed})


@require_POST
def change_look(request: HttpRequest) -> HttpResponse:
    """Remembers light or dark, and whether there are shortcuts, in this browser. Works on the sign-in page too."""
    answer = back(request, reverse("overview"))
    for name, values in LOOKS.items():
        value = request.POST.get(name)
        if value == values[0]:
            answer.delete_cookie(name, samesite="Strict")
        elif value in values:
            answer.set_cookie(
                name, value, max_age=KEPT_FOR, samesite="Strict", httponly=True, secure=request.is_secure()
            )
    return answer
