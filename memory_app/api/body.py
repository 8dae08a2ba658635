"""What a request body may be: how large, how deep, and which JSON."""

import json
import re
from math import isfinite
from typing import Any, NoReturn

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from ninja.errors import HttpError
from ninja.parser import Parser
from ninja.types import DictStrAny

from memory_app.api.problems import PREFIX, problem

KIB = 1024
BODY_LIMIT = 640 * KIB
BATCH_LIMIT = 8 * KIB * KIB
"""Bytes. The longest content in any script, each character of it escaped; and enough for a thousand memories, or five
hundred turns."""

STRANGER_LIMIT = 64 * KIB
"""For whoever shows neither a key nor a session: a password and its form token are a few hundred bytes."""

BATCHES = re.compile(r"/(memories/batch|conversations/[^/]+/turns)$")


def is_stranger(authorization: str, cookie: str) -> bool:
    """Whether a request shows neither a key nor a session. Whether one that is shown is genuine is seen later."""
    return not authorization and f"{settings.SESSION_COOKIE_NAME}=" not in cookie


def body_limit(path: str, *, stranger: bool) -> int:
    """How many bytes a request to this path may send.

    A page takes as much as Django does (`DATA_UPLOAD_MAX_MEMORY_SIZE`): people paste and upload whole profiles there.
    """
    if stranger:
        return STRANGER_LIMIT
    if not path.startswith(PREFIX):
        return BATCH_LIMIT
    return BATCH_LIMIT if BATCHES.search(path) else BODY_LIMIT


class BodyLimitMiddleware(MiddlewareMixin):
    """Answers 413 to a body larger than its path takes, before anything reads it."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        stranger = is_stranger(request.headers.get("Authorization", ""), request.headers.get("Cookie", ""))
        limit = body_limit(request.path, stranger=stranger)
        length = request.headers.get("Content-Length", "")
        size = int(length) if length.isdigit() else 0  # the server puts chunks together, and says how long they are
        if size <= limit:
            return None
        told = f"This body is larger than {limit // KIB} KiB; send it in parts."
        if request.path.startswith(PREFIX):
            return problem(413, told, title="Too large")
        return HttpResponse(told, status=413, content_type="text/plain")


class StrictParser(Parser):
    """JSON of RFC 8259: no NaN, no Infinity, an object at the top, and no deeper than Python's own limit."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        try:
            parsed = json.loads(request.body, parse_constant=_refuse)
        except RecursionError:
            raise HttpError(422, "This JSON is nested too deeply.") from None
        except ValueError as error:
            raise HttpError(422, f"This is not JSON: {error}") from None
        if not isinstance(parsed, dict):
            raise HttpError(422, "Send a JSON object.")
        return parsed


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def plain(value: Any, depth: int = 8) -> Any:
    """A JSON value that the database can hold. Raises ValueError for what it cannot, or for too deep a nesting."""
    if isinstance(value, dict | list) and depth == 0:
        raise ValueError("is nested too deeply")
    if isinstance(value, dict):
        return {plain(key): plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item, depth - 1) for item in value]
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not isfinite(value):  # 1e999 is JSON, and more than a float can be
        raise ValueError("holds a number that is too large")
    return value


def replaced(text: str) -> str:
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
