"""`memory import` of what other products export, and `export --markdown`: what is printed, and what is kept."""

import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory_app.engine.audit.log import Author
from memory_app.engine.imports import run_import
from memory_app.engine.imports.report import ImportReport
from memory_app.engine.imports.undo_import import undo_import
from memory_app.engine.imports.uploads import cancel_import
from memory_app.engine.imports.write import write_entries
from memory_app.errors import ConflictError
from memory_app.jobs.import_history import read_imported
from memory_app.models import HistoryImport, Person
from memory_app.models.history_import import STOPPED_AFTER
from memory_app.models.row_security import every_space
from tests.engine.imports.bringing import bring, ignore, kept, said
from tests.imports.reading import written
from tests.imports.samples import SPRING, garden_talk, zip_of

pytestmark = pytest.mark.django_db

AUTHOR = Author("user", "alice")


def _row() -> HistoryImport:
    with every_space():
        return HistoryImport.objects.select_related("person", "space").get()


def _meanwhile(monkeypatch: pytest.MonkeyPatch, before: int, act: Callable[[], None]) -> None:
    """Does something after so many batches of two entries."""
    batches = 0

    def write(*arguments: object) -> ImportReport:
        nonlocal batches
        if batches == before:
            act()
        batches += 1
        return write_entries(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(run_import, "BATCH_ENTRIES", 2)
    monkeypatch.setattr(run_import, "write_entries", write)


def _talks(tmp_path: Path) -> Path:
    return written(tmp_path / "conversations.json", [garden_talk(f"t{n}", SPRING + 900 * n) for n in range(4)])


def _run(*arguments: object) -> tuple[str, str]:
    """What is printed on standard output and on standard error."""
    out, error = StringIO(), StringIO()
    try:
        call_command("memory", *map(str, arguments), stdout=out, stderr=error)
    except CommandError as failed:
        error.write(str(failed))
    return out.getvalue(), error.getvalue()


def test_a_dry_run_tells_what_would_come_in_and_leaves_no_trace(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "e.zip", {"conversations.json": [garden_talk()]})
    out, _ = _run("import", path, "--person", "alice", "--dry-run")
    assert out.splitlines() == [
        "ChatGPT: would bring 1 conversation, 4 messages, 1 memory",
        "left out: 1 messages of tools and of the system, pictures and empty ones",
    ]
    with every_space():
        assert not HistoryImport.objects.exists()
    assert not Person.objects.exists()


def test_an_import_tells_what_came_and_what_is_broken_by_place(tmp_path: Path) -> None:
    path = written(tmp_path / "conversations.json", [garden_talk(), {"id": "torn"}])
    out, error = _run("import", path, "--person", "alice")
    assert out.splitlines()[0] == "ChatGPT: brought 1 conversation, 4 messages, 1 memory, 1 broken entry"
    assert "conversations.json, entry 2 (torn): its mapping is not an object" in error
    assert "1 entries were not taken" in error
    assert len(said()) == 4
    with every_space():
        assert HistoryImport.objects.get().state == "done"


def test_a_foreign_file_needs_a_person_and_a_known_format(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "e.zip", {"conversations.json": [garden_talk()]})
    assert "Whose is it?" in _run("import", path)[1]
    unknown = zip_of(tmp_path / "x.zip", {"hello.json": {"a": 1}})
    assert "of no format that is known here" in _run("import", unknown, "--person", "alice")[1]
    assert "There is no file" in _run("import", tmp_path / "none.zip", "--person", "alice")[1]


def test_a_note_is_a_profile_unless_it_is_named_markdown(tmp_path: Path) -> None:
    note = written(tmp_path / "garden.md", "Figs want sun.\n\n- Plums do too\n")
    _run("import", note, "--person", "alice")
    assert kept() == ["Plums do too"]
    _run("import", note, "--person", "bob", "--from", "markdown")
    assert kept("bob") == ["Figs want sun.", "Plums do too"]


def test_an_export_of_our_own_is_still_read_as_such(tmp_path: Path) -> None:
    bring(zip_of(tmp_path / "e.zip", {"conversations.json": [garden_talk()]}))
    out, _ = _run("export", "--person", "alice")
    own = written(tmp_path / "alice.jsonl", out)
    told, _ = _run("import", own, "--person", "bob")
    assert "added" in told
    assert kept("bob") == kept()
    assert [words for _, _, words, _ in said("bob")] == [words for _, _, words, _ in said()]


def test_markdown_goes_out_by_category_and_day_and_comes_back(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Boat.md").write_text("---\ntags: [varnish]\n---\n# Work\n\n- The mast is oak\n")
    (vault / "2024-05-01.md").write_text("- Painted the hull\n")
    bring(vault)
    path = tmp_path / "out.zip"
    assert _run("export", "--person", "alice", "--markdown", path)[0] == f"2 memories written to {path}\n"
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert texts == {
        "Work Context.md": "# Work Context\n\n- The mast is oak #varnish\n",
        "Daily notes/2024-05-01.md": "- Painted the hull\n",
    }
    _run("import", path, "--person", "bob")
    assert kept("bob") == ["Painted the hull", "The mast is oak varnish"]


@pytest.mark.parametrize("before", [0, 2])
def test_an_import_that_is_under_way_can_be_neither_undone_nor_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    refused: list[str] = []

    def meddle() -> None:
        read_imported(ignore)  # it ends what was stopped, and this was not
        for act in (
            lambda: undo_import(row=_row(), author=AUTHOR, now=timezone.now()),
            lambda: cancel_import(row=_row()),
        ):
            with pytest.raises(ConflictError) as error:
                act()
            refused.append(str(error.value))

    _meanwhile(monkeypatch, before, meddle)
    _run("import", _talks(tmp_path), "--person", "alice")
    assert len(refused) == 2
    assert (_row().state, len(said())) == ("done", 16)


def test_an_import_that_was_taken_for_stopped_and_undone_stops_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undo() -> None:
        with every_space():
            HistoryImport.objects.update(alive_at=timezone.now() - 2 * STOPPED_AFTER)
        read_imported(ignore)
        assert _row().state == "failed"
        undo_import(row=_row(), author=AUTHOR, now=timezone.now())

    _meanwhile(monkeypatch, 2, undo)
    _, error = _run("import", _talks(tmp_path), "--person", "alice")
    assert "undone or removed meanwhile: import the file again" in error
    assert (_row().state, said()) == ("undone", [])


def test_an_import_that_is_interrupted_ends_at_once_and_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    _meanwhile(monkeypatch, 2, interrupt)
    with pytest.raises(KeyboardInterrupt):
        _run("import", _talks(tmp_path), "--person", "alice")
    row = _row()
    assert row.state == "failed"
    assert row.error.startswith("It was stopped before its end")
    undo_import(row=row, author=AUTHOR, now=timezone.now())
    assert said() == []
