"""A QuerySet as SQL, to be a part of a statement of ours."""

import re
from collections.abc import Callable
from enum import Enum
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from psycopg.sql import Literal


def bound(rows: "QuerySet[Any, Any]") -> str:
    """With its parameters written out."""
    sql, params = rows.query.sql_with_params()
    written: str = connection.ops.compose_sql(sql, params)  # type: ignore[attr-defined]
    return written.replace("%", "%%")


def named(rows: "QuerySet[Any, Any]", name_of: Callable[[Any], str | None]) -> str:
    """With those of its parameters as `%(name)s` that `name_of` has a name for, and the others written out."""
    sql, params = rows.query.sql_with_params()
    placed = iter(params)
    return re.sub("%s", lambda _: _placed(next(placed), name_of), sql)


def _placed(value: Any, name_of: Callable[[Any], str | None]) -> str:
    plain = getattr(value, "obj", value)  # the driver wraps bytes
    name = name_of(plain)
    if name is not None:
        return f"%({name})s"
    return Literal(str(plain) if isinstance(plain, Enum) else plain).as_string().replace("%", "%%")
