"""After erasing and purging, what was erased is in no file of the server: not in tables, indexes, statistics, log."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from config.env import Env
from memory_app.engine.author import Author
from memory_app.engine.edit import At
from memory_app.engine.erasing.erase import erase
from memory_app.engine.erasing.proof import BACKUPS, is_genuine, remains
from memory_app.engine.erasing.purge_traces import is_quick, purge_traces
from memory_app.models import Erasure, Memory
from memory_app.models.scope import every_space
from memory_app.postgres.superuser import superuser
from tests.conftest import Api

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "zQ7xkwvJ9pfh3"
"""No such word: nothing can compress it, so that it stands in the files as it is written."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """All of the server's files: its data, its log, its socket's folder."""
    with superuser(Env.read(), connection.settings_dict["NAME"]) as ours:
        assert ours is not None
        row = ours.execute("SHOW data_directory").fetchone()
        assert row is not None
        yield Path(row[0]).parent


def _holding(folder: Path, text: str) -> list[str]:
    """Files in which a text can be read, after all that is in memory was written."""
    with superuser(Env.read(), connection.settings_dict["NAME"]) as ours:
        assert ours is not None
        ours.execute("CHECKPOINT")
    found = []
    for path in folder.rglob("*"):
        try:
            if path.is_file() and "engine-" not in str(path) and text.encode() in path.read_bytes():
                found.append(str(path.relative_to(folder)))
        except FileNotFoundError:  # the server drops files as we look
            continue
    return found


def _erased(api: Api) -> Erasure:
    """A memory that was edited, briefed and forgotten, with statistics taken while it was there."""
    words = f"{CANARY} is the name of the parrot"
    kept = api.post("/memories", {"person": "alice", "content": words}, Idempotency_Key=CANARY[:4]).json()
    api.call("PATCH", f"/memories/{kept['id']}", {"content": f"{CANARY} was the name of the parrot"})
    api.post("/context", {"person": "alice", "query": words})
    for name in ("alice", "bob", "charlie"):  # rows enough for statistics to hold samples
        for number in range(4):
            api.remember(name, f"{number} saws are in the shed of {name}")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with every_space():
        row = Memory.objects.get(id=kept["id"])
    return erase(at=At(row.space_id, row.id), author=Author("command", "tests"), now=timezone.now())


def test_no_file_holds_what_was_erased_and_purged(api: Api, folder: Path) -> None:
    erased = _erased(api)
    assert erased.found == {}
    before = _holding(folder, CANARY)
    assert any("base/" in path for path in before)
    assert any("pg_wal/" in path for path in before)
    assert purge_traces(now=timezone.now(), report=lambda done, total: None) == 1
    assert _holding(folder, CANARY) == []


def test_the_receipt_tells_what_was_done(api: Api) -> None:
    erased = _erased(api)
    assert is_quick() is True
    told: list[tuple[int, int]] = []
    purge_traces(now=timezone.now(), report=lambda done, total: told.append((done, total)))
    erasure = Erasure.objects.get(id=erased.id)
    tables = {name.partition("_20")[0] for name in erasure.purged["tables"]}
    assert tables == {"erasure", "idempotency", "memory", "memory_version", "operation", "receipt"}
    assert (erasure.purged["statistics"], erasure.purged["log"]) == (True, True)
    assert remains(erasure) == [BACKUPS]
    assert is_genuine(erasure) is True
    assert told[0] == (0, 10)
    assert told[-1] == (10, 10)


def test_nothing_is_rewritten_where_nothing_waits(api: Api) -> None:
    _erased(api)
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert purge_traces(now=timezone.now(), report=lambda done, total: None) == 0


def test_what_is_kept_survives_the_rewriting(api: Api) -> None:
    _erased(api)
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert len(api.get("/memories?person=bob").json()["items"]) == 4
