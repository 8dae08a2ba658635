"""Lists by keyset: a page is what follows the last item seen, so that new rows never shift it."""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from django.utils.dateparse import parse_datetime

from memory_app.errors import Invalid

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Order:
    """A field of times to sort by, then the id; `descending` for both."""

    field: str
    descending: bool = True


def page(rows: QuerySet[Row], order: Order, limit: int, cursor: str | None) -> tuple[list[Row], str | None]:
    """Up to `limit` rows after `cursor`, and the cursor of what follows, None at the end."""
    sign = "-" if order.descending else ""
    rows = rows.order_by(f"{sign}{order.field}", f"{sign}id")
    if cursor:
        rows = rows.filter(_after(order, *_decode_cursor(cursor)))
    found = list(rows[: limit + 1])
    if len(found) <= limit:
        return found, None
    return found[:limit], _encode_cursor(getattr(found[limit - 1], order.field), found[limit - 1].id)  # type: ignore[attr-defined]


def _after(order: Order, value: Any, identifier: UUID) -> Q:
    step = "lt" if order.descending else "gt"
    return Q(**{f"{order.field}__{step}": value}) | Q(**{order.field: value, f"id__{step}": identifier})


def _encode_cursor(value: Any, identifier: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps([value.isoformat(), str(identifier)]).encode()).decode()


def _decode_cursor(cursor: str) -> tuple[Any, UUID]:
    try:
        value, identifier = json.loads(base64.urlsafe_b64decode(cursor))
        moment, last = parse_datetime(value), UUID(identifier)
    except (ValueError, binascii.Error, TypeError, AttributeError, RecursionError):
        moment, last = None, None
    if moment is None or moment.tzinfo is None or last is None:
        raise Invalid("cursor", "This is no cursor of ours: use next_cursor of the page before, unchanged.")
    return moment, last
