"""`manage.py memory import` and `export`: the formats, the lines that are bad, and what is printed."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory_app.engine.transfer.export import export_person
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Person

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
    """What is printed on standard output and on standard error, whether or not all of it came in."""
    out, error = StringIO(), StringIO()
    try:
        call_command("memory", "import", str(file), *options, stdout=out, stderr=error)
    except CommandError as failed:
        if "were not taken" not in str(failed):
            raise
    return out.getvalue(), error.getvalue()


def test_an_import_of_which_a_line_failed_ends_as_failed_and_keeps_the_rest(tmp_path: Path) -> None:
    file = _file(tmp_path, "some.jsonl", '{"person": "alice", "content": "Alice hums"}\nno JSON\n')
    with pytest.raises(CommandError, match=r"^1 of 2 were not taken") as failed:
        call_command("memory", "import", str(file), stdout=StringIO(), stderr=StringIO())
    assert failed.value.returncode == 1
    assert [content for content, _ in _told()] == ["Alice hums"]


def _file(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def _told(person: str = "alice") -> list[tuple[str, str]]:
    return [
        (memory["content"], memory["category"]) for memory in export_person(resolve_venue(person=person, create=False))
    ]


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
    memories = list(export_person(resolve_venue(person="alice", create=False)))
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


PROFILES = [
    {"user": "alice", "favourite_food": "pizza", "pets": ["a cat", "a dog"], "preferences": {"tea": "green"}, "v": 1},
    {"user": "bob", "home": "Oslo"},
    {"home": "nowhere"},
]


def _kept(person: str) -> list[tuple[str, str, str, str]]:
    told = export_person(resolve_venue(person=person, create=False))
    return [(line["content"], line["key"], line["category"], line["source_type"]) for line in told]


def test_profiles_are_previewed_and_then_brought_over(tmp_path: Path) -> None:
    file = _file(tmp_path, "profiles.json", json.dumps(PROFILES, indent=2))
    options = (file, "--map", "user=person", "--map", "v=")
    out, error = _import(*options, "--dry-run")
    assert out.splitlines() == [
        "line 1: alice: Favourite food: pizza (key favourite_food)",
        "line 1: alice: Pets: a cat",
        "line 1: alice: Pets: a dog",
        "line 1: alice: Tea: green (category preference, key tea)",
        "line 2: bob: Home: Oslo (key home)",
        "line 3: nobody: Home: nowhere (key home)",
        "would be: 5 added, 1 failed",
    ]
    assert error == "line 3: no person: name one in the record or with --person\n"
    assert not Person.objects.exists()
    assert _import(*options)[0] == "5 added, 1 failed\n"
    assert _kept("alice")[0] == ("Favourite food: pizza", "favourite_food", "fact", "migration")
    assert ("Tea: green", "tea", "preference", "migration") in _kept("alice")
    assert [content for content, *_ in _kept("bob")] == ["Home: Oslo"]
    assert _import(*options)[0] == "1 failed, 5 there\n"


def test_a_csv_of_profiles(tmp_path: Path) -> None:
    file = _file(tmp_path, "profiles.csv", "name,home,shoe size\nalice,Rome,\nbob,Oslo,42\n")
    assert _import(file, "--map", "name=person")[0] == "3 added\n"
    assert [content for content, *_ in _kept("bob")] == ["Home: Oslo", "Shoe size: 42"]


def test_a_mapping_renames_fields_of_records(tmp_path: Path) -> None:
    file = _file(tmp_path, "old.jsonl", '{"who": "alice", "text": "Alice sings", "at": "2026-03-15T09:00:00Z"}\n')
    assert _import(file, "--map", "who=person", "--map", "text=content", "--map", "at=event_time")[0] == "1 added\n"
    assert [content for content, *_ in _kept("alice")] == ["Alice sings"]


def test_a_document_of_json_is_read_item_by_item(tmp_path: Path) -> None:
    text = json.dumps([{"person": "alice", "content": "Alice sings"}, 5], indent=1)
    out, error = _import(_file(tmp_path, "some.json", text))
    assert (out, error) == ("1 added, 1 failed\n", "line 2: each item must be a JSON object\n")
    lines = '{"person": "alice", "content": "Alice hums"}\n{"person": "alice", "content": "Alice reads"}\n'
    assert _import(_file(tmp_path, "lines.json", lines))[0] == "2 added\n"


def test_what_is_no_mapping_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="old=new"):
        _import(_file(tmp_path, "some.jsonl", ""), "--map", "person")


def test_ids_that_cannot_be_written_are_told_before_anything_is_taken(tmp_path: Path) -> None:
    file = _file(tmp_path, "some.jsonl", '{"person": "alice", "content": "Alice hums"}\n')
    with pytest.raises(CommandError, match=r"ids\.csv cannot be written: No such file or directory\."):
        _import(file, "--ids", str(tmp_path / "nowhere" / "ids.csv"))
    assert not Person.objects.exists()


def test_ids_are_written_as_they_come(tmp_path: Path) -> None:
    names = [f"{one}{other}" for one in "abcdefghij" for other in "klm"]  # two texts that share a word may conflict
    told = "".join(f'{{"person": "alice", "content": "{name}ara {name}eru {name}ilo"}}\n' for name in names)
    _import(_file(tmp_path, "told.jsonl", told))
    exported = StringIO()
    call_command("memory", "export", "--person", "alice", stdout=exported)
    file, ids = _file(tmp_path, "alice.jsonl", exported.getvalue()), tmp_path / "ids.csv"
    assert "have other ids here" not in _import(file, "--person", "bob", "--ids", str(ids))[0]
    header, *pairs = ids.read_text().splitlines()
    assert header == "old,new"
    assert {tuple(pair.split(",")) for pair in pairs} == {
        (str(mine["id"]), str(theirs["id"]))
        for mine in export_person(resolve_venue(person="alice", create=False))
        for theirs in export_person(resolve_venue(person="bob", create=False))
        if mine["content"] == theirs["content"]
    }
    said = _import(file, "--person", "bob")[0]
    assert "30 have other ids here" in said
    assert "and 10 more: --ids FILE writes all of them" in said


def test_a_csv_says_how_old_its_memories_are(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        "old.csv",
        "content,created_at\nAlice plays the cello,2024-03-01T10:00:00+01:00\nAlice has a boat,2023-05-02 08:30\n"
        "Alice likes tea,some day\n",
    )
    out, error = _import(file, "--person", "alice")
    assert (out, error.split(":")[0]) == ("2 added, 1 failed\n", "line 4")
    told = {line["content"]: line["created_at"] for line in export_person(resolve_venue(person="alice", create=False))}
    assert told == {"Alice plays the cello": "2024-03-01T09:00:00Z", "Alice has a boat": "2023-05-02T08:30:00Z"}
