"""Query parameters that a path does not take: refused, for a misspelt filter that is passed over answers too much."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest

from memory_app.api.body import replaced
from memory_app.errors import Invalid

LONGEST_SHOWN = 100

WHO_ASKS = frozenset({"person", "space"})
"""Many reads take these, so a client may send them with each; where an id says it all, they change nothing."""


def known_parameters_only(view: Callable[..., Any]) -> Callable[..., Any]:
    """For every operation of the API: answers 422 to a parameter in the URL that it does not know."""
    known = _parameters(view)

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        taken = known if request.method == "POST" else known | WHO_ASKS
        unknown = next((name for name in request.GET if name not in taken), None)
        if unknown is not None:
            raise Invalid(replaced(unknown)[:LONGEST_SHOWN], _told(known))
        return view(request, *args, **kwargs)

    return checked


def _parameters(view: Callable[..., Any]) -> frozenset[str]:
    """What an operation takes in its URL, as Ninja read it from the view."""
    models = view._ninja_operation.models  # type: ignore[attr-defined]
    taken = [model for model in models if model.__ninja_param_source__ == "query"]
    return frozenset(name for model in taken for name in model.__ninja_flatten_map__)


def _told(known: frozenset[str]) -> str:
    if not known:
        return "This path takes no query parameters."
    return f"There is no such query parameter here; these are: {', '.join(sorted(known))}."
