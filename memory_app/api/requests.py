"""Checks of a request before its route runs: size and form of the body, query parameters, HEAD, and If-Match."""

import json
import re
from collections.abc import Callable
from functools import wraps
from math import isfinite
from typing import Any, NoReturn

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls.converters import StringConverter
from django.utils.deprecation import MiddlewareMixin
from ninja.errors import HttpError
from ninja.parser import Parser
from ninja.types import DictStrAny

from memory_app.api.problems import API_PREFIXES, problem
from memory_app.errors import Invalid

KIB = 1024
BODY_LIMIT = 640 * KIB
BATCH_LIMIT = 8 * KIB * KIB
"""Bytes. The longest content in any script, each character of it escaped; and enough for a thousand memories, or five
hundred turns."""

KEY_HEADER = "X-API-Key"
"""In which some clients of other servers show their key."""

ANONYMOUS_LIMIT = 64 * KIB
"""For whoever shows neither a key nor a session: a password and its form token are a few hundred bytes."""

BATCH_PATHS = re.compile(
    r"/((memories|items)/batch|documents(/[^/]+)?|conversations/[^/]+/turns|compat/mem0/v1/batch/|banks/[^/]+/memories)$"
)


def is_anonymous(authorization: str, cookie: str) -> bool:
    """authorization: the header of that name, or the one that holds a key alone.

    Whether a request shows neither a key nor a session. Whether one that is shown is genuine is seen later."""
    return not authorization and f"{settings.SESSION_COOKIE_NAME}=" not in cookie


def body_limit(path: str, *, anonymous: bool) -> int:
    """How many bytes a request to this path may send.

    A page takes as much as Django does (`DATA_UPLOAD_MAX_MEMORY_SIZE`): people paste and upload whole profiles there.
    """
    if anonymous:
        return ANONYMOUS_LIMIT
    if not path.startswith(API_PREFIXES):
        return BATCH_LIMIT
    return BATCH_LIMIT if BATCH_PATHS.search(path) else BODY_LIMIT


class BodyLimitMiddleware(MiddlewareMixin):
    """Answers 413 to a body larger than its path takes, before anything reads it."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        shown = request.headers.get("Authorization") or request.headers.get(KEY_HEADER, "")
        anonymous = is_anonymous(shown, request.headers.get("Cookie", ""))
        limit = body_limit(request.path, anonymous=anonymous)
        length = request.headers.get("Content-Length", "")
        size = int(length) if length.isdigit() else 0  # the server puts chunks together, and says how long they are
        if size <= limit:
            return None
        message = f"This body is larger than {limit // KIB} KiB; send it in parts, and text as UTF-8, unescaped."
        if request.path.startswith(API_PREFIXES):
            return problem(413, message, title="Too large")
        return HttpResponse(message, status=413, content_type="text/plain")


class StrictParser(Parser):
    """JSON of RFC 8259: no NaN, no Infinity, an object at the top, and no deeper than Python's own limit."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        try:
            parsed = json.loads(request.body, parse_constant=refuse_constant)
        except RecursionError:
            raise HttpError(422, "This JSON is nested too deeply.") from None
        except ValueError as error:
            raise HttpError(422, f"This is not JSON: {error}") from None
        if not isinstance(parsed, dict):
            raise HttpError(422, "Send a JSON object.")
        return parsed


def refuse_constant(constant: str) -> NoReturn:
    """For `json.loads`: NaN and Infinity are no JSON."""
    raise ValueError(f"{constant} is no JSON number")


def storable_json(value: Any, depth: int = 8) -> Any:
    """A JSON value that the database can hold. Raises ValueError for what it cannot, or for too deep a nesting."""
    if isinstance(value, dict | list) and depth == 0:
        raise ValueError("is nested too deeply")
    if isinstance(value, dict):
        return {storable_json(key): storable_json(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [storable_json(item, depth - 1) for item in value]
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not isfinite(value):  # 1e999 is JSON, and more than a float can be
        raise ValueError("holds a number that is too large")
    return value


def replace_unstorable(text: str) -> str:
    """The text with U+FFFD in place of what is not `storable`: for telling of bad input in an answer that is stored."""
    return "".join("\ufffd" if _unstorable(character) else character for character in text)


def storable(text: str) -> str:
    """The text. PostgreSQL stores no NUL, and a lone surrogate is no character: ValueError for both."""
    if "\x00" in text:
        raise ValueError("must not contain the character NUL (\\u0000)")
    if any(map(_unstorable, text)):
        raise ValueError("must not contain half of a surrogate pair")
    return text


def _unstorable(character: str) -> bool:
    return character == "\x00" or "\ud800" <= character <= "\udfff"


class HeadMiddleware(MiddlewareMixin):
    """Has a HEAD request answered as a GET, for Ninja knows the methods it was told; then takes the body away."""

    def process_request(self, request: HttpRequest) -> None:
        if request.method == "HEAD" and request.path.startswith(API_PREFIXES):
            request.method = "GET"
            request.is_head_request = True  # type: ignore[attr-defined]

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not getattr(request, "is_head_request", False):
            return response
        if response.streaming:
            response.streaming_content = iter(())  # type: ignore[attr-defined]
            return response
        length = len(response.content)  # type: ignore[attr-defined]
        response.content = b""  # type: ignore[attr-defined]
        response["Content-Length"] = str(length)
        return response


MAX_NAME_SHOWN = 100

VIEWER_PARAMETERS = frozenset({"person", "space"})
"""Many reads take these, so a client may send them with each; where an id says it all, they change nothing."""


def known_parameters_only(view: Callable[..., Any]) -> Callable[..., Any]:
    """For every operation of the API: answers 422 to a parameter in the URL that it does not know."""
    known = _query_parameters(view)

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        accepted = known if request.method == "POST" else known | VIEWER_PARAMETERS
        unknown = next((name for name in request.GET if name not in accepted), None)
        if unknown is not None:
            raise Invalid(replace_unstorable(unknown)[:MAX_NAME_SHOWN], _unknown_parameter_message(known))
        return view(request, *args, **kwargs)

    return checked


def _query_parameters(view: Callable[..., Any]) -> frozenset[str]:
    """What an operation takes in its URL, as Ninja read it from the view."""
    models = view._ninja_operation.models  # type: ignore[attr-defined]
    accepted = [model for model in models if model.__ninja_param_source__ == "query"]
    return frozenset(name for model in accepted for name in model.__ninja_flatten_map__)


def _unknown_parameter_message(known: frozenset[str]) -> str:
    if not known:
        return "This path takes no query parameters."
    return f"There is no such query parameter here; these are: {', '.join(sorted(known))}."


class AnyTextConverter(StringConverter):
    regex = "(?s:.+)"


VERSION_NUMBER = re.compile(r"[0-9]{1,18}")


def expected_version(request: HttpRequest) -> int | None:
    """None where any will do. Raises Invalid."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    number = header.strip().removeprefix("W/").strip('"')
    if not VERSION_NUMBER.fullmatch(number):
        raise Invalid("If-Match", 'If-Match holds the version last seen, in quotes: "3".')
    return int(number)
