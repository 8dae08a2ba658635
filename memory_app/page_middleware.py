"""What stands before pages, and not before calls with a key."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string

from memory_app.api.problems import KEY_PREFIXES


class PageMiddleware:
    """`PAGE_MIDDLEWARE` of the settings, for whoever comes with a browser. A program that comes with a key has no
    session and is shown no page: it goes past them, which takes an eighth of a millisecond off each of its calls.

    They may have no hook but `__call__`: Django looks for others (`process_view` …) in `MIDDLEWARE` alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._get_page: Callable[[HttpRequest], Any] = get_response
        for name in reversed(settings.PAGE_MIDDLEWARE):
            self._get_page = convert_exception_to_response(import_string(name)(self._get_page))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self._get_response if request.path.startswith(KEY_PREFIXES) else self._get_page
        return answer(request)
