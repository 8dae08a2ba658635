"""Claude, Claude Code, mem0, Letta, the reference memory server, Markdown and Obsidian: what is read of each."""

import json
from datetime import UTC, datetime
from pathlib import Path

from memory_app.imports.entries import ImportedMemory
from tests.imports.reading import conversations, faults, memories, read, recognised, skipped, written
from tests.imports.samples import claude_conversation, zip_of

TALK = claude_conversation("c1", ("human", "I play the cello."), ("assistant", "Lovely."), ("human", ""))
MEMORIES = [
    {
        "account_uuid": "a1",
        "conversations_memory": "**Work context**\n\nMaya leads the harbour project.\n\n**Personal**\n\n- Maya sings.",
        "project_memories": {"p1": "The boat is called Ida."},
    }
]


def test_claude_conversations_and_memories(tmp_path: Path) -> None:
    files = {"conversations.json": [TALK], "memories.json": MEMORIES, "projects.json": [{"uuid": "p1", "name": "Boat"}]}
    path = zip_of(tmp_path / "data-batch-0000.zip", {**files, "users.json": [{"uuid": "u"}]})
    entries = read(path)
    assert recognised(path) == "claude"
    assert conversations(entries) == {"c1": [("user", "I play the cello."), ("assistant", "Lovely.")]}
    found = [entry for entry in entries if isinstance(entry, ImportedMemory)]
    assert [(one.content, one.category, one.tags) for one in found] == [
        ("Maya leads the harbour project.", "work", ()),
        ("Maya sings.", "personal", ()),
        ("The boat is called Ida.", "", ("Boat",)),
    ]


def test_the_newer_claude_export_in_folders(tmp_path: Path) -> None:
    files = {
        "conversations-000.json": [TALK],
        "memories/a1.json": MEMORIES[0],
        "projects/p1.json": {"uuid": "p1", "name": "Boat"},
    }
    entries = read(zip_of(tmp_path / "data.zip", files))
    assert [*conversations(entries)] == ["c1"]
    assert len(memories(entries)) == 3


def test_claude_messages_of_nobody_are_told_by_place(tmp_path: Path) -> None:
    broken = {**TALK, "chat_messages": [*TALK["chat_messages"], {"uuid": "x", "sender": "ghost", "text": "boo"}]}
    entries = read(written(tmp_path / "conversations.json", [broken]))
    assert faults(entries) == [
        ("conversations.json, entry 1 (c1), message 4", "its sender is neither human nor assistant")
    ]
    assert [*conversations(entries)] == ["c1"]


def test_claude_code_sessions_without_tools(tmp_path: Path) -> None:
    def line(number: int, kind: str, content: object, **fields: object) -> dict[str, object]:
        told = {"type": kind, "uuid": f"u{number}", "sessionId": "s1", "timestamp": f"2025-01-02T03:0{number}:00Z"}
        return {**told, "cwd": "/w", "message": {"role": kind, "content": content}, **fields}

    lines = [
        {"type": "summary", "summary": "Tests", "leafUuid": "u1"},
        line(1, "user", "We use tabs in this project."),
        line(2, "assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Noted."}]),
        line(3, "user", [{"type": "tool_result", "tool_use_id": "t", "content": "42"}]),
        line(4, "user", "<command-name>/clear</command-name>"),
        line(5, "user", "Ignore me", isMeta=True),
    ]
    path = written(tmp_path / "s1.jsonl", lines)
    entries = read(path)
    assert recognised(path) == "claude-code"
    assert conversations(entries) == {"s1": [("user", "We use tabs in this project."), ("assistant", "Noted.")]}


def test_mem0_pages_keep_ids_times_and_whose_they_are(tmp_path: Path) -> None:
    def memory(number: int, user: str) -> dict[str, object]:
        told = {"id": f"m{number}", "memory": f"Likes number {number}", "user_id": user, "categories": ["food"]}
        return {**told, "created_at": "2025-02-03T04:05:06.789-07:00", "expiration_date": None}

    page = written(tmp_path / "page.json", {"results": [memory(1, "maya"), {"id": "m9"}]})
    [one] = [entry for entry in read(page) if isinstance(entry, ImportedMemory)]
    assert recognised(page) == "mem0"
    assert (one.id, one.content, one.tags, one.owner) == ("m1", "Likes number 1", ("food",), "")
    assert one.said_at == datetime(2025, 2, 3, 11, 5, 6, 789_000, UTC)
    assert faults(read(page)) == [("page.json, entry 1, result 2 (m9)", "it has no memory")]

    pages = written(tmp_path / "pages.json", [{"results": [memory(1, "maya")]}, {"results": [memory(2, "nils")]}])
    several = [entry for entry in read(pages) if isinstance(entry, ImportedMemory)]
    assert [(one.id, one.owner) for one in several] == [("m1", "maya"), ("m2", "nils")]


