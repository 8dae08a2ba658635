"""After erasing and purging, what was erased is in no file of the server: not in tables, indexes, statistics, log."""

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from config.env import Env
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_memory import erase, texts_of
from memory_app.engine.erasure.erase_person import erase_person, finish_erasure
from memory_app.engine.erasure.erasure_receipt import BACKUPS, is_genuine, remaining_steps
from memory_app.engine.erasure.purge import is_purge_quick, purge_expired, purge_traces
from memory_app.engine.memories.edit import MemoryRef
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import Erasure, Memory, Turn
from memory_app.models.row_security import every_space
from memory_app.postgres.connection import superuser_connection
from memory_app.postgres.dump import dump
from memory_app.postgres.installation import packaged_installations
from tests.conftest import Api

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "zQ7xkwvJ9pfh3"
"""No such word: nothing can compress it, so that it stands in the files as it is written."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """All of the server's files: its data, its log, its socket's folder."""
    with superuser_connection(Env.read(), connection.settings_dict["NAME"]) as ours:
        assert ours is not None
        row = ours.execute("SHOW data_directory").fetchone()
        assert row is not None
        yield Path(row[0]).parent


def _holding(folder: Path, text: str) -> list[str]:
    """Files in which a text can be read, after all that is in memory was written."""
    with superuser_connection(Env.read(), connection.settings_dict["NAME"]) as ours:
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
    return erase(at=MemoryRef(row.space_id, row.id), author=Author("command", "tests"), now=timezone.now())


def test_no_database_file_holds_purged_text(api: Api, folder: Path) -> None:
    erased = _erased(api)
    assert erased.found == {}
    before = _holding(folder, CANARY)
    assert any("base/" in path for path in before)
    assert any("pg_wal/" in path for path in before)
    assert purge_traces(now=timezone.now(), report=lambda done, total: None) == 1
    assert _holding(folder, CANARY) == []


def test_no_database_file_holds_text_removed_by_retention(api: Api, folder: Path) -> None:
    """Answers that were kept for a day, and searches; and a turn that was taken back."""
    kept = api.post("/memories", {"person": "alice", "content": f"{CANARY} is the parrot"}, Idempotency_Key="k").json()
    api.post("/searches", {"person": "alice", "query": f"who is {CANARY}?"})
    talk = api.post("/conversations", {"person": "alice"}).json()["id"]
    api.post(f"/conversations/{talk}/turns", {"role": "user", "content": f"{CANARY} is the parrot"})
    with every_space():
        Turn.objects.all().delete()
    assert {"answers", "searches"} <= {
        kind for kind, rows in purge_expired(timezone.now() + timedelta(days=2)).rows.items() if rows
    }
    with every_space():
        row = Memory.objects.get(id=kept["id"])
    erase(at=MemoryRef(row.space_id, row.id), author=Author("command", "tests"), now=timezone.now())
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert _holding(folder, CANARY) == []


def test_the_title_of_a_reflection_is_not_a_trace() -> None:
    reflection = Memory(content="- Anna called twice", summary="The week from 2026-11-09 to 2026-11-16", version=1)
    assert texts_of([reflection]) == ["- Anna called twice"]
    reflection.summary = "The week from hell"
    assert texts_of([reflection]) == ["- Anna called twice", "The week from hell"]


def test_no_database_file_holds_erased_passages(api: Api, folder: Path) -> None:
    """The words in them are in lower case."""
    said = " ".join(f"Part {number} of the{number} story tells of a parrot{number}." for number in range(40))
    kept = api.remember("alice", f"{said} {CANARY} is its name. {said}")
    embed_rows(encoder=current_encoder(), report=lambda done, total: None)
    api.call("PATCH", f"/memories/{kept['id']}", {"content": f"{CANARY} was its name. {said}"})
    embed_rows(encoder=current_encoder(), report=lambda done, total: None)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with every_space():
        row = Memory.objects.get(id=kept["id"])
    erase(at=MemoryRef(row.space_id, row.id), author=Author("command", "tests"), now=timezone.now())
    assert any("base/" in path for path in _holding(folder, CANARY.lower()))
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert _holding(folder, CANARY.lower()) == []


def _told_everywhere(api: Api) -> None:
    """A word of Alice's wherever someone may leave one: her name, what she keeps, says, notes, asks and is asked."""
    kitchen = {"space": "kitchen"}
    for venue in ({}, {"venue": kitchen}):
        api.post("/memories", {"person": "alice", "content": f"{CANARY} is the parrot", **venue}, Idempotency_Key="k")
    api.call("PATCH", "/people/alice", {"display_name": f"Alice {CANARY}"})
    held = api.post("/conversations", {"person": "alice", "external_id": CANARY}).json()["id"]
    said = [("user", "Hello"), ("assistant", "Hi!"), ("user", f"I have decided to call my dog {CANARY}."),
            ("assistant", f"{CANARY} is a fine name.")]  # fmt: skip
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{held}/turns", {"turns": turns}).status_code == 201
    assert api.post(f"/conversations/{held}/end", {}).json()["proposals"]
    asked = {"person": "alice", "query": f"who is {CANARY}?"}
    api.post("/meetings", {"person": "alice", "title": CANARY, "summary": CANARY, "decisions": [f"To feed {CANARY}"]})
    api.post("/journal", {"person": "alice", "text": f"I am proud of {CANARY}"})
    api.post("/people/alice/notes/2026-11-20", {"text": CANARY})
    for path, body in (("/search", asked), ("/searches", asked), ("/context", asked),
                       ("/forget", {"person": "alice", "utterance": f"forget about {CANARY}"}),
                       ("/commands", {"person": "alice", "text": f"/memory search {CANARY}"})):  # fmt: skip
        assert api.post(path, body).status_code < 300, path
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def test_no_file_or_dump_holds_words_of_an_erased_person(api: Api, folder: Path, tmp_path: Path) -> None:
    _told_everywhere(api)
    assert any("base/" in path for path in _holding(folder, CANARY))
    now = timezone.now()
    begun = erase_person(name="alice", author=Author("command", "tests"), now=now)
    finish_erasure(erasure=begun.id, now=now, report=lambda done, total: None)
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert _holding(folder, CANARY) == []
    dump(connection.settings_dict, tmp_path / "all")
    engines = packaged_installations()
    restore = engines[max(engines)].program("pg_restore")
    rows = subprocess.run([restore, "-f", "-", tmp_path / "all"], capture_output=True, check=True).stdout
    assert b"COPY public.memory " in rows
    assert CANARY.encode() not in rows


