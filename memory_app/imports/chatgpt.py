"""ChatGPT's export: `conversations.json`, or `conversations-000.json` and so on, and what it remembers.

A conversation is a tree, for a message may be edited and asked again: what is read is the branch that was shown last.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from memory_app.imports.entries import (
    Broken,
    Entry,
    Fault,
    ImportedConversation,
    ImportedMemory,
    ImportedTurn,
    Skipped,
    digest,
    list_of,
    memories_from,
    moment_of,
    object_of,
    required_id,
    turns_from,
)
from memory_app.imports.json_stream import NOT_TEXT, read_entry, read_items
from memory_app.imports.source_files import SourceFile

SOURCE = "chatgpt"
MEMORY_TOOL = "bio"
"""The recipient of a message by which ChatGPT saves a memory."""

CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")
MEMORIES = re.compile(r"memor(y|ies)\.json")
_LISTED = re.compile(r"^\s*(?:\d+[.)]\s*|[-*]\s+)?(?:\[(\d{4}-\d\d-\d\d)\][.:]?\s*)?(.*\S)\s*$")
ROLES: Mapping[str, Literal["user", "assistant"]] = {"user": "user", "assistant": "assistant"}


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """Conversations, saved memories among their messages, a list of memories, and a copied list as text."""
    for file in files:
        if CONVERSATIONS.fullmatch(file.base):
            for item in read_items(file):
                yield from read_entry(item.place_in(file), item, _conversation)
        elif MEMORIES.fullmatch(file.base):
            for item in read_items(file):
                yield from read_entry(item.place_in(file), item, _memory)
        elif file.suffix in (".txt", ".md") and len(files) == 1:  # in an export these are files that were attached
            yield from _copied_list(file)
        elif file.suffix == ".json" and len(files) == 1:
            for item in read_items(file):
                yield from read_entry(item.place_in(file), item, _conversation)


def _conversation(fields: dict[str, Any], place: str) -> list[Entry]:
    own_id = required_id(fields, "conversation_id", "id")
    place = f"{place} ({own_id})"
    try:
        messages = _shown_branch(object_of(fields.get("mapping"), "its mapping"), fields.get("current_node"))
    except Broken as error:
        return [Fault(place, str(error))]
    found: list[Entry] = []
    turns: list[ImportedTurn] = []
    hidden = 0
    for message in messages:
        try:
            saved, spoken = _saved_memory(message, place), _turns(message)
        except Broken as error:
            found.append(Fault(f"{place}, a message", str(error)))
            continue
        found += saved
        turns += spoken
        hidden += not saved and not spoken
    if hidden:
        found.append(Skipped("messages of tools and of the system, pictures and empty ones", hidden))
    if not turns:
        return [*found, Skipped("conversations in which nothing was said")]
    return [ImportedConversation(SOURCE, own_id, moment_of(fields.get("create_time")), turns, place), *found]


def _shown_branch(mapping: dict[str, Any], current: Any) -> list[dict[str, Any]]:
    """The messages from the first to the current one. Where that is not told, to the latest that has no answer."""
    at = current if isinstance(current, str) and current in mapping else _latest_leaf(mapping)
    branch: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(at, str) and at in mapping and at not in seen:
        seen.add(at)
        node = object_of(mapping[at], "a node of its mapping")
        if isinstance(node.get("message"), dict):
            branch.append({"id": at, **node["message"]})
        at = node.get("parent")
    return branch[::-1]


def _latest_leaf(mapping: dict[str, Any]) -> str | None:
    times: dict[str, float] = {}
    for name, node in mapping.items():
        if isinstance(node, dict) and not node.get("children"):
            message = node.get("message")
            at = moment_of(message.get("create_time")) if isinstance(message, dict) else None
            times[name] = at.timestamp() if at else 0.0
    return max(times, key=lambda name: times[name], default=None)


def _author(message: dict[str, Any]) -> str:
    author = message.get("author")
    return str(author.get("role", "")) if isinstance(author, dict) else ""


def _saved_memory(message: dict[str, Any], place: str) -> list[ImportedMemory]:
    if _author(message) != "assistant" or message.get("recipient") != MEMORY_TOOL:
        return []
    own_id, said_at = required_id(message, "id"), moment_of(message.get("create_time"))
    return [*memories_from(_text(message), source=SOURCE, id=own_id, place=f"{place}, {own_id}", said_at=said_at)]


def _turns(message: dict[str, Any]) -> list[ImportedTurn]:
    role = ROLES.get(_author(message))
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    content = message.get("content")
    kind = content.get("content_type", "text") if isinstance(content, dict) else ""
    if role is None or hidden or message.get("recipient", "all") != "all" or kind not in ("text", "multimodal_text"):
        return []
    return turns_from(required_id(message, "id"), role, _text(message), moment_of(message.get("create_time")))


def _text(message: dict[str, Any]) -> str:
    """What its parts say in words; pictures and sound say nothing."""
    content = object_of(message.get("content"), "the content of a message")
    parts = list_of(content.get("parts"), "the parts of a message")
    texts = [part for part in parts if isinstance(part, str)]
    return "\n".join(texts) if texts else str(content.get("text") or "")


def _memory(fields: dict[str, Any], place: str) -> list[Entry]:
    """One of a list of memories. One that was switched off was forgotten by its person."""
    if fields.get("enabled") is False:
        return [Skipped("memories that were switched off")]
    content = fields.get("content") or fields.get("memory")
    if not isinstance(content, str) or not content.strip():
        raise Broken("it has no content")
    own_id = str(fields.get("id") or digest(content))
    said_at = next((found for name in ("created_at", "create_time", "created_timestamp", "updated_at")
                    if (found := moment_of(fields.get(name)))), None)  # fmt: skip
    return [*memories_from(content, source=SOURCE, id=own_id, place=f"{place} ({own_id})", said_at=said_at)]


def _copied_list(file: SourceFile) -> Iterator[Entry]:
    """A list of memories as it is copied from the settings, or as ChatGPT writes it: one a line."""
    try:
        with file.open_text() as text:
            for number, line in enumerate(text, 1):
                found = _LISTED.match(line)
                if not found or line.lstrip().startswith("#"):
                    continue
                day, content = found.groups()
                place = f"{file.name}, line {number}"
                said_at = moment_of(day)
                if day and said_at is None:
                    yield Fault(place, "its date is no date")
                    continue
                yield from memories_from(content, source=SOURCE, id=digest(content), place=place, said_at=said_at)
    except UnicodeDecodeError:
        yield Fault(file.name, NOT_TEXT)
