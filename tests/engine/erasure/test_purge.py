"""What is kept for a time only goes when its time is over, and not a day before."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection

from memory_app import health
from memory_app.engine.erasure.purge import PurgeResult, purge_expired
from memory_app.models import Idempotency, Note, Operation, Search, Token
from memory_app.models.operation import drop_partitions, ensure_partitions, missing_partitions
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.packed import pack_all, units_in_segments

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def _left() -> tuple[int, int, int, int]:
    with every_space():
        return (
            Idempotency.objects.count(),
            Token.objects.count(),
            Search.objects.count(),
            Note.objects.count(),
        )


def _used(api: Api) -> None:
    """Something of each kind."""
    api.call("POST", "/memories", {"person": "alice", "content": "The tile is blue"}, Idempotency_Key="one")
    api.post("/forget", {"person": "alice", "utterance": "forget everything"})
    api.post("/searches", {"person": "alice", "query": "tile"})
    api.post("/people/alice/notes/2026-11-20", {"text": "Tiled the bath"})
    api.post("/signals", {"person": "alice", "kind": "save", "subject": "Tiles"})


def test_each_kind_is_purged_after_its_retention(api: Api) -> None:
    with time_machine.travel(NOON, tick=False):
        _used(api)
    kinds = ("answers", "questions", "searches", "merges", "signals", "notes", "documents", "items",
             "entries of the log", "sign-ins of assistants")  # fmt: skip
    nothing = dict.fromkeys(kinds, 0)
    assert purge_expired(NOON + timedelta(hours=23)).rows == nothing
    assert purge_expired(NOON + timedelta(hours=25)).rows == {**nothing, "answers": 1, "questions": 1, "searches": 1}
    assert _left() == (0, 0, 0, 1)
    assert purge_expired(NOON + timedelta(days=90)).rows["notes"] == 0
    gone = purge_expired(NOON + timedelta(days=91)).rows
    assert (gone["notes"], gone["signals"]) == (1, 1)


def test_what_is_purged_before_it_was_packed_anew_is_in_no_segment_any_more(api: Api) -> None:
    with time_machine.travel(NOON, tick=False):
        api.post("/people/alice/notes/2026-11-20", {"text": "Tiled the bath"})
        document = api.post("/people/alice/documents", {"path": "bath.md", "content": "The tile is blue"}).json()
        pack_all()
        api.call("DELETE", f"/people/alice/documents/{document['id']}", If_Match='"1"')
    assert len(units_in_segments()) == 2
    assert purge_expired(NOON + timedelta(days=91)).rows["documents"] == 1
    assert not units_in_segments()


def test_the_log_is_kept_for_its_days_and_not_for_its_months(api: Api) -> None:
    with time_machine.travel(NOON, tick=False):
        api.remember("alice", "The tile is blue")
    with every_space():
        logged = Operation.objects.count()
        assert logged > 0
        assert Operation.objects.retained(NOON + timedelta(days=90)).count() == logged
        assert Operation.objects.retained(NOON + timedelta(days=90, seconds=1)).count() == 0
    assert purge_expired(NOON + timedelta(days=90)).rows["entries of the log"] == 0
    assert purge_expired(NOON + timedelta(days=90, seconds=1)).rows["entries of the log"] == logged


def test_expired_log_entries_are_never_shown(api: Api) -> None:
    with time_machine.travel(NOON, tick=False):
        api.remember("alice", "The tile is blue")
    for days, found in ((90, 1), (91, 0)):
        with time_machine.travel(NOON + timedelta(days=days), tick=False):
            assert len(api.get("/admin/logs?operation=remember").json()["items"]) == found
            totals = api.post("/admin/search", {"query": "tile", "tiers": ["logs"]}).json()["totals"]
            assert totals == {"logs": found}


def test_purged_counts_are_reported() -> None:
    assert (
        str(PurgeResult({"answers": 2, "notes": 0}, ["operation_2020_01"])) == "2 answers, 1 months of the log dropped"
    )
    assert str(PurgeResult()) == "nothing to drop"


def _months() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relname LIKE 'operation\\_20%%' AND relkind = 'r'")
        return {name for (name,) in cursor.fetchall()}


def test_log_partitions_are_dropped_when_fully_expired() -> None:
    ensure_partitions(datetime(2031, 1, 15, tzinfo=UTC))
    kept = {name for name in _months() if name < "operation_2031"}
    dropped = drop_partitions(datetime(2031, 3, 1, tzinfo=UTC))
    assert dropped == [*sorted(kept), "operation_2031_01", "operation_2031_02"]
    assert _months() == {"operation_2031_03", "operation_2031_04"}
    assert drop_partitions(datetime(2031, 3, 31, 23, tzinfo=UTC)) == []


@pytest.mark.django_db(transaction=True)
def test_a_half_dropped_partition_is_dropped_by_the_next_run(api: Api) -> None:
    ensure_partitions(datetime(2010, 1, 15, tzinfo=UTC))
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE operation DETACH PARTITION operation_2010_02")
    api.remember("alice", "The tile is blue")
    assert drop_partitions(datetime(2011, 1, 1, tzinfo=UTC)) == [f"operation_2010_0{month}" for month in (1, 2, 3, 4)]
    with every_space():
        assert Operation.objects.filter(name="remember").count() == 1


def test_a_missing_partition_is_reported_before_its_month() -> None:
    december = datetime(2031, 12, 15, tzinfo=UTC)
    ensure_partitions(december)
    assert missing_partitions(december) == []
    with time_machine.travel(december, tick=False):
        assert health.log() == ""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE operation_2032_01")
    with time_machine.travel(december, tick=False):
        assert health.log() == "the log has no table operation_2032_01: run `manage.py job run partition`"
