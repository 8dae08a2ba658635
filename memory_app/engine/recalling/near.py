"""Near: which indexes of large spaces may answer a question, remembered for a minute at a time."""

import time
from collections.abc import Sequence
from threading import Lock

from django.db import connection

from memory_app.engine.recalling.asked import Asked
from memory_app.models.near import Near, existing
from memory_app.rules.visibility import Venue, Visibility, clauses

REMEMBERED_SECONDS = 60.0
"""One that is gone meanwhile costs time, not results: its rows are then compared exactly."""

LOOKED_AT = 400
"""Rows that the index looks at (hnsw.ef_search), twice as many as leave it: recall@10 came to .99 and more."""

WHOLE = (Visibility.SPACE, Visibility.EVERYONE)


class _Remembered:
    """What the catalogue said last."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.until = 0.0
        self.indexes: Sequence[Near] = ()


_remembered = _Remembered()


def near(venue: Venue, asked: Asked, model: str) -> tuple[Near, ...]:
    """Those of which the asker sees every row, for a question that is narrowed by nothing: what an index finds and a
    condition then drops would be missing."""
    if asked.filters or asked.since or asked.until or asked.as_of:
        return ()
    whole = {
        space
        for clause in clauses(venue)
        if clause.visibility in WHOLE and clause.owner is None and clause.channel is None
        for space in clause.spaces
    }
    return tuple(one for one in _known() if one.space in whole and one.model == model and one.table in asked.searched)


def forget() -> None:
    """Has the catalogue asked again."""
    _remembered.until = 0.0


def look_closely() -> None:
    """Has the indexes look at enough rows, for the rest of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL hnsw.ef_search = {LOOKED_AT}")


def _known() -> Sequence[Near]:
    with _remembered.lock:
        if time.monotonic() >= _remembered.until:
            _remembered.indexes = existing()
            _remembered.until = time.monotonic() + REMEMBERED_SECONDS
        return _remembered.indexes
