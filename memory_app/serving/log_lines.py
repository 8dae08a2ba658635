"""What a line of the server's log may hold: where an error was raised and of what kind, never what it says.

Messages of errors repeat what was sent, rows of the database, or, from a template, all that the page was to show.

Told path: an address as a line of the server's log may name it: without the names and words that it holds.
"""

import re
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any
from urllib.parse import unquote

from django.urls import Resolver404, resolve
from structlog.typing import EventDict, WrappedLogger

from memory_app.errors import KeepsakeError
from memory_app.postgres.availability import is_unavailable

ADDRESS_AT_END = re.compile(r": (/.*)$", re.DOTALL)
"""How Django ends what it says of a request, such as "Not Found: /memories/"."""

MAX_FRAMES = 30
"""Of each error, the innermost calls."""


def remove_private_text(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    """A processor of structlog, for lines of its own and of the standard library: an error becomes its kind and its
    calls, and an address its template."""
    error = _raised_error(line.pop("exc_info", None))
    line.pop("stack_info", None)
    if is_unavailable(error):  # no fault of the code: where in it that was noticed says nothing, and would fill the log
        line["exception"] = f"the database is away ({type(error).__qualname__})"
    elif error is not None:
        line["exception"] = "\n".join(_error_chain(error))
    if isinstance(line.get("request"), str):
        method, _, path = line["request"].partition(" ")
        line["request"] = f"{method} {path_template(path)}"
    if str(line.get("logger")).startswith("django."):
        line["event"] = ADDRESS_AT_END.sub(lambda found: f": {path_template(found[1])}", str(line["event"]))
    return line


def _raised_error(value: Any) -> BaseException | None:
    """What was raised, in each of the forms in which a logger is told."""
    if isinstance(value, BaseException):
        return value
    if isinstance(value, tuple):
        return value[1] if isinstance(value[1], BaseException) else None
    return sys.exc_info()[1] if value else None


def _error_chain(error: BaseException) -> Iterator[str]:
    """The errors that led to one another, the first one first."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _error_chain(before)
        yield "which led to"
    yield from _call_places(error.__traceback__)
    yield f"{type(error).__qualname__}: {error}" if isinstance(error, KeepsakeError) else type(error).__qualname__


def _call_places(raised: TracebackType | None) -> Iterator[str]:
    """Names and places of the calls. Their source would do no harm, but it is in the repository."""
    for frame in traceback.extract_tb(raised)[-MAX_FRAMES:]:
        yield f"  {frame.filename}:{frame.lineno} in {frame.name}"


SAFE_CONVERTERS = ("uuid", "uuidstr", "int")
"""Kinds of variables that are told as they stand."""

UNKNOWN_ADDRESS = "an unknown address"
"""One that there is not may hold anything."""

VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")


def path_template(path: str) -> str:
    """Its template, with ids and numbers where they stand: `/api/v1/people/{person}/stats`."""
    try:
        match = resolve(unquote(path.partition("?")[0]))
    except Resolver404:
        return UNKNOWN_ADDRESS

    def replacement(variable: re.Match[str]) -> str:
        kind, name = variable.groups()
        return str(match.kwargs[name]) if kind in SAFE_CONVERTERS else f"{{{name}}}"

    return f"/{VARIABLE.sub(replacement, match.route)}"
