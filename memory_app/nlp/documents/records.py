"""Records to import: JSON Lines, CSV and MEMORY.md read into the same plain dictionaries, each with its line."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_app.nlp.documents.profile_document import CATEGORIES, split_quotation, without_comments

CSV_LISTS = ("keywords", "tags")


@dataclass(frozen=True, slots=True)
class Record:
    """One thing to import, and the line of the file it begins on; `fault` says why it cannot be read."""

    line: int
    fields: dict[str, Any]
    fault: str = ""


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file, by its ending: .jsonl, .json (lines too, or one document), .csv, .md."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        match path.suffix.lower():
            case ".csv":
                yield from _from_csv(file)
            case ".md" | ".markdown":
                yield from _from_markdown(file)
            case ".json" if (document := _document(file.read())) is not None:
                yield from _from_document(document)
            case _:
                file.seek(0)
                yield from _from_json_lines(file)


def _document(text: str) -> Any:
    """The text as one JSON document; None where it is none, or lines of JSON."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _from_document(document: Any) -> Iterator[Record]:
    """The items of a document, counted from 1; one that is an object is the only one."""
    for number, item in enumerate(document if isinstance(document, list) else [document], 1):
        fault = "" if isinstance(item, dict) else "each item must be a JSON object"
        yield Record(number, item if isinstance(item, dict) else {}, fault)


def _from_json_lines(lines: Iterable[str]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Record(number, {}, f"this is not JSON: {error}")
            continue
        if isinstance(fields, dict):
            yield Record(number, fields)
        else:
            yield Record(number, {}, "each line must be a JSON object")


def _from_csv(lines: Iterable[str]) -> Iterator[Record]:
    reader = csv.DictReader(lines)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield Record(reader.line_num + 1, {}, f"this is not CSV: {error}")
            continue
        if row is None:
            return
        line = reader.line_num - "".join(value for value in row.values() if isinstance(value, str)).count("\n")
        if None in row or None in row.values():
            yield Record(line, {}, "this line has not as many columns as the first one")
            continue
        fields: dict[str, Any] = {name: value for name, value in row.items() if value}
        for name in CSV_LISTS:
            if name in fields:
                fields[name] = [part.strip() for part in fields[name].split(",")]
        yield Record(line, fields)


def _from_markdown(lines: Iterable[str]) -> Iterator[Record]:
    """List items below the headings of a profile document; other text is not a memory."""
    category = "fact"
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#"):
            category = CATEGORIES.get(text.lstrip("#").strip().casefold(), "fact")
        elif text.startswith(("- ", "* ")) and (content := split_quotation(without_comments(text[2:]))[0]):
            yield Record(number, {"content": content, "category": category})
