"""Told path: an address as a line of the server's log may name it: without the names and words that it holds."""

import re
from urllib.parse import unquote

from django.urls import Resolver404, resolve

SAYING_NOTHING = ("uuid", "uuidstr", "int")
"""Kinds of variables that are told as they stand."""

UNKNOWN = "an unknown address"
"""One that there is not may hold anything."""

VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")


def told_path(path: str) -> str:
    """Its template, with ids and numbers where they stand: `/api/v1/people/{person}/stats`."""
    try:
        match = resolve(unquote(path.partition("?")[0]))
    except Resolver404:
        return UNKNOWN

    def told(variable: re.Match[str]) -> str:
        kind, name = variable.groups()
        return str(match.kwargs[name]) if kind in SAYING_NOTHING else f"{{{name}}}"

    return f"/{VARIABLE.sub(told, match.route)}"
