"""Every address that is served, from the URL configuration: what a test does to all, it does to a new one too."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

API = "api/v1/"
COMPAT = "compat/"
SIGN_IN = ("oauth/register", "oauth/token", "oauth/revoke")
"""What assistants call that have no key yet, and want a token in its place."""

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class Address:
    """A path with its parameters still in it, such as `memories/<uuid:memory_id>/`, and where its view is written."""

    route: str
    module: str = ""

    @property
    def is_api(self) -> bool:
        return self.route.startswith(API)

    @property
    def is_compat(self) -> bool:
        """Whether clients of other servers call it."""
        return self.route.startswith(COMPAT)

    @property
    def takes_keys(self) -> bool:
        """Whether it is for programs, which show a key, and no browser."""
        return self.is_api or self.is_compat or self.route.startswith("mcp")

    @property
    def takes_no_form(self) -> bool:
        """Whether what is sent there comes from a program, which brings neither a cookie nor the token of a form."""
        return self.takes_keys or self.route in SIGN_IN

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(PARAMETER.findall(self.route))

    def path(self, values: Mapping[str, Any]) -> str:
        return "/" + PARAMETER.sub(lambda found: str(values[found.group(1)]), self.route)


@cache
def addresses() -> tuple[Address, ...]:
    """All of them, each once whatever verbs it takes. Static files are not among them: a middleware serves these."""
    return tuple({address.route: address for address in _served(get_resolver().url_patterns, "")}.values())


def _served(patterns: list[Any], before: str) -> Iterator[Address]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _served(pattern.url_patterns, f"{before}{pattern.pattern}")
        elif isinstance(pattern, URLPattern):
            yield Address(f"{before}{pattern.pattern}", getattr(pattern.callback, "__module__", ""))
