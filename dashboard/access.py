"""The gate of every page: who is signed in, what they reach, in whose time zone, and how refusals look."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from dashboard.answer import wants_json
from dashboard.reach import Reach, reach_of
from dashboard.seen import note_seen
from memory_app.errors import KeepsakeError, NotFound
from memory_app.models import User

P = ParamSpec("P")


class Asked(HttpRequest):
    """A request of someone who is signed in."""

    user: User
    htmx: HtmxDetails


View = Callable[Concatenate[Asked, Reach, P], HttpResponseBase]
Gated = Callable[Concatenate[Asked, P], HttpResponseBase]


def signed_in(view: View[P]) -> Gated[P]:
    """Calls the view with the user's reach, in one transaction of it. Pages are for one reader, and never stored."""

    @wraps(view)
    def gate(request: Asked, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _to_sign_in(request)
        note_seen(request, timezone.now())
        reach = reach_of(request.user)
        if reach is None:
            response: HttpResponseBase = render(request, "dashboard/no_person.html", status=403)
        else:
            response = _shown(view, request, reach, *args, **kwargs)
        response["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Cookie", "Accept", "HX-Request"])
        return response

    return gate


def only_super(reach: Reach) -> None:
    """Raises NotFound for who is no super user: such pages are not there for others."""
    if not reach.everyone:
        raise NotFound


def _shown(view: View[P], request: Asked, reach: Reach, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
    try:
        with timezone.override(reach.zone), reach.open():
            return view(request, reach, *args, **kwargs)
    except KeepsakeError as error:
        if wants_json(request):
            told = {"type": "about:blank", "title": error.title, "status": error.status, "detail": str(error)}
            return JsonResponse(told, status=error.status, content_type="application/problem+json")
        if isinstance(error, NotFound):
            raise Http404(str(error)) from error
        return render(request, "dashboard/problem.html", {"error": error}, status=error.status)


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """To the sign-in page, and back afterwards. A swap cannot follow a redirect, so its whole page goes there."""
    details = HtmxDetails(request)
    if details:
        back = details.current_url_abs_path or "/"
        return HttpResponseClientRedirect(f"{settings.LOGIN_URL}?{urlencode({'next': back})}")
    back = request.get_full_path() if request.method == "GET" else "/"
    return HttpResponseRedirect(f"{settings.LOGIN_URL}?{urlencode({'next': back})}")
