"""What is packed wrongly is found, told and mended, whatever became of it."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memory_app.engine.retrieval.check_segments import SegmentCheck, check_segments, rebuild_segments
from memory_app.jobs.tasks import compare_segments
from memory_app.models import Operation, Segment
from memory_app.models.ids import new_id
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.packed import pack_all, units_in_segments, units_of_rows, units_searched, unpacked_ids

pytestmark = pytest.mark.django_db


def _report(done: int, total: int) -> None:
    pass


def _check(*, mend: bool = False) -> SegmentCheck:
    return check_segments(mend=mend, report=_report)


@pytest.fixture
def packed(api: Api) -> list[str]:
    ids = [api.remember("alice", text)["id"] for text in ("I live in Ghent", "The saw is blunt", "Soup is on Tuesday")]
    pack_all()
    return ids


def _change(statement: str, *values: str) -> None:
    with every_space(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_nothing_differs_where_all_is_as_it_was_packed(packed: list[str]) -> None:
    assert _check() == SegmentCheck(segments=1, rows=3)


def test_units_of_a_row_that_is_gone_are_found(packed: list[str]) -> None:
    _change("DELETE FROM entity_link")
    _change("DELETE FROM memory WHERE id = %s", packed[0])
    assert (_check().stale, _check().missing) == (1, 0)
    assert _check(mend=True).stale == 1
    assert _check() == SegmentCheck(segments=1, rows=2)
    assert units_in_segments() == units_of_rows()


def test_rows_whose_segment_is_gone_are_found(packed: list[str]) -> None:
    _change("DELETE FROM segment")
    assert _check().missing == 3
    assert _check(mend=True).missing == 3
    assert units_in_segments() == units_of_rows()


def test_a_segment_that_is_there_twice_is_found(packed: list[str]) -> None:
    with every_space():
        segment = Segment.objects.get()
        segment.id = new_id()
        segment.save(force_insert=True)
    assert _check().stale == 3
    _check(mend=True)
    assert units_in_segments() == units_of_rows()


def test_units_that_say_something_else_are_found(packed: list[str]) -> None:
    _change("UPDATE segment SET words = decode(repeat('00', octet_length(words)), 'hex')")
    assert _check().stale == 3
    _check(mend=True)
    assert units_in_segments() == units_of_rows()


def test_what_others_may_not_see_is_found_in_their_segment(packed: list[str]) -> None:
    _change("UPDATE segment SET visibility = 'everyone'")
    assert _check().stale == 3
    _check(mend=True)
    assert units_in_segments() == units_of_rows()


def test_the_job_tells_and_mends(packed: list[str]) -> None:
    assert compare_segments(_report) == "3 rows in 1 segments: all as it is"
    _change("DELETE FROM segment")
    assert compare_segments(_report) == "3 rows in 0 segments: 0 stale, 3 missing"
    with every_space():
        assert Operation.objects.get(name="mend_segments").detail == {"stale": 0, "missing": 3}
    assert units_in_segments() == units_of_rows()


def test_the_command_says_what_differs_and_mends_when_told(packed: list[str]) -> None:
    _change("DELETE FROM segment")
    with pytest.raises(CommandError, match="--mend"):
        call_command("segments")
    call_command("segments", "--mend")
    call_command("segments")


def test_everything_is_packed_anew(packed: list[str]) -> None:
    _change("UPDATE segment SET words = decode(repeat('00', octet_length(words)), 'hex')")
    assert rebuild_segments(report=_report).wrong == 0
    assert units_in_segments() == units_of_rows() == units_searched()
    assert unpacked_ids() == set()
