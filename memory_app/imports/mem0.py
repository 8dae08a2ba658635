"""mem0: what `get_all` answers, one page or several, with `results` or as a bare list."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memory_app.imports.entries import (
    Entry,
    Fault,
    Skipped,
    list_of,
    memories_from,
    moment_of,
    required_id,
)
from memory_app.imports.json_stream import Item, read_entry, read_items, read_lines
from memory_app.imports.source_files import SourceFile

SOURCE = "mem0"
MOST_TAGS = 20


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """Memories. Where there are several users', each tells whose it is."""
    owners = {owner for _, item in _items(files) if (owner := _owner(item.value))}
    for place, item in _items(files):
        yield from read_entry(place, item, partial(_memory, several=len(owners) > 1))


def _items(files: Sequence[SourceFile]) -> Iterator[tuple[str, Item]]:
    """Each memory and where it stands: pages lie in a file, one after the other or in a list."""
    for file in files:
        if file.suffix not in (".json", ".jsonl"):
            continue
        for item in read_lines(file) if file.suffix == ".jsonl" else read_items(file):
            place = f"{file.name}, entry {item.number}"
            page = item.value.get("results") if isinstance(item.value, dict) else None
            if isinstance(page, list):
                numbered = enumerate(page, 1)
                yield from ((f"{place}, result {number}", Item(number, value)) for number, value in numbered)
            else:
                yield place, item


def _owner(value: Any) -> str:
    return str(value.get("user_id") or "") if isinstance(value, dict) else ""


def _memory(fields: dict[str, Any], place: str, several: bool) -> Iterator[Entry]:
    own_id = required_id(fields, "id")
    content = fields.get("memory")
    if not isinstance(content, str) or not content.strip():
        yield Fault(f"{place} ({own_id})", "it has no memory")
        return
    if not several and fields.get("agent_id") and not _owner(fields):
        yield Skipped("memories of an agent, of no person")
        return
    categories = [str(category)[:100] for category in list_of(fields.get("categories"), "its categories")]
    yield from memories_from(
        content,
        source=SOURCE,
        id=own_id,
        place=f"{place} ({own_id})",
        said_at=moment_of(fields.get("created_at")),
        expires_at=moment_of(fields.get("expiration_date")),
        tags=tuple(categories[:MOST_TAGS]),
        owner=_owner(fields) if several else "",
    )