def test_the_receipt_tells_what_was_done(api: Api) -> None:
    erased = _erased(api)
    assert is_purge_quick() is True
    told: list[tuple[int, int]] = []
    purge_traces(now=timezone.now(), report=lambda done, total: told.append((done, total)))
    erasure = Erasure.objects.get(id=erased.id)
    tables = {name.partition("_20")[0] for name in erasure.purged["tables"]}
    held = {"erasure", "idempotency", "memory", "memory_version", "operation", "receipt"}
    assert tables == held | {
        "person_merge",
        "note",
        "item",
        "document",
        "proposal",
        "search",
        "segment",
        "token",
        "turn",
    }
    assert (erasure.purged["statistics"], erasure.purged["log"]) == (True, True)
    assert remaining_steps(erasure) == [BACKUPS]
    assert is_genuine(erasure) is True
    steps = len(erasure.purged["tables"]) + 1
    assert (told[0], told[-1]) == ((0, steps), (steps, steps))


def test_nothing_is_rewritten_where_nothing_waits(api: Api) -> None:
    _erased(api)
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert purge_traces(now=timezone.now(), report=lambda done, total: None) == 0


def test_stored_rows_survive_the_rewrite(api: Api) -> None:
    _erased(api)
    purge_traces(now=timezone.now(), report=lambda done, total: None)
    assert len(api.get("/memories?person=bob").json()["items"]) == 4
