"""What a line of the server's log may hold: where an error was raised and of what kind, never what it says.

Messages of errors repeat what was sent, rows of the database, or, from a template, all that the page was to show.
"""

import re
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from structlog.typing import EventDict, WrappedLogger

from memory_app.errors import KeepsakeError
from memory_app.postgres.away import is_away
from memory_app.serving.told_path import told_path

ADDRESS = re.compile(r": (/.*)$", re.DOTALL)
"""How Django ends what it says of a request, such as "Not Found: /memories/"."""

MOST_FRAMES = 30
"""Of each error, the innermost calls."""


def without_words(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    """A processor of structlog, for lines of its own and of the standard library: an error becomes its kind and its
    calls, and an address its template."""
    error = _error(line.pop("exc_info", None))
    line.pop("stack_info", None)
    if is_away(error):  # no fault of the code: where in it that was noticed says nothing, and would fill the log
        line["exception"] = f"the database is away ({type(error).__qualname__})"
    elif error is not None:
        line["exception"] = "\n".join(_told(error))
    if isinstance(line.get("request"), str):
        method, _, path = line["request"].partition(" ")
        line["request"] = f"{method} {told_path(path)}"
    if str(line.get("logger")).startswith("django."):
        line["event"] = ADDRESS.sub(lambda found: f": {told_path(found[1])}", str(line["event"]))
    return line


def _error(given: Any) -> BaseException | None:
    """What was raised, in each of the forms in which a logger is told."""
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        return given[1] if isinstance(given[1], BaseException) else None
    return sys.exc_info()[1] if given else None


def _told(error: BaseException) -> Iterator[str]:
    """The errors that led to one another, the first one first."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _told(before)
        yield "which led to"
    yield from _calls(error.__traceback__)
    yield f"{type(error).__qualname__}: {error}" if isinstance(error, KeepsakeError) else type(error).__qualname__


def _calls(raised: TracebackType | None) -> Iterator[str]:
    """Names and places of the calls. Their source would do no harm, but it is in the repository."""
    for frame in traceback.extract_tb(raised)[-MOST_FRAMES:]:
        yield f"  {frame.filename}:{frame.lineno} in {frame.name}"
