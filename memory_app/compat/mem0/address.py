"""What stands in the address of a list, or of a deletion of all: nothing that narrows it is passed over there."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from memory_app.api.requests import storable_json
from memory_app.compat.mem0.schemas import DeleteQuery
from memory_app.compat.mem0.views import Narrowing, filters_in_address
from memory_app.errors import Invalid

PASSED_OVER = frozenset(
    {"org_id", "project_id", "org_name", "project_name", "version", "api_version", "output_format", "async_mode"}
)
"""What clients send with a deletion, and what narrows nothing."""

NOT_READ = "{} would not narrow what is deleted, so nothing was: leave it out, or name it in filters."


def narrowing_in_address(query: DeleteQuery) -> Narrowing:
    """Raises Invalid."""
    return Narrowing(
        query.ids,
        filters_in_address(query.filters),
        _metadata(query.metadata),
        query.categories,
        query.start_date,
        query.end_date,
    )


def _metadata(text: str | None) -> Mapping[str, Any] | None:
    try:
        return storable_json(filters_in_address(text))  # type: ignore[no-any-return]
    except (Invalid, ValueError) as error:
        raise Invalid("metadata", 'Write metadata as JSON, such as {"project": "one"}.') from error


def require_all_read(request: HttpRequest) -> None:
    """That nothing in the address of a deletion goes unread. Raises Invalid."""
    for name in request.GET:
        if name not in DeleteQuery.model_fields and name not in PASSED_OVER:
            raise Invalid(name[:100], NOT_READ.format(name[:100]))
