"""Errors as RFC 9457 problem documents: the same shape for bad input, a wrong key and a missing page."""

from http import HTTPStatus
from typing import Any

from django.db import IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError
from psycopg import errors as postgres

from memory_app.errors import Invalid, KeepsakeError, StillInFlight, Unavailable

CONTENT_TYPE = "application/problem+json"
COMPAT_PREFIX = "/compat/"
"""Of the paths that clients of other servers call."""

KEY_PREFIXES = ("/api/", "/mcp", COMPAT_PREFIX)
"""Of the paths that programs call with a key, and so without a session."""

API_PREFIXES = (*KEY_PREFIXES, "/oauth/register", "/oauth/token", "/oauth/revoke")
"""Of the paths that programs call, and no person: errors are documents there, and every request is logged."""

RETRY_SECONDS = 60

UNKNOWN_PATH = "There is no such path; /api/v1/docs lists all of them."
UNKNOWN_CLIENT_PATH = "There is nothing here that you may see; docs/compat.md lists the calls that are answered."

CONFLICT_DETAILS: dict[type[Exception], str] = {
    postgres.ForeignKeyViolation: "Whom or what this is about was erased meanwhile.",
    postgres.DeadlockDetected: "Others were changing the same.",
}


def with_type_for(path: str, response: HttpResponse) -> HttpResponse:
    """A problem document as whoever calls this path reads one: clients of other servers know plain JSON alone."""
    if path.startswith(COMPAT_PREFIX) and response.get("Content-Type") == CONTENT_TYPE:
        response["Content-Type"] = "application/json"
    return response


def problem(status: int, detail: str, *, title: str = "", errors: list[dict[str, str]] | None = None) -> JsonResponse:
    """A problem document. `detail` says what to do; `errors` lists {field, message} for bad input."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors is not None:
        document["errors"] = errors
    return JsonResponse(document, status=status, content_type=CONTENT_TYPE)


def install_error_handlers(api: NinjaAPI) -> None:
    """Makes every error that the API raises a problem document."""
    api.exception_handler(KeepsakeError)(_on_keepsake_error)
    api.exception_handler(ValidationError)(_on_validation_error)
    api.exception_handler(AuthenticationError)(_on_authentication_error)
    api.exception_handler(Throttled)(_on_throttled)
    api.exception_handler(HttpError)(_on_http_error)
    api.exception_handler(IntegrityError)(_on_database_error)
    api.exception_handler(OperationalError)(_on_database_error)
    api.exception_handler(Http404)(lambda request, error: problem(404, "There is nothing here that you may see."))


def _on_keepsake_error(request: HttpRequest, error: KeepsakeError) -> HttpResponse:
    errors = [{"field": error.field, "message": str(error)}] if isinstance(error, Invalid) else None
    response = problem(error.status, str(error), title=error.title, errors=errors)
    if isinstance(error, Unavailable):
        response["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(error, StillInFlight):
        response["Retry-After"] = str(error.RETRY_SECONDS)
    return response


def _on_database_error(request: HttpRequest, error: Exception) -> HttpResponse:
    """Someone was erased while this was about them, or two changed the same in each other's way: neither is a fault of
    ours, and the database has taken all of it back. Any other error of the database is."""
    detail = conflict_detail(error)
    if detail is None:
        raise error
    return problem(409, detail)


def conflict_detail(error: Exception) -> str | None:
    """What to say of an error of the database that is a conflict with what others do; None of any other."""
    detail = next((message for kind, message in CONFLICT_DETAILS.items() if isinstance(error.__cause__, kind)), None)
    return detail and f"{detail} Nothing was changed by this request; send it again."


def _on_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [{"field": _field_name(item["loc"]), "message": _message(item)} for item in error.errors]
    detail = "; ".join(f"{item['field']}: {item['message']}" if item["field"] else item["message"] for item in errors)
    return problem(422, detail[:1000], title="Bad input", errors=errors)


def _field_name(location: tuple[str | int, ...]) -> str:
    """`("body", "payload", "venue", "space")` is `venue.space` to the caller, `("query", "limit")` is `limit`."""
    prefix_length = 2 if location[0] == "body" else 1
    return ".".join(str(part) for part in location[prefix_length:])


def _message(item: dict[str, Any]) -> str:
    return str(item["msg"]).removeprefix("Value error, ")


def _on_authentication_error(request: HttpRequest, error: Exception) -> HttpResponse:
    return no_key()


def no_key(*parameters: str) -> HttpResponse:
    """The answer to who shows no key, or none that is valid. parameters: more of the challenge, as `name="value"`."""
    response = problem(401, "Send a valid key: `Authorization: Bearer KEY`.", title="No or unknown key")
    response["WWW-Authenticate"] = "Bearer " + ", ".join(['realm="keepsake"', *parameters])
    return response


def _on_throttled(request: HttpRequest, error: Throttled) -> HttpResponse:
    return too_many_requests(error.wait)


def too_many_requests(seconds: int | None) -> HttpResponse:
    wait = seconds or RETRY_SECONDS
    response = problem(429, f"Too many requests; try again in {wait} s.")
    response["Retry-After"] = str(wait)
    return response


def _on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    # ninja answers 400 to a body that is no JSON; bad input is 422 throughout this API.
    status = 422 if error.status_code == HTTPStatus.BAD_REQUEST else error.status_code
    errors = [{"field": "", "message": str(error)}] if status == HTTPStatus.UNPROCESSABLE_ENTITY else None
    return problem(status, str(error), errors=errors)


class ProblemMiddleware(MiddlewareMixin):
    """Turns what Django itself refuses below the API (unknown path, wrong method, crash) into problem documents."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not request.path.startswith(API_PREFIXES) or response.status_code < HTTPStatus.BAD_REQUEST:
            return response
        if response.get("Content-Type", "").startswith((CONTENT_TYPE, "application/json")):
            return with_type_for(request.path, response)
        return with_type_for(request.path, self._as_problem(request, response))

    def _as_problem(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        detail = {
            404: UNKNOWN_CLIENT_PATH if request.path.startswith(COMPAT_PREFIX) else UNKNOWN_PATH,
            405: f"{request.method} is not possible here; allowed: {response.get('Allow', '')}.",
            500: "Something failed on our side; nothing was changed by this request.",
        }
        answer = problem(response.status_code, detail.get(response.status_code, response.reason_phrase))
        for header in ("Allow", "Retry-After", "WWW-Authenticate"):
            if header in response:
                answer[header] = response[header]
        return answer
