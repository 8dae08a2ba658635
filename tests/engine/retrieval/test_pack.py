"""Rows are packed into segments, as they stand, once; and what a search reads is always what the rows say."""

from datetime import timedelta

import pytest

from memory_app.engine.retrieval.pack import pack
from memory_app.models import Memory, Segment
from memory_app.models.row_security import every_space
from memory_app.rules.segments import MAX_BYTES, MAX_UNITS
from tests.conftest import Api
from tests.engine.packed import pack_all, sizes, units_in_segments, units_of_rows, units_searched, unpacked_ids

pytestmark = pytest.mark.django_db


def _remember(api: Api, number: int, person: str = "alice") -> None:
    items = [{"person": person, "content": f"The {n}th tile of the bathroom is chipped"} for n in range(number)]
    assert api.post("/memories/batch", {"items": items}).status_code == 201


def _report(done: int, total: int) -> None:
    pass


def test_what_is_packed_is_what_the_rows_say(api: Api) -> None:
    api.remember("alice", "I live in Ghent")
    api.remember("bob", "The saw is blunt", visibility="everyone")
    conversation = api.post("/conversations", {"person": "alice", "external_id": "c"}).json()["id"]
    turns = [{"role": "user", "content": "Is it far?"}, {"role": "assistant", "content": "It is not."}]
    api.post(f"/conversations/{conversation}/turns", {"turns": turns})
    assert len(units_of_rows()) == len(unpacked_ids()) == 4
    assert pack_all() == 4
    assert units_in_segments() == units_of_rows()
    assert unpacked_ids() == set()
    assert pack_all() == 0


def test_a_row_that_changed_is_read_itself_until_it_is_packed_anew(api: Api) -> None:
    memory = api.remember("alice", "I live in Ghent")
    pack_all()
    api.call("PATCH", f"/memories/{memory['id']}", {"content": "I live in Lyon"}, If_Match='"1"')
    assert units_searched() == units_of_rows() != units_in_segments()
    assert pack_all() == 1
    assert units_in_segments() == units_of_rows()


def test_what_is_deleted_leaves_at_the_next_time(api: Api) -> None:
    memory = api.remember("alice", "I live in Ghent")
    api.remember("alice", "The saw is blunt")
    pack_all()
    assert api.call("DELETE", f"/memories/{memory['id']}").status_code in (200, 204)
    assert sum(units_searched().values()) == 1
    pack_all()
    assert units_in_segments() == units_of_rows()
    assert sizes() == [1]


def test_memories_that_come_one_by_one_fill_segments(api: Api) -> None:
    for number in range(70):
        api.remember("alice", f"The {number}th tile of the bathroom is chipped")
        pack_all()
    assert units_in_segments() == units_of_rows()
    assert len(sizes()) == 2


def test_a_segment_stays_within_its_bounds(api: Api) -> None:
    _remember(api, 100)
    pack_all()
    assert sum(sizes()) == 100
    assert max(sizes()) <= MAX_UNITS
    with every_space():
        assert all(len(row.units) + len(row.words) <= MAX_BYTES for row in Segment.objects.all())


def test_few_rows_wait_a_minute_and_many_do_not(api: Api) -> None:
    memory = api.remember("alice", "I live in Ghent")
    with every_space():
        said_at = Memory.objects.get(id=memory["id"]).created_at
    assert pack(now=said_at, report=_report) == 0
    assert pack(now=said_at + timedelta(minutes=2), report=_report) == 1
    _remember(api, 80, "bob")
    assert pack(now=said_at, report=_report) == 80
