"""JSON that is longer than memory: the items of a list one by one, each by its own brackets.

An item whose inside is broken is told of, and the next one is read. Where brackets themselves do not close, nothing
after that can be told apart: it is one broken item to the end.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from memory_app.imports.entries import Broken, Entry, Fault, object_of
from memory_app.imports.source_files import SourceFile

CHUNK_CHARACTERS = 1 << 18
LONGEST_ITEM = 64 * 1024 * 1024
"""Characters of one item: a conversation of a hundred thousand messages has less."""

NOT_TEXT = "it is not UTF-8 text: convert it first"

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},"]', re.DOTALL)
_OPENING, _CLOSING = "[{", "]}"


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list, or one line, and where it stands, counted from 1; `fault` says why it cannot be read."""

    number: int
    value: Any = None
    fault: str = ""

    def place_in(self, file: SourceFile) -> str:
        """What a fault of it names: the file alone, where nothing in it can be told apart."""
        return f"{file.name}, entry {self.number}" if self.number else file.name


def read_items(file: SourceFile) -> Iterator[Item]:
    """The items of a list in a file; of any other document that one alone."""
    try:
        with file.open_text() as text:
            first = _first_character(text)
            if first == "[":
                yield from _items(text)
                return
            document = first + text.read(LONGEST_ITEM + 1)
            yield _parse(1, document)
    except UnicodeDecodeError:
        yield Item(0, fault=NOT_TEXT)


def read_lines(file: SourceFile) -> Iterator[Item]:
    """Each line as an item, empty ones left out."""
    number = 0
    try:
        with file.open_text() as text:
            while line := text.readline(LONGEST_ITEM + 1):
                number += 1
                if line.strip():
                    yield _parse(number, line)
                while len(line) > LONGEST_ITEM and not line.endswith("\n"):
                    line = text.readline(LONGEST_ITEM + 1)
    except UnicodeDecodeError:
        yield Item(number + 1, fault=NOT_TEXT)


def read_entry(
    place: str, item: Item, read_one: Callable[[dict[str, Any], str], Iterable[Entry]], name: str = "it"
) -> Iterator[Entry]:
    """What `read_one` reads of an item and its place, or the fault where it is broken. name: of the item, in faults."""
    try:
        if item.fault:
            raise Broken(item.fault)
        yield from read_one(object_of(item.value, name), place)
    except Broken as error:
        yield Fault(place, str(error))


def _first_character(text: IO[str]) -> str:
    while character := text.read(1):
        if not character.isspace():
            return character
    return ""


def _items(text: IO[str]) -> Iterator[Item]:
    """The items after the bracket that opens their list."""
    buffer, start, at, depth, number = "", 0, 0, 0, 0
    while True:
        if start:
            buffer, at, start = buffer[start:], at - start, 0
        more = text.read(max(CHUNK_CHARACTERS, len(buffer)))
        buffer += more
        for token in _TOKEN.finditer(buffer, at):
            mark = token.group()
            if mark == '"' and more:  # a string that goes on in what is not read yet
                at = token.start()
                break
            if depth == 0 and mark in (",", "]"):
                if buffer[start : token.start()].strip():
                    number += 1
                    yield _parse(number, buffer[start : token.start()])
                start = token.end()
                if mark == "]":
                    return
            depth += (mark in _OPENING) - (mark in _CLOSING)
            at = token.end()
        if not more:
            if buffer[start:].strip() or depth == 0:
                yield Item(number + 1, fault="the file ends in the middle of it: download it again")
            return
        if len(buffer) - start > LONGEST_ITEM:
            yield Item(number + 1, fault=f"it is longer than {LONGEST_ITEM:,} characters, or its brackets do not close")
            return


def _parse(number: int, text: str) -> Item:
    if len(text) > LONGEST_ITEM:
        return Item(number, fault=f"it is longer than {LONGEST_ITEM:,} characters")
    try:
        return Item(number, json.loads(text))
    except RecursionError:
        return Item(number, fault="it is nested too deeply")
    except ValueError:
        return Item(number, fault="it is not JSON")
