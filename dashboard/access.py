"""What runs before every page: it finds the viewer, opens their transaction and time zone, and shows errors."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from dashboard.responses import wants_json
from dashboard.viewer import Viewer, get_viewer
from memory_app.errors import KeepsakeError, NotFound
from memory_app.models import User
from memory_app.nlp.text import without_invisible
from memory_app.postgres.availability import optional_write

P = ParamSpec("P")


class SignedInRequest(HttpRequest):
    """A request of someone who is signed in."""

    user: User
    htmx: HtmxDetails


PageView = Callable[Concatenate[SignedInRequest, Viewer, P], HttpResponseBase]
form_methods = require_http_methods(["GET", "HEAD", "POST"])
SignedInView = Callable[Concatenate[SignedInRequest, P], HttpResponseBase]


def with_viewer(view: PageView[P]) -> SignedInView[P]:
    """Calls the view with the viewer, in their transaction. Pages are for one reader, and never cached."""

    @wraps(view)
    def wrapper(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _redirect_to_login(request)
        record_activity(request, timezone.now())
        viewer = get_viewer(request.user)
        if viewer is None:
            response: HttpResponseBase = render(request, "dashboard/no_access.html", status=403)
        else:
            response = _answer(view, request, viewer, *args, **kwargs)
        response["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Cookie", "Accept", "HX-Request"])
        return response

    return wrapper


def get_view(view: PageView[P]) -> SignedInView[P]:
    """A page: GET and HEAD alone."""
    return require_safe(with_viewer(view))


def post_view(view: PageView[P]) -> SignedInView[P]:
    """What a button or form posts to: POST alone."""
    return require_POST(with_viewer(view))


def form_view(view: PageView[P]) -> SignedInView[P]:
    """A page that shows a form, and takes it."""
    return form_methods(with_viewer(view))


def requested_part(request: SignedInRequest, name: str, *, target: str = "") -> str:
    """`#name` where htmx asks for this part of the page alone; else nothing. target: the id of the element to fill,
    if that is another name."""
    return f"#{name}" if request.htmx.target == (target or name) else ""


def require_super_user(viewer: Viewer) -> None:
    """Raises NotFound for anyone else: for them, such pages do not exist."""
    if not viewer.is_super_user:
        raise NotFound


def _answer(
    view: PageView[P], request: SignedInRequest, viewer: Viewer, *args: P.args, **kwargs: P.kwargs
) -> HttpResponseBase:
    try:
        with timezone.override(viewer.zone), viewer.transaction():
            return view(request, viewer, *args, **kwargs)
    except KeepsakeError as error:
        if wants_json(request):
            problem = {"type": "about:blank", "title": error.title, "status": error.status, "detail": str(error)}
            return JsonResponse(problem, status=error.status, content_type="application/problem+json")
        if isinstance(error, NotFound):
            raise Http404(str(error)) from error
        return render(request, "dashboard/error.html", {"error": error}, status=error.status)


def _redirect_to_login(request: HttpRequest) -> HttpResponse:
    """To the sign-in page, and back afterwards. A request of htmx cannot follow a redirect, so the whole page goes."""
    details = HtmxDetails(request)
    if details:
        back = details.current_url_abs_path or "/"
        return HttpResponseClientRedirect(f"{settings.LOGIN_URL}?{urlencode({'next': back})}")
    back = request.get_full_path() if request.method == "GET" else "/"
    return HttpResponseRedirect(f"{settings.LOGIN_URL}?{urlencode({'next': back})}")


WRITE_INTERVAL = timedelta(minutes=1)
"""How often the activity of a session is written at most. allauth's own middleware would write for each request."""


def record_activity(request: HttpRequest, now: datetime) -> None:
    """Records when, from where and with which browser a session was last used."""
    sessions = UserSession.objects.filter(session_key=request.session.session_key)
    if sessions.filter(last_seen_at__lt=now - WRITE_INTERVAL).exists():
        with optional_write(), transaction.atomic():
            UserSession.objects.create_from_request(request)


class VisiblePagesMiddleware(MiddlewareMixin):
    """Takes out of each page, or part of one, the characters that nobody sees (`nlp/text.py`). What is stored stays as
    it was written."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
            page = response.content.decode(response.charset)
            response.content = without_invisible(page).encode(response.charset)
        return response
