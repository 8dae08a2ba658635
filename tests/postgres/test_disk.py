"""Writes stop well before the disk is full, and people are told before that."""

from pathlib import Path

import pytest

from memory_app.postgres import DiskState, disk_state

MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("free", "level", "accepts"),
    [
        (5000, "ok", True),
        (1024, "ok", True),
        (1023, "low", True),
        (256, "low", True),
        (255, "full", False),
    ],
)
def test_writes_stop_below_256_mib(free: int, level: str, accepts: bool) -> None:
    state = DiskState(free=free * MIB, total=10_000 * MIB)
    assert (state.level, state.accepts_writes) == (level, accepts)


def test_the_message_says_how_much_to_free() -> None:
    assert DiskState(free=100 * MIB, total=2000 * MIB).message == (
        "Nothing new can be kept: 100 MiB of 2000 MiB are free on the disk of the database. "
        "Free at least 157 MiB to go on."
    )
    assert DiskState(free=500 * MIB, total=2000 * MIB).message.startswith("The disk is getting full: 500 MiB")
    assert DiskState(free=1500 * MIB, total=2000 * MIB).message == ""


def test_the_disk_of_a_folder_that_is_not_there_yet_is_that_of_the_one_above(tmp_path: Path) -> None:
    state = disk_state(tmp_path / "not" / "yet")
    assert 0 < state.free <= state.total
