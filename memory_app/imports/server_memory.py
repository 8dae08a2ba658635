"""`memory.jsonl` of the reference memory server of MCP: observations about entities, and relations between them."""

from collections.abc import Iterator, Sequence
from typing import Any

from memory_app.imports.entries import (
    Entry,
    Fault,
    Skipped,
    digest,
    list_of,
    memories_from,
    required_id,
)
from memory_app.imports.json_stream import read_entry, read_lines
from memory_app.imports.source_files import SourceFile

SOURCE = "server-memory"
THE_USER = "default_user"
"""The entity by which the server's own prompt calls the person."""


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """A memory for each observation and each relation."""
    for file in files:
        if file.suffix not in (".jsonl", ".json"):
            continue
        for item in read_lines(file):
            place = f"{file.name}, line {item.number}"
            yield from read_entry(place, item, _memories)


def _memories(fields: dict[str, Any], place: str) -> Iterator[Entry]:
    match fields.get("type"):
        case "entity":
            yield from _observations(fields, place)
        case "relation":
            words = [_words(required_id(fields, name)) for name in ("from", "relationType", "to")]
            yield from _memory(" ".join(words), place)
        case _:
            yield Skipped("lines that are neither an entity nor a relation")


def _observations(fields: dict[str, Any], place: str) -> Iterator[Entry]:
    name = _words(required_id(fields, "name"))
    for number, observation in enumerate(list_of(fields.get("observations"), "its observations"), 1):
        if not isinstance(observation, str) or not observation.strip():
            yield Fault(f"{place}, observation {number}", "it is not text")
            continue
        has_name = name.casefold() in observation.casefold()
        yield from _memory(observation if has_name else f"{name}: {observation}", f"{place}, observation {number}")


def _memory(content: str, place: str) -> Iterator[Entry]:
    yield from memories_from(content, source=SOURCE, id=digest(content), place=place)


def _words(name: str) -> str:
    return "User" if name == THE_USER else name.replace("_", " ")
