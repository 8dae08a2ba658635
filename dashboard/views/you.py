"""`/account/`: who is signed in, how they sign in, and how the pages look to them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from ..access import Asked, signed_in
from ..answer import back
from ..reach import Reach
from ..sessions import sessions

LOOKS = {"theme": ("system", "light", "dark"), "shortcuts": ("on", "off")}
"""Cookies of a browser, the first value being what holds without one."""

KEPT_FOR = 365 * 24 * 60 * 60


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    return render(request, "dashboard/you.html", {"reach": reach, "sessions": sessions(request)})


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
