"""What a request body may be: how large, how deep, and which JSON."""

import json
import re
from math import isfinite
from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from ninja.errors import HttpError
from ninja.parser import Parser
from ninja.types import DictStrAny

from .problems import PREFIX, problem

KIB = 1024
BODY_LIMIT = 640 * KIB
BATCH_LIMIT = 8 * KIB * KIB
"""Bytes. The longest content in any script, each character of it escaped; and enough for a thousand memories, or five
hundred turns."""

BATCHES = re.compile(r"/(memories/batch|conversations/[^/]+/turns)$")


class BodyLimitMiddleware(MiddlewareMixin):
    """Answers 413 to a body larger than its path takes, before anything reads it as JSON."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not request.path.startswith(PREFIX):
            return None
        limit = BATCH_LIMIT if BATCHES.search(request.path) else BODY_LIMIT
        length = request.headers.get("Content-Length", "")
        size = int(length) if length.isdigit() else len(request.body)
        if size <= limit:
            return None
        return problem(413, f"This body is larger than {limit // KIB} KiB; send it in parts.", title="Too large")


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
