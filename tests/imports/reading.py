"""Reads files as an import does."""

import json
from pathlib import Path

from memory_app.imports.entries import Entry, Fault, ImportedConversation, ImportedMemory, Skipped
from memory_app.imports.formats import FORMATS, recognise
from memory_app.imports.source_files import open_source


def read(path: Path, format_name: str = "") -> list[Entry]:
    """All entries, by the format that is recognised unless one is named."""
    with open_source(path) as source:
        found = format_name or recognise(source)
        return [*source.faults, *FORMATS[found].read(source.files)]


def recognised(path: Path) -> str:
    with open_source(path) as source:
        return recognise(source)


def written(path: Path, content: object) -> Path:
    """A file with this text, or this value as JSON; a list of lines for `.jsonl`."""
    if path.suffix == ".jsonl" and isinstance(content, list):
        path.write_text("\n".join(json.dumps(line) for line in content))
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def conversations(entries: list[Entry]) -> dict[str, list[tuple[str, str]]]:
    found = [entry for entry in entries if isinstance(entry, ImportedConversation)]
    return {one.id: [(turn.role, turn.content) for turn in one.turns] for one in found}


def memories(entries: list[Entry]) -> list[str]:
    return [entry.content for entry in entries if isinstance(entry, ImportedMemory)]


def faults(entries: list[Entry]) -> list[tuple[str, str]]:
    return [(entry.place, entry.reason) for entry in entries if isinstance(entry, Fault)]


def skipped(entries: list[Entry]) -> dict[str, int]:
    return {entry.reason: entry.number for entry in entries if isinstance(entry, Skipped)}
