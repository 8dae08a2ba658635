"""A memory that a search shows was accessed: counted a little later, and less than one that was briefed."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memory_app.api.request_log import request_log
from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def _row() -> Memory:
    request_log.flush()
    with every_space():
        return Memory.objects.get()


def _search(api: Api, **more: Any) -> None:
    found = api.post("/search", {"person": "alice", "query": "tile", **more}).json()
    assert found["total_found"] == 1


def test_what_a_search_shows_is_counted_and_strengthened_a_little(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    kept, later = _row(), timezone.now() + timedelta(days=40)
    with time_machine.travel(later, tick=False):
        _search(api)
        shown = _row()
    assert (shown.access_count, shown.last_accessed_at) == (1, later)
    # A quarter of the 40 days back to full strength.
    assert shown.reinforced_at - kept.reinforced_at == pytest.approx(timedelta(days=10), abs=timedelta(minutes=1))
    assert (shown.version, shown.updated_at) == (kept.version, kept.updated_at)


def test_searches_of_one_second_are_counted_together(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    kept, later = _row(), timezone.now() + timedelta(days=40)
    with time_machine.travel(later, tick=False):
        _search(api)
        api.post("/searches", {"person": "alice", "query": "tile"})
        shown = _row()
    assert shown.access_count == 2
    # A quarter of the 40 days, and a quarter of the 30 that are left.
    assert shown.reinforced_at - kept.reinforced_at == pytest.approx(timedelta(days=17.5), abs=timedelta(minutes=1))


@pytest.mark.parametrize("more", [{"explain": True}, {"as_of": "2100-01-01T00:00:00Z"}])
def test_who_looks_into_a_search_counts_nothing(api: Api, more: dict[str, Any]) -> None:
    api.remember("alice", "The tile is blue")
    _search(api, **more)
    assert (_row().access_count, _row().last_accessed_at) == (0, None)


def test_super_users_who_look_everywhere_count_nothing(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    assert api.post("/admin/search", {"query": "tile"}).json()["totals"]["active"] == 1
    assert _row().access_count == 0
