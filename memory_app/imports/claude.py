"""Claude's export: `conversations.json` and `memories.json`, or the newer `conversations-000` and `memories/…json`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
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
from memory_app.imports.json_stream import read_entry, read_items
from memory_app.imports.markdown_text import Passage, category_of_heading, split_markdown
from memory_app.imports.source_files import SourceFile

SOURCE = "claude"
CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")
MEMORIES = re.compile(r"(?:.*/)?(?:memories(-\d+)?\.json|memories(-\d+)?/[^/]+\.json)")
PROJECTS = re.compile(r"(?:.*/)?(?:projects(-\d+)?\.json|projects(-\d+)?/[^/]+\.json)")
ROLES: Mapping[str, Literal["user", "assistant"]] = {"human": "user", "assistant": "assistant"}


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """Conversations and memories; the documents of projects are left out."""
    projects = _project_names(files)
    for file in files:
        if MEMORIES.fullmatch(file.name):
            yield from _memories_of_file(file, projects)
        elif PROJECTS.fullmatch(file.name):
            yield Skipped("documents and instructions of projects")
        elif CONVERSATIONS.fullmatch(file.base) or (len(files) == 1 and file.suffix == ".json"):
            yield from _conversations_of_file(file)


def _project_names(files: Sequence[SourceFile]) -> dict[str, str]:
    items = (item.value for file in files if PROJECTS.fullmatch(file.name) for item in read_items(file))
    objects = (value for value in items if isinstance(value, dict))
    return {str(value.get("uuid")): str(value["name"]) for value in objects if value.get("name")}


def _conversations_of_file(file: SourceFile) -> Iterator[Entry]:
    for item in read_items(file):
        yield from read_entry(item.place_in(file), item, _conversation)


def _conversation(fields: dict[str, Any], place: str) -> Iterator[Entry]:
    own_id = required_id(fields, "uuid")
    place = f"{place} ({own_id})"
    turns: list[ImportedTurn] = []
    silent = 0
    for number, message in enumerate(list_of(fields.get("chat_messages"), "its chat_messages"), 1):
        try:
            spoken = _turns(object_of(message))
        except Broken as error:
            yield Fault(f"{place}, message {number}", str(error))
            continue
        turns += spoken
        silent += not spoken
    if silent:
        yield Skipped("messages without words, such as an attachment alone", silent)
    if turns:
        yield ImportedConversation(SOURCE, own_id, moment_of(fields.get("created_at")), turns, place)
    else:
        yield Skipped("conversations in which nothing was said")


def _turns(message: dict[str, Any]) -> list[ImportedTurn]:
    role = ROLES.get(str(message.get("sender")))
    if role is None:
        raise Broken("its sender is neither human nor assistant")
    text = message.get("text")
    if not isinstance(text, str) or not text.strip():
        blocks = list_of(message.get("content"), "its content")
        texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
        text = "\n".join(part for part in texts if isinstance(part, str))
    return turns_from(required_id(message, "uuid"), role, text, moment_of(message.get("created_at")))


def _memories_of_file(file: SourceFile, projects: Mapping[str, str]) -> Iterator[Entry]:
    for item in read_items(file):
        yield from read_entry(item.place_in(file), item, partial(_memories, projects=projects))


def _memories(fields: dict[str, Any], place: str, projects: Mapping[str, str]) -> Iterator[Entry]:
    text = fields.get("conversations_memory")
    if isinstance(text, str):
        yield from _memories_of_text(text, place, ())
    about_projects = fields.get("project_memories") or {}
    for project, text in object_of(about_projects, "project_memories").items():
        if isinstance(text, str):
            yield from _memories_of_text(text, f"{place}, project {project}", (projects.get(project, project)[:100],))
    if fields.get("memory_files"):
        yield Skipped("files of memories", len(list_of(fields["memory_files"], "memory_files")))


def _memories_of_text(text: str, place: str, tags: tuple[str, ...]) -> Iterator[ImportedMemory]:
    for number, passage in enumerate(split_markdown(text), 1):
        yield from memories_from(
            passage.text,
            source=SOURCE,
            id=digest(f"{tags}{passage.text}"),
            place=f"{place}, part {number}",
            context=_context(passage, tags),
            category=category_of_heading(passage.heading),
            tags=tags,
        )


def _context(passage: Passage, tags: tuple[str, ...]) -> str:
    return " · ".join(part for part in (*tags, passage.heading) if part)
