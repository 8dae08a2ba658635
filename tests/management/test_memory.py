"""`manage.py memory import` and `export`: the formats, the lines that are bad, and what is printed."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory_app.engine.enter import enter
from memory_app.engine.export import export

pytestmark = pytest.mark.django_db

MEMORY_MD = """# Memory

Some words that are no memory.

## User Preferences
- Alice prefers tea to coffee
* Alice likes short answers

## Work Context
- Alice works on project Falcon

## Something Else
-
- Alice has two cats
"""


def _import(file: Path, *options: str) -> tuple[str, str]:
    """What is printed on standard output and on standard error."""
    out, error = StringIO(), StringIO()
    call_command("memory", "import", str(file), *options, stdout=out, stderr=error)
    return out.getvalue(), error.getvalue()


def _file(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def _told(person: str = "alice") -> list[tuple[str, str]]:
    return [(memory["content"], memory["category"]) for memory in export(enter(person=person, create=False))]


def test_json_lines_with_bad_lines(tmp_path: Path) -> None:
    lines = [
        '{"person": "alice", "content": "Alice plays the cello"}',
        "{broken",
        "",
        '["alice"]',
        '{"content": "nobody said this"}',
        '{"person": "alice", "content": "Anna is Alice\'s sister", "confidence": 2}',
        '{"person": "alice", "content": "Soup is on Tuesdays"}',
    ]
    out, error = _import(_file(tmp_path, "some.jsonl", "\n".join(lines)))
    assert out == "2 added, 4 failed\n"
    assert [line.split(":")[0] for line in error.strip().splitlines()] == ["line 2", "line 4", "line 5", "line 6"]
    assert [content for content, _ in _told()] == ["Alice plays the cello", "Soup is on Tuesdays"]


def test_csv_with_a_bad_line(tmp_path: Path) -> None:
    text = (
        "content,category,tags,key\n"
        '"Alice lives in Paris,\nnear the river",personal,"town, home",home\n'
        "too,few\n"
        "\n"
        "Alice plays the cello,,,\n"
        "a,b,c,d,e\n"
        "Alice hums,,,\n"
    )
    out, error = _import(_file(tmp_path, "some.csv", text), "--person", "alice")
    assert out == "3 added, 2 failed\n"
    assert [line.split(":")[0] for line in error.strip().splitlines()] == ["line 4", "line 7"]
    memories = list(export(enter(person="alice", create=False)))
    assert memories[0]["content"] == "Alice lives in Paris,\nnear the river"
    assert (memories[0]["tags"], memories[0]["key"], memories[0]["category"]) == (["town", "home"], "home", "personal")


def test_a_csv_field_too_large_is_a_bad_line(tmp_path: Path) -> None:
    text = "content\nAlice sings\n" + "x" * 140_000 + "\nAlice hums\n"
    out, error = _import(_file(tmp_path, "some.csv", text), "--person", "alice")
    assert out == "2 added, 1 failed\n"
    assert error.startswith("line 3:")


def test_memory_md(tmp_path: Path) -> None:
    out, error = _import(_file(tmp_path, "MEMORY.md", MEMORY_MD), "--person", "alice")
    assert (out, error) == ("4 added\n", "")
    assert _told() == [
        ("Alice prefers tea to coffee", "preference"),
        ("Alice likes short answers", "preference"),
        ("Alice works on project Falcon", "work"),
        ("Alice has two cats", "fact"),
    ]
    assert _import(_file(tmp_path, "MEMORY.md", MEMORY_MD), "--person", "alice") == ("4 there\n", "")


def test_what_export_prints_import_reads(tmp_path: Path) -> None:
    _import(_file(tmp_path, "MEMORY.md", MEMORY_MD), "--person", "alice")
    out = StringIO()
    call_command("memory", "export", "--person", "alice", stdout=out)
    lines = out.getvalue().splitlines()
    assert [json.loads(line)["content"] for line in lines] == [content for content, _ in _told()]
    assert _import(_file(tmp_path, "alice.jsonl", out.getvalue())) == ("4 there\n", "")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8"])
def test_a_byte_order_mark_and_foreign_line_ends_are_no_matter(encoding: str, tmp_path: Path) -> None:
    text = '{"person": "alice", "content": "naïve 東京 😀"}\r\n{"person": "alice", "content": "Soup"}\r\n'
    assert _import(_file(tmp_path, "some.jsonl", text, encoding))[0] == "2 added\n"
    assert [content for content, _ in _told()] == ["naïve 東京 😀", "Soup"]


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no file"):
        _import(tmp_path / "none.jsonl")
    with pytest.raises(CommandError, match="UTF-8"):
        _import(_file(tmp_path, "some.jsonl", '{"person": "alice", "content": "naïve"}', "latin-1"))
    assert _import(_file(tmp_path, "some.jsonl", "")) == ("empty\n", "")


def test_an_export_of_somebody_unknown_is_refused() -> None:
    with pytest.raises(CommandError, match="nobody"):
        call_command("memory", "export", "--person", "nobody")