def test_letta_agents_and_blocks_but_no_persona(tmp_path: Path) -> None:
    said = {"type": "user_message", "message": "I row every morning.", "time": "x"}
    arguments = json.dumps({"message": "Good for you."})
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "You are Ada."}]},
        {
            "id": "m1",
            "role": "user",
            "content": [{"type": "text", "text": json.dumps(said)}],
            "created_at": "2025-03-01T08:00:00Z",
        },
        {"id": "m2", "role": "user", "content": [{"type": "text", "text": json.dumps({"type": "heartbeat"})}]},
        {
            "id": "m3",
            "role": "assistant",
            "content": [{"type": "text", "text": "A thought."}],
            "tool_calls": [{"function": {"name": "send_message", "arguments": arguments}}],
        },
    ]
    blocks = [
        {"id": "b1", "label": "human", "value": "Name: Maya\n\n- Rows"},
        {"id": "b2", "label": "persona", "value": "I am Ada."},
        {"id": "b3", "label": "boat", "value": 7},
    ]
    path = written(
        tmp_path / "ada.af", {"agents": [{"id": "a", "name": "Ada", "messages": messages}], "blocks": blocks}
    )
    entries = read(path)
    assert recognised(path) == "letta"
    assert conversations(entries) == {"Ada:a": [("user", "I row every morning."), ("assistant", "Good for you.")]}
    assert memories(entries) == ["Name: Maya", "Rows"]
    assert faults(entries) == [("ada.af, block 3", "its value is not text")]


def test_the_reference_server_s_observations_and_relations(tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": "default_user", "entityType": "person", "observations": ["Speaks Dutch", 7]},
        {"type": "entity", "name": "Ida", "entityType": "boat", "observations": ["Ida is red"]},
        {"type": "relation", "from": "default_user", "to": "Ida", "relationType": "sails_on"},
        {"type": "relation", "from": "Ida"},
    ]
    path = written(tmp_path / "memory.jsonl", lines)
    entries = read(path)
    assert recognised(path) == "server-memory"
    assert memories(entries) == ["User: Speaks Dutch", "Ida is red", "User sails on Ida"]
    assert faults(entries) == [
        ("memory.jsonl, line 1, observation 2", "it is not text"),
        ("memory.jsonl, line 4", "it has no relationType"),
    ]


NOTE = """---
tags: [boat, sea]
created: 2024-03-05
---
# Boats

We sail [[Ida|the red boat]] in #summer.

- The mast is oak
  - replaced in 2019
- The sail is new

```
make sail
```
"""


def test_an_obsidian_folder_by_bullets_and_paragraphs(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "app.md").write_text("settings")
    (vault / "Boats.md").write_text(NOTE)
    (vault / "2024-05-01.md").write_text("- Painted the hull\n")
    (vault / "bad.md").write_bytes(b"caf\xe9 au lait")
    (vault / "wide.md").write_text("Tide tables are in the cabin.", encoding="utf-16")
    entries = read(vault)
    assert recognised(vault) == "markdown"
    found = [entry for entry in entries if isinstance(entry, ImportedMemory)]
    assert [(one.content, one.type, one.context) for one in found] == [
        ("Painted the hull", "note", ""),
        ("We sail the red boat in summer.", "", "Boats · Boats"),
        ("The mast is oak\n- replaced in 2019", "", "Boats · Boats"),
        ("The sail is new", "", "Boats · Boats"),
        ("```\nmake sail\n```", "", "Boats · Boats"),
        ("Tide tables are in the cabin.", "", "wide"),
    ]
    assert found[0].said_at == datetime(2024, 5, 1, 12, tzinfo=UTC)
    assert (found[1].tags, found[1].said_at) == (("boat", "sea", "summer"), datetime(2024, 3, 5, tzinfo=UTC))
    assert faults(entries) == [("bad.md", "it is not UTF-8 text: convert it first")]


def test_a_long_note_becomes_several_memories(tmp_path: Path) -> None:
    words = "word " * 9_000
    entries = read(written(tmp_path / "long.md", words), "markdown")
    lengths = [len(content) for content in memories(entries)]
    assert max(lengths) <= 20_000
    assert sum(content.count("word") for content in memories(entries)) == 9_000


def test_skipped_things_are_counted(tmp_path: Path) -> None:
    entries = read(zip_of(tmp_path / "d.zip", {"conversations.json": [TALK], "projects.json": [{"uuid": "p"}]}))
    assert skipped(entries) == {
        "documents and instructions of projects": 1,
        "messages without words, such as an attachment alone": 1,
    }
