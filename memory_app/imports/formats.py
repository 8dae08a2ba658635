"""Which formats there are, and by what each is recognised: by what stands in its files, never by a name alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memory_app.imports import chatgpt, claude, claude_code, letta, markdown, mem0, server_memory
from memory_app.imports.entries import Entry
from memory_app.imports.json_stream import read_items, read_lines
from memory_app.imports.source_files import SourceFile, SourceFiles

FILES_LOOKED_AT = 20
COPIED_LIST = "# Model Set Context"
START_CHARACTERS = 4_096


@dataclass(frozen=True, slots=True)
class Format:
    """label: as people call it. files: what to bring."""

    label: str
    files: str
    read: Callable[[Sequence[SourceFile]], Iterator[Entry]]


FORMATS = {
    "chatgpt": Format("ChatGPT", "the zip that ChatGPT mails, or its conversations.json", chatgpt.read),
    "claude": Format("Claude", "the zip that Claude mails, or its conversations.json", claude.read),
    "claude-code": Format("Claude Code", "a session (.jsonl), or a zip of ~/.claude/projects", claude_code.read),
    "mem0": Format("mem0", "what get_all answered, as JSON", mem0.read),
    "letta": Format("Letta", "an agent file (.af)", letta.read),
    "server-memory": Format("MCP memory server", "its memory.jsonl", server_memory.read),
    "markdown": Format("Markdown or Obsidian", "a note, or a folder of notes as a zip", markdown.read),
}


def recognise(source: SourceFiles) -> str:
    """The name of the format; "" where it is none of these."""
    files = [file for file in source.files if file.base not in ("user.json", "users.json", "export_manifest.json")]
    likely = sorted(files, key=lambda file: not file.base.startswith(("conversations", "memor")))
    for file in likely[:FILES_LOOKED_AT]:
        if found := _format_of_file(file):
            return found
    notes = [file for file in files if file.suffix in (".md", ".markdown")]
    if any(_is_copied_list(file) for file in files[:1] if file.suffix in (".md", ".txt")):
        return "chatgpt"
    return "markdown" if notes else ""


def _format_of_file(file: SourceFile) -> str:
    if file.suffix in (".json", ".af"):
        first = next((item.value for item in read_items(file) if not item.fault), None)
        return _format_of_object(first) or (_format_of_lines(file) if first is None else "")
    return _format_of_lines(file) if file.suffix == ".jsonl" else ""


def _format_of_lines(file: SourceFile) -> str:
    for number, item in enumerate(read_lines(file)):
        if number >= FILES_LOOKED_AT:
            break
        if found := _format_of_line(item.value) or _format_of_object(item.value):
            return found
    return ""


def _format_of_line(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    if value.get("type") in ("entity", "relation") and value.keys() & {"observations", "relationType"}:
        return "server-memory"
    return "claude-code" if "sessionId" in value and value.keys() & {"message", "summary", "snapshot"} else ""


def _format_of_object(value: Any) -> str:
    """By the fields that only this product has."""
    if not isinstance(value, dict) or value.keys() >= {"kind", "person"}:  # a line of our own export
        return ""
    names = value.keys()
    results = value.get("results")
    if names >= {"mapping"} or names >= {"enabled", "content"}:
        return "chatgpt"
    if "chat_messages" in names or "conversations_memory" in names:
        return "claude"
    if "agents" in names and "blocks" in names:
        return "letta"
    first = results[0] if isinstance(results, list) and results else value
    is_mem0 = isinstance(first, dict) and isinstance(first.get("memory"), str) and "id" in first
    return "mem0" if is_mem0 else _format_of_line(value)


def _is_copied_list(file: SourceFile) -> bool:
    try:
        with file.open_text() as text:
            return text.read(START_CHARACTERS).lstrip().startswith(COPIED_LIST)
    except UnicodeDecodeError:
        return False
