"""ChatGPT's export, old and partitioned: the branch that was shown, saved memories, and what is broken."""

from datetime import UTC, datetime
from pathlib import Path

from memory_app.imports.entries import ImportedConversation, ImportedMemory
from tests.imports.reading import conversations, faults, memories, read, recognised, skipped, written
from tests.imports.samples import SPRING, chatgpt_conversation, chatgpt_message, garden_talk, zip_of


def test_a_zip_as_downloaded_gives_turns_at_their_times_and_saved_memories(tmp_path: Path) -> None:
    path = zip_of(
        tmp_path / "export.zip", {"conversations.json": [garden_talk()], "user.json": {"id": "u"}, "a.png": "x"}
    )
    entries = read(path)
    assert recognised(path) == "chatgpt"
    assert conversations(entries)["garden"] == [
        ("user", "I moved to Ghent last week and I am a vegetarian."),
        ("assistant", "Welcome to Ghent! What do you like to cook?"),
        ("user", "I prefer lentil soup to anything else for dinner."),
        ("assistant", "A fine choice."),
    ]
    talk = next(entry for entry in entries if isinstance(entry, ImportedConversation))
    assert [turn.said_at for turn in talk.turns][:2] == [
        datetime(2024, 5, 1, 10, 0, tzinfo=UTC),
        datetime(2024, 5, 1, 10, 0, 10, tzinfo=UTC),
    ]
    assert memories(entries) == ["User lives in Ghent."]
    assert skipped(entries) == {"messages of tools and of the system, pictures and empty ones": 1}


def test_a_partitioned_export_is_read_part_by_part(tmp_path: Path) -> None:
    files = {
        "export_manifest.json": {"files": []},
        "conversations-000.json": [garden_talk("one")],
        "conversations-001.json": [garden_talk("two"), garden_talk("three")],
    }
    assert [*conversations(read(zip_of(tmp_path / "e.zip", files)))] == ["one", "two", "three"]


def test_only_the_branch_that_was_shown_last_is_read(tmp_path: Path) -> None:
    talk = chatgpt_conversation(
        "edited",
        chatgpt_message("a", "user", "What is a fig?", SPRING),
        chatgpt_message("b", "assistant", "A fruit.", SPRING + 1),
    )
    talk["mapping"]["a2"] = {
        "message": chatgpt_message("a2", "user", "What is a plum?", SPRING + 5),
        "parent": "root",
        "children": [],
    }
    shown = {**talk, "current_node": "a2"}
    assert conversations(read(written(tmp_path / "conversations.json", [shown])))["edited"] == [
        ("user", "What is a plum?")
    ]
    lost = {**talk, "current_node": "gone"}
    assert conversations(read(written(tmp_path / "conversations.json", [lost])))["edited"] == [
        ("user", "What is a plum?")
    ]


def test_a_circle_of_messages_ends(tmp_path: Path) -> None:
    talk = garden_talk()
    talk["mapping"]["root"]["parent"] = "garden-6"
    assert len(conversations(read(written(tmp_path / "conversations.json", [talk])))["garden"]) == 4


def test_a_broken_entry_is_told_by_its_place_and_the_rest_is_read(tmp_path: Path) -> None:
    broken = {**garden_talk("torn"), "mapping": "oops"}
    nameless: dict[str, object] = {"mapping": {}}
    path = written(tmp_path / "conversations.json", [garden_talk("one"), broken, nameless, 7, garden_talk("two")])
    entries = read(path)
    assert [*conversations(entries)] == ["one", "two"]
    assert faults(entries) == [
        ("conversations.json, entry 2 (torn)", "its mapping is not an object"),
        ("conversations.json, entry 3", "it has no conversation_id"),
        ("conversations.json, entry 4", "it is not an object"),
    ]


def test_pictures_hidden_messages_and_empty_ones_are_left_out(tmp_path: Path) -> None:
    picture = {"content_type": "multimodal_text", "parts": [{"asset_pointer": "file://x"}, "Look at this plum."]}
    talk = chatgpt_conversation(
        "mixed",
        chatgpt_message("a", "system", "You are helpful.", None),
        chatgpt_message("b", "user", "hidden", SPRING, metadata={"is_visually_hidden_from_conversation": True}),
        chatgpt_message("c", "user", "", SPRING, content=picture),
        chatgpt_message("d", "assistant", "print()", SPRING, content={"content_type": "code", "text": "print()"}),
        chatgpt_message("e", "assistant", "  ", SPRING),
    )
    entries = read(written(tmp_path / "conversations.json", [talk]))
    assert conversations(entries)["mixed"] == [("user", "Look at this plum.")]
    assert sum(skipped(entries).values()) == 4


def test_saved_memories_come_as_json_and_as_a_copied_list(tmp_path: Path) -> None:
    saved = [
        {"content": "User has a dog.", "enabled": True, "created_at": "2024-04-26T10:00:00Z"},
        {"content": "User has a cat.", "enabled": False},
        {"enabled": True},
    ]
    entries = read(zip_of(tmp_path / "e.zip", {"conversations.json": [garden_talk()], "memory.json": saved}))
    assert memories(entries) == ["User lives in Ghent.", "User has a dog."]
    assert skipped(entries)["memories that were switched off"] == 1
    assert faults(entries) == [("memory.json, entry 3", "it has no content")]

    copied = written(tmp_path / "list.txt", "# Model Set Context\n\n1. [2024-04-26]. User loves dogs.\n- User sings.\n")
    assert recognised(copied) == "chatgpt"
    found = [entry for entry in read(copied) if isinstance(entry, ImportedMemory)]
    assert [(one.content, one.said_at) for one in found] == [
        ("User loves dogs.", datetime(2024, 4, 26, tzinfo=UTC)),
        ("User sings.", None),
    ]


def test_a_date_that_is_none_costs_its_line_of_a_copied_list_alone(tmp_path: Path) -> None:
    lines = "1. [2024-04-26]. User loves dogs.\n2. [2024-02-31]. User rows.\n3. [2024-04-27]. User sings.\n"
    entries = read(written(tmp_path / "list.txt", lines), "chatgpt")
    assert memories(entries) == ["User loves dogs.", "User sings."]
    assert faults(entries) == [("list.txt, line 2", "its date is no date")]
