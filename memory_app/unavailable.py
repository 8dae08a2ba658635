"""While the database is away, every request is answered 503: it may be sent again soon, and nothing of it was saved."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import server_error as default_server_error

from memory_app.api.problems import API_PREFIXES, problem
from memory_app.postgres.availability import RETRY_SECONDS, disk_is_full, is_unavailable

DATABASE_UNAVAILABLE = (
    f"The database is away. Send it again in {RETRY_SECONDS} seconds; with an Idempotency-Key nothing is saved twice."
)
DISK_FULL = "The disk of the database is full, so nothing new can be saved. Free some space, then send it again."
JSON = "application/json"


class UnavailableMiddleware(MiddlewareMixin):
    """Answers for views. The last in the list, so that nobody else logs the error with its stack."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not is_unavailable(error):
            return None
        response = unavailable_response(request, error)
        # The line of `request_finished` tells it; Django's own would be a second one for the same.
        vars(response)["_has_been_logged"] = True
        return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's `handler500`, which is also asked for errors in middleware, such as reading the session."""
    error = sys.exc_info()[1]
    return unavailable_response(request, error) if is_unavailable(error) else default_server_error(request)


def unavailable_response(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """A problem document, or a page that needs no database. Either says when to come back."""
    message = DISK_FULL if disk_is_full(error) else DATABASE_UNAVAILABLE
    if request.path.startswith(API_PREFIXES) or JSON in request.headers.get("Accept", ""):
        response: HttpResponse = problem(503, message)
    else:
        context = {"full": disk_is_full(error), "seconds": RETRY_SECONDS}
        response = render(request, "503.html", context, status=503, using="django")
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response
