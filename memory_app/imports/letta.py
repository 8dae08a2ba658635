"""Letta's agent file, `.af`: the messages of each agent, and its blocks but for its persona.

Archival passages are not in it: they are asked for from Letta itself.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from memory_app.imports.entries import (
    Broken,
    Entry,
    Fault,
    ImportedConversation,
    ImportedTurn,
    Skipped,
    digest,
    list_of,
    memories_from,
    moment_of,
    object_of,
    turns_from,
)
from memory_app.imports.json_stream import read_entry, read_items
from memory_app.imports.source_files import SourceFile

SOURCE = "letta"
PERSONA = "persona"
SAY_TOOL = "send_message"
"""The tool by which older agents speak."""

ROLES: Mapping[str, Literal["user", "assistant"]] = {"user": "user", "assistant": "assistant"}


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """What each file holds: first the conversations, then the blocks."""
    for file in files:
        if file.suffix not in (".af", ".json"):
            continue
        for item in read_items(file):
            yield from read_entry(file.name, item, _agents, "the file")


def _agents(fields: dict[str, Any], name: str) -> Iterator[Entry]:
    for number, agent in enumerate(list_of(fields.get("agents"), "agents"), 1):
        place = f"{name}, agent {number}"
        try:
            yield from _conversation(object_of(agent), place, f"{_name(agent, number)}")
        except Broken as error:
            yield Fault(place, str(error))
    for number, block in enumerate(list_of(fields.get("blocks"), "blocks"), 1):
        try:
            yield from _block(object_of(block), f"{name}, block {number}")
        except Broken as error:
            yield Fault(f"{name}, block {number}", str(error))
    if fields.get("files") or fields.get("sources"):
        yield Skipped("files and sources")


def _name(agent: Any, number: int) -> str:
    mapping = agent if isinstance(agent, dict) else {}
    return f"{mapping.get('name') or 'agent'}:{mapping.get('id') or number}"


def _conversation(agent: dict[str, Any], place: str, own_id: str) -> Iterator[Entry]:
    turns: list[ImportedTurn] = []
    other = 0
    for number, message in enumerate(list_of(agent.get("messages"), "its messages"), 1):
        try:
            spoken = _turns(object_of(message), number)
        except Broken as error:
            yield Fault(f"{place}, message {number}", str(error))
            continue
        turns += spoken
        other += not spoken
    if other:
        yield Skipped("messages of tools and of the system", other)
    if turns:
        yield ImportedConversation(SOURCE, own_id, turns[0].said_at, turns, place)


def _turns(message: dict[str, Any], number: int) -> list[ImportedTurn]:
    role = ROLES.get(str(message.get("role")))
    if role is None:
        return []
    text = _text(message.get("content"))
    if role == "user":
        text = _words_of_user(text)
    elif spoken := _said_by_tool(message):
        text = spoken
    said_at = moment_of(message.get("created_at"))
    return turns_from(str(message.get("id") or number), role, text, said_at)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = list_of(content, "its content")
    texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type", "text") == "text")
    return "\n".join(part for part in texts if isinstance(part, str))


def _words_of_user(text: str) -> str:
    """Older agents get what is said wrapped in JSON, and events of the system in the same role."""
    try:
        wrapped = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return text
    if not isinstance(wrapped, dict) or "type" not in wrapped:
        return text
    return str(wrapped.get("message") or "") if wrapped["type"] == "user_message" else ""


def _said_by_tool(message: dict[str, Any]) -> str:
    """What an agent says by its tool; the rest of such a message is its thought."""
    texts = []
    for call in list_of(message.get("tool_calls"), "its tool_calls"):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or function.get("name") != SAY_TOOL:
            continue
        try:
            texts.append(str(json.loads(function.get("arguments") or "{}").get("message") or ""))
        except (ValueError, AttributeError, TypeError, RecursionError):
            raise Broken("the arguments of its tool call are not JSON") from None
    return "\n".join(part for part in texts if part)


def _block(block: dict[str, Any], place: str) -> Iterator[Entry]:
    label, value = str(block.get("label") or ""), block.get("value")
    if label == PERSONA:
        yield Skipped("blocks of an agent's own persona")
        return
    if not isinstance(value, str):
        raise Broken("its value is not text")
    for line in value.splitlines():
        if text := line.strip().lstrip("-*•").strip():
            own_id = f"{label}:{digest(text)}"
            yield from memories_from(
                text, source=SOURCE, id=own_id, place=place, context="" if label == "human" else label
            )
