"""Claude's memory tool over a person's memory: what its paths are, and what each command says."""

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from conftest import Server
from keepsake_client import AsyncKeepsake, Keepsake
from keepsake_client.anthropic import AsyncKeepsakeMemoryTool, KeepsakeMemoryTool

TODAY = datetime.datetime.now(datetime.UTC).date().isoformat()


@pytest.fixture
def client(server: Server) -> Iterator[Keepsake]:
    with Keepsake(server.url, server.key) as client:
        yield client


@pytest.fixture
def tool(client: Keepsake, person: str) -> KeepsakeMemoryTool:
    return KeepsakeMemoryTool(client, person=person)


def run(tool: KeepsakeMemoryTool, command: str, **fields: Any) -> str:
    return str(tool.call({"command": command, **fields}))


def refused(tool: KeepsakeMemoryTool, command: str, **fields: Any) -> str:
    with pytest.raises(ToolError) as error:
        run(tool, command, **fields)
    return str(error.value)


def test_a_folder_is_listed_with_what_is_kept_of_the_person(
    tool: KeepsakeMemoryTool, client: Keepsake, person: str
) -> None:
    empty = run(tool, "view", path="/memories")
    assert empty.splitlines()[1:] == ["0B\t/memories"]
    client.add_memory(person, "I like green tea")
    client.add_note(person, TODAY, "It rained")
    client.propose(person, [{"content": "I sing in a choir"}])
    for path in ("plans/trip.md", "plans/2027/deep/far.md", ".hidden", "a.txt"):
        run(tool, "create", path=f"/memories/{path}", file_text="12345")
    shown = [line.split("\t")[1] for line in run(tool, "view", path="/memories").splitlines()[1:]]
    assert shown == [
        "/memories",
        "/memories/MEMORY.md",
        "/memories/a.txt",
        "/memories/notes/",
        f"/memories/notes/{TODAY}.md",
        "/memories/plans/",
        "/memories/plans/2027/",
        "/memories/plans/trip.md",
        "/memories/proposals.md",
    ]
    below = run(tool, "view", path="/memories/plans")
    assert "5B\t/memories/plans/trip.md" in below.splitlines()
    assert "I sing in a choir" in run(tool, "view", path="/memories/proposals.md")
    assert "It rained" in run(tool, "view", path=f"/memories/notes/{TODAY}.md")


def test_the_profile_is_edited_and_read_back_as_what_is_kept(
    tool: KeepsakeMemoryTool, client: Keepsake, person: str
) -> None:
    client.add_memory(person, "I like green tea")
    assert "green tea" in run(tool, "view", path="/memories/MEMORY.md")
    edited = run(tool, "str_replace", path="/memories/MEMORY.md", old_str="green tea", new_str="black tea")
    assert "black tea" in edited
    assert [item["content"] for item in client.list_memories(person)["items"]] == ["I like black tea"]
    assert "kept by Keepsake" in refused(tool, "delete", path="/memories/MEMORY.md")
    assert "kept by Keepsake" in refused(tool, "create", path="/memories/MEMORY.md", file_text="x")


def test_notes_are_added_at_their_end_alone(tool: KeepsakeMemoryTool, client: Keepsake, person: str) -> None:
    path = f"/memories/notes/{TODAY}.md"
    run(tool, "insert", path=path, insert_line=0, insert_text="It rained")
    lines = len(client.get_notes(person, TODAY)["text"].splitlines())
    run(tool, "insert", path=path, insert_line=lines, insert_text="It stopped")
    assert [note["text"] for note in client.get_notes(person, TODAY)["notes"]] == ["It rained", "It stopped"]
    assert "only insert at its end" in refused(tool, "insert", path=path, insert_line=0, insert_text="x")
    assert "only insert at its end" in refused(tool, "str_replace", path=path, old_str="rained", new_str="snowed")
    assert "can only be read" in refused(tool, "insert", path="/memories/proposals.md", insert_line=0, insert_text="x")


def test_documents_are_written_edited_moved_and_deleted(
    tool: KeepsakeMemoryTool, client: Keepsake, person: str
) -> None:
    path = "/memories/plans/trip.md"
    assert run(tool, "create", path=path, file_text="Rome\nin\nMay") == f"File created successfully at: {path}"
    assert refused(tool, "create", path=path, file_text="x") == f"File {path} already exists"
    assert run(tool, "view", path=path, view_range=[2, -1]).endswith(":\n     2\tin\n     3\tMay")
    assert run(tool, "str_replace", path=path, old_str="May", new_str="June").endswith("     3\tJune")
    assert "did not appear verbatim" in refused(tool, "str_replace", path=path, old_str="May", new_str="x")
    assert "is not a file" in refused(tool, "str_replace", path="/memories/plans", old_str="a", new_str="b")
    run(tool, "insert", path=path, insert_line=3, insert_text="or July")
    [document] = client.list_documents(person, path="plans/trip.md")["items"]
    assert (document["content"], document["version"]) == ("Rome\nin\nJune\nor July\n", 3)
    assert run(tool, "rename", old_path="/memories/plans", new_path="/memories/old") == (
        "Successfully renamed /memories/plans to /memories/old"
    )
    run(tool, "create", path="/memories/new.md", file_text="")
    taken = refused(tool, "rename", old_path="/memories/new.md", new_path="/memories/old/trip.md")
    assert taken == "The destination /memories/old/trip.md already exists"
    found = client.search(person, "Rome in June", kinds=["document"])["results"]
    assert [result["kind"] for result in found][:1] == ["document"]
    assert run(tool, "delete", path="/memories/old") == "Successfully deleted /memories/old"
    assert "does not exist" in refused(tool, "view", path="/memories/old/trip.md")
    assert "does not exist" in refused(tool, "delete", path="/memories/old")


def test_paths_stay_in_the_folder(tool: KeepsakeMemoryTool) -> None:
    assert "must start with /memories" in refused(tool, "view", path="/etc/passwd")
    assert "must start with /memories" in refused(tool, "view", path="/memories2")
    assert "would escape /memories" in refused(tool, "view", path="/memories/a/../../etc")
    assert "itself" in refused(tool, "delete", path="/memories")


async def test_the_async_tool_does_the_same(server: Server, person: str) -> None:
    async with AsyncKeepsake(server.url, server.key) as client:
        tool = AsyncKeepsakeMemoryTool(client, person=person)
        path = "/memories/a.md"
        assert await tool.call({"command": "create", "path": path, "file_text": "Hello"}) == (
            f"File created successfully at: {path}"
        )
        with pytest.raises(ToolError, match="already exists"):
            await tool.call({"command": "create", "path": path, "file_text": "Hello"})
        assert "Hello" in str(await tool.call({"command": "view", "path": path}))
