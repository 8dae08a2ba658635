"""What can go wrong. Each error says what the server said."""

from collections.abc import Mapping, Sequence
from typing import Any


class KeepsakeError(Exception):
    """Any error of this package."""


class ConnectionFailed(KeepsakeError):
    """The server was not reached, or did not answer in time, also when tried again."""


class ApiError(KeepsakeError):
    """The server refused, or failed. errors: of bad input, a list of {"field", "message"}. request_id: what the
    server's log calls the request."""

    def __init__(
        self, status: int, title: str, detail: str, errors: Sequence[Mapping[str, Any]] = (), request_id: str = ""
    ) -> None:
        super().__init__(f"{status} {title}: {detail}" if detail else f"{status} {title}")
        self.status = status
        self.title = title
        self.detail = detail
        self.errors = list(errors)
        self.request_id = request_id


class NotAuthenticated(ApiError):
    """No key, or one that is not valid."""


class NotAllowed(ApiError):
    """The key may not do this."""


class NotFound(ApiError):
    """Not there, or not yours to see: the two look alike."""


class Conflict(ApiError):
    """It cannot be done in the state things are in."""


class ChangedMeanwhile(ApiError):
    """What was to be changed is another version by now."""


class TooLarge(ApiError):
    """More than one request may carry."""


class Invalid(ApiError):
    """The input is not acceptable; `errors` says where."""


class TooManyRequests(ApiError):
    """More requests than this key may make, also after waiting."""


class ServerError(ApiError):
    """The server failed, or cannot work now."""


ERRORS: Mapping[int, type[ApiError]] = {
    401: NotAuthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    412: ChangedMeanwhile,
    413: TooLarge,
    422: Invalid,
    429: TooManyRequests,
}


def api_error(status: int, document: Any, request_id: str = "") -> ApiError:
    """The exception for a problem document, or for whatever else came with the status."""
    problem: Mapping[str, Any] = document if isinstance(document, Mapping) else {}
    kind = ERRORS.get(status, ServerError if status >= 500 else ApiError)
    errors = problem.get("errors")
    return kind(
        status,
        str(problem.get("title") or "Error"),
        str(problem.get("detail") or ""),
        errors if isinstance(errors, list) else (),
        request_id,
    )
