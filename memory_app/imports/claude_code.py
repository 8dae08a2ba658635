"""Claude Code: its sessions, `~/.claude/projects/*/*.jsonl`, and what it wrote into `memory/*.md`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from memory_app.imports.entries import (
    Broken,
    Entry,
    Fault,
    ImportedConversation,
    ImportedTurn,
    Skipped,
    list_of,
    moment_of,
    object_of,
    required_id,
    turns_from,
)
from memory_app.imports.json_stream import read_lines
from memory_app.imports.markdown import read_note
from memory_app.imports.source_files import SourceFile

SOURCE = "claude-code"
MACHINE_WORDS = (
    "<command-",
    "<local-command",
    "<system-reminder",
    "<bash-",
    "<task-notification",
    "Caveat: The messages",
)
"""How messages begin that the program wrote in the person's name."""

ROLES: Mapping[str, Literal["user", "assistant"]] = {"user": "user", "assistant": "assistant"}


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """A conversation for each session, and the passages of notes."""
    for file in files:
        if file.suffix == ".jsonl":
            yield from _sessions(file)
        elif file.suffix == ".md":
            yield from read_note(file, SOURCE)


def _sessions(file: SourceFile) -> Iterator[Entry]:
    sessions: dict[str, list[ImportedTurn]] = {}
    other = 0
    for item in read_lines(file):
        place = f"{file.name}, line {item.number}"
        if item.fault:
            yield Fault(place, item.fault)
            continue
        try:
            fields = object_of(item.value)
            turns = _turns(fields)
            if turns:
                sessions.setdefault(required_id(fields, "sessionId"), []).extend(turns)
        except Broken as error:
            yield Fault(place, str(error))
            continue
        other += not turns
    if other:
        yield Skipped("lines that nobody said: tools and their results, summaries, settings", other)
    for session, turns in sessions.items():
        yield ImportedConversation(SOURCE, session, turns[0].said_at, turns, f"{file.name} ({session})")


def _turns(fields: dict[str, Any]) -> list[ImportedTurn]:
    role = ROLES.get(str(fields.get("type")))
    if role is None or fields.get("isMeta") or fields.get("isSidechain") or fields.get("isCompactSummary"):
        return []
    text = _text(object_of(fields.get("message"), "its message").get("content"))
    if text.lstrip().startswith(MACHINE_WORDS):
        return []
    return turns_from(required_id(fields, "uuid"), role, text, moment_of(fields.get("timestamp")))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = list_of(content, "the content of its message")
    texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "\n".join(part for part in texts if isinstance(part, str))
