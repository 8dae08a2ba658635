"""Lists by keyset: a page is what follows the last item seen, so that new rows never shift it."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from django.utils.dateparse import parse_datetime

from memory_app.errors import Invalid

Row = TypeVar("Row", bound=Model)
Position = TypeVar("Position")


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
        rows = rows.filter(_after(order, *decode_cursor(cursor, _time_and_id)))
    found = list(rows[: limit + 1])
    if len(found) <= limit:
        return found, None
    last: Any = found[limit - 1]
    return found[:limit], encode_cursor(getattr(last, order.field).isoformat(), str(last.id))


def _after(order: Order, value: Any, identifier: UUID) -> Q:
    step = "lt" if order.descending else "gt"
    return Q(**{f"{order.field}__{step}": value}) | Q(**{order.field: value, f"id__{step}": identifier})


def encode_cursor(*position: str | int) -> str:
    """The position of the last item of a page, as clients send it back."""
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


def decode_cursor(cursor: str, parse: Callable[..., Position]) -> Position:
    """What `parse` makes of the values of a cursor; it raises ValueError or TypeError for those that are not right.

    Raises Invalid.
    """
    try:
        return parse(*json.loads(base64.urlsafe_b64decode(cursor)))
    except (ValueError, TypeError, RecursionError):
        raise Invalid("cursor", "This is not a cursor: send next_cursor of the page before, unchanged.") from None


def _time_and_id(value: str, identifier: str) -> tuple[datetime, UUID]:
    moment = parse_datetime(value)
    if moment is None or moment.tzinfo is None:
        raise ValueError(value)
    return moment, UUID(identifier)
