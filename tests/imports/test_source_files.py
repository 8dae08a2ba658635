"""Files that are damaged, hostile or very large: told of, never unpacked, and the rest is read."""

import json
import zipfile
from pathlib import Path

import pytest

from memory_app.imports import json_stream, source_files
from memory_app.imports.source_files import Unreadable, open_source
from tests.imports.reading import conversations, faults, memories, read, written
from tests.imports.samples import garden_talk, zip_of


def test_a_path_that_leads_out_of_the_zip_is_told_and_not_followed(tmp_path: Path) -> None:
    path = zip_of(
        tmp_path / "e.zip", {"conversations.json": [garden_talk()], "../../etc/conversations.json": [garden_talk("x")]}
    )
    entries = read(path)
    assert [*conversations(entries)] == ["garden"]
    assert faults(entries) == [("../../etc/conversations.json", "its path leads out of the zip")]


def test_a_drive_leads_out_of_the_zip_and_a_colon_in_a_name_does_not(tmp_path: Path) -> None:
    names = ("Meeting: boat.md", "a:b.md", "C:\\notes\\drive.md", "c:/drive.md")
    entries = read(zip_of(tmp_path / "vault.zip", {name: f"- Words of {name[-7:]}\n" for name in names}), "markdown")
    assert sorted(memories(entries)) == ["Words of a:b.md", "Words of boat.md"]
    assert [place for place, _ in faults(entries)] == ["C:\\notes\\drive.md", "c:/drive.md"]


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 20_000_000 + b"]")
    with pytest.raises(Unreadable, match="unpacks to more than 200 times its size"), open_source(path):
        pass


def test_a_file_that_is_too_large_names_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "LARGEST_FILE", 10)
    with pytest.raises(Unreadable, match=r"conversations\.json has .* at most"):
        read(written(tmp_path / "conversations.json", [garden_talk()]))


def test_a_damaged_zip_says_so(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "e.zip", {"conversations.json": [garden_talk()]})
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + b"\0\0\0\0" + whole[44:])
    with pytest.raises(Unreadable, match="damaged"):
        read(path)


def test_broken_json_within_an_item_costs_that_item_alone(tmp_path: Path) -> None:
    one, two = json.dumps(garden_talk("one")), json.dumps(garden_talk("two"))
    entries = read(written(tmp_path / "conversations.json", f'[{one}, {{"conversation_id": oops}}, {two}]'))
    assert [*conversations(entries)] == ["one", "two"]
    assert faults(entries) == [("conversations.json, entry 2", "it is not JSON")]


def test_a_file_that_ends_in_the_middle_gives_what_is_whole(tmp_path: Path) -> None:
    text = json.dumps([garden_talk("one"), garden_talk("two")])
    entries = read(written(tmp_path / "conversations.json", text[:-40]))
    assert [*conversations(entries)] == ["one"]
    assert faults(entries) == [
        ("conversations.json, entry 2", "the file ends in the middle of it: download it again"),
    ]


def test_items_are_found_across_the_parts_that_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "CHUNK_CHARACTERS", 7)
    talks = [garden_talk('a,]}"\\{['), garden_talk("two")]
    entries = read(written(tmp_path / "conversations.json", talks))
    assert [*conversations(entries)] == ['a,]}"\\{[', "two"]


def test_deep_nesting_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    deep = "[" * 200_000 + "]" * 200_000
    entries = read(written(tmp_path / "conversations.json", f"[{json.dumps(garden_talk())}, {deep}]"), "chatgpt")
    assert [*conversations(entries)] == ["garden"]
    assert len(faults(entries)) == 1


def test_nul_and_half_characters_are_taken_out(tmp_path: Path) -> None:
    talk = garden_talk()
    talk["mapping"]["garden-1"]["message"]["content"]["parts"] = ["a\x00b \ud800 c"]
    entries = read(written(tmp_path / "conversations.json", [talk]))
    assert conversations(entries)["garden"][0] == ("user", "ab ? c")
