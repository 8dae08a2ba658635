"""Imports in the worker: looked through, brought in, and read a few at a time, as their person's policy has it."""

import json
import tempfile
from pathlib import Path

import pytest
from django.utils import timezone

from memory_app.engine.audit.log import Author
from memory_app.engine.imports import read_history, run_import
from memory_app.engine.imports.report import ImportReport
from memory_app.engine.imports.uploads import (
    PART_BYTES,
    add_part,
    begin_import,
    cancel_import,
    confirm_import,
    finish_upload,
    uploaded_file,
)
from memory_app.engine.imports.write import write_entries
from memory_app.engine.proposals.review import reject
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs.import_history import import_waiting, read_imported
from memory_app.jobs.tasks import consolidate_ended, read_idle, read_unread
from memory_app.models import HistoryImport, ImportPart, Memory, Person, Proposal
from memory_app.models.row_security import every_space
from memory_app.progress import TurnOver
from tests.engine.imports.bringing import bring, ignore, kept, said, unread, waiting
from tests.imports.reading import written
from tests.imports.samples import SPRING, garden_talk, zip_bytes

pytestmark = pytest.mark.django_db

AUTHOR = Author("user", "alice")


def _uploaded(content: bytes, person: str = "alice", name: str = "export.zip") -> HistoryImport:
    row = begin_import(
        venue_context=resolve_venue(person=person),
        file_name=name,
        size=len(content),
        format_name="",
        author=AUTHOR,
        now=timezone.now(),
    )
    for number, start in enumerate(range(0, len(content), PART_BYTES)):
        add_part(row=row, number=number, data=content[start : start + PART_BYTES])
    return finish_upload(row=row)


def _row() -> HistoryImport:
    with every_space():
        return HistoryImport.objects.select_related("person", "space").get()


def _many(tmp_path: Path, number: int) -> Path:
    """Conversations of which each gives proposals of its own."""
    talks = []
    for n in range(number):
        talk = garden_talk(f"t{n}", SPRING + 900 * n)
        for node in talk["mapping"].values():
            if node["message"]:
                parts = node["message"]["content"]["parts"]
                parts[0] = parts[0].replace("Ghent", f"Town{n}").replace("lentil soup", f"soup number {n} of leeks")
        talks.append(talk)
    return written(tmp_path / "conversations.json", talks)


def test_an_upload_is_looked_through_confirmed_and_brought_in() -> None:
    _uploaded(zip_bytes({"conversations.json": json.dumps([garden_talk()])}))
    import_waiting(ignore)
    row = _row()
    assert (row.state, row.format) == ("ready", "chatgpt")
    assert row.expected["counts"] == {"conversations": 1, "turns": 4, "memories": 1}
    assert said() == []
    confirm_import(row=row)
    import_waiting(ignore)
    row = _row()
    assert (row.state, row.result["counts"]) == ("done", {"conversations": 1, "turns": 4, "memories": 1})
    assert len(said()) == 4
    with every_space():
        assert not ImportPart.objects.exists()


def test_a_long_import_goes_on_however_often_its_turn_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    talks = [garden_talk(f"t{n}", SPRING + 900 * n) for n in range(6)]
    _uploaded(zip_bytes({"conversations.json": json.dumps(talks)}))
    import_waiting(ignore)
    confirm_import(row=_row())
    monkeypatch.setattr(run_import, "BATCH_ENTRIES", 3)

    def over(done: int, total: int) -> None:
        raise TurnOver

    for _ in range(4):
        with pytest.raises(TurnOver):
            import_waiting(over)
    assert (_row().state, len(said())) == ("waiting", 16)
    import_waiting(ignore)
    assert (_row().state, len(said())) == ("done", 24)


def test_an_upload_that_is_removed_while_it_comes_in_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _uploaded(zip_bytes({"conversations.json": json.dumps([garden_talk()])}))
    import_waiting(ignore)
    confirm_import(row=_row())

    def write(*arguments: object) -> ImportReport:
        cancel_import(row=_row())
        return write_entries(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(run_import, "write_entries", write)
    import_waiting(ignore)
    with every_space():
        assert not HistoryImport.objects.exists()
    assert said() == []


def test_what_cannot_be_read_ends_with_what_to_do() -> None:
    _uploaded(b"hello", name="hello.json")
    import_waiting(ignore)
    row = _row()
    assert row.state == "failed"
    assert row.error.startswith("This is none of the formats that are known here")


def test_few_proposals_are_put_up_at_a_time_and_the_rest_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_history, "MOST_WAITING", 3)
    bring(_many(tmp_path, 8))
    assert unread() == 8
    read_imported(ignore)
    first = waiting()
    left = unread()
    assert first >= 3
    assert 0 < left < 8
    read_imported(ignore)
    assert (waiting(), unread()) == (first, left)
    with every_space():
        rows = list(Proposal.objects.select_related("person__space", "space", "conversation"))
    for row in rows:
        with every_space():
            reject(proposal=row, reason="", author=AUTHOR, now=timezone.now())
    read_imported(ignore)
    assert unread() < left


def test_no_other_job_reads_what_was_imported(tmp_path: Path) -> None:
    bring(_many(tmp_path, 2))
    for job in (read_idle, read_unread, consolidate_ended):
        job(ignore)
    assert (waiting(), unread()) == (0, 2)


@pytest.mark.parametrize(("policy", "left"), [("ask", 0), ("auto", 0), ("off", 3)])
def test_what_was_noticed_follows_the_person_s_policy(tmp_path: Path, policy: str, left: int) -> None:
    bring(_many(tmp_path, 3))
    Person.objects.filter(name="alice").update(extraction_policy=policy)
    before = len(kept())
    read_imported(ignore)
    assert unread() == left
    assert (waiting() > 0) == (policy == "ask")
    assert (len(kept()) > before) == (policy == "auto")


def test_while_memory_is_paused_nothing_is_read(tmp_path: Path) -> None:
    bring(_many(tmp_path, 2))
    Person.objects.filter(name="alice").update(memory_enabled=False)
    read_imported(ignore)
    assert (waiting(), unread()) == (0, 2)


def test_nothing_sensitive_is_proposed_of_what_was_imported(tmp_path: Path) -> None:
    talk = garden_talk()
    talk["mapping"]["garden-1"]["message"]["content"]["parts"] = ["I have diabetes and take metformin every day."]
    bring(written(tmp_path / "conversations.json", [talk]))
    read_imported(ignore)
    with every_space():
        told = [*Proposal.objects.values_list("content", flat=True), *Memory.objects.values_list("content", flat=True)]
    assert not [text for text in told if "diabetes" in text]


def test_the_copy_of_an_upload_has_no_name_that_a_kill_could_leave_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    content = zip_bytes({"conversations.json": json.dumps([garden_talk()])})
    with uploaded_file(_uploaded(content)) as path:
        assert list(tmp_path.iterdir()) == []
        assert path.read_bytes() == path.read_bytes() == content
