"""The folder `/memories` as an assistant's tool sees it: what its paths are, and what each command says.

    /memories/MEMORY.md            the profile of the person
    /memories/notes/2026-11-20.md  what was noted on a day
    /memories/proposals.md         what waits for the person to confirm
    anything else                  a document of the person

A command is a generator: it yields calls of the API, is sent their answers, and returns what to say. So it is written
once for the client that waits and the one for event loops.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake_client import calls
from keepsake_client.errors import ApiError, ChangedMeanwhile, Conflict, NotFound
from keepsake_client.transport import Call

ROOT = "/memories"
PROFILE, PROPOSALS = "MEMORY.md", "proposals.md"
NOTE = re.compile(r"notes/(\d{4}-\d{2}-\d{2})\.md")
MAX_LINES = 999_999
PAGE = 200
DEPTH = 2

Command = Generator[Call, Any, str]


class Refused(Exception):
    """What the tool answers as an error."""


@dataclass(frozen=True)
class File:
    """A file as it was read. document: of one that is a document, its id and version."""

    text: str
    document: str = ""
    version: int = 0


class Files:
    """The folder of one person."""

    def __init__(self, person: str) -> None:
        self.person = person

    def view(self, path: str, view_range: Sequence[int] | None) -> Command:
        name = inner_path(path)
        file = (yield from self._read(name)) if name else None
        if file is not None:
            return numbered_file(path, file.text, view_range)
        sizes = yield from self._sizes()
        below = {other: size for other, size in sizes.items() if not name or other.startswith(f"{name}/")}
        if name and not below:
            raise Refused(f"The path {path} does not exist. Please provide a valid path.")
        return listing(
            path.rstrip("/") or path, {other[len(name) + 1 if name else 0 :]: n for other, n in below.items()}
        )

    def create(self, path: str, text: str) -> Command:
        name = self._document_path(path, "create")
        if (yield from self._find(name)) or (yield from self._is_folder(name)):
            raise Refused(f"File {path} already exists")
        yield calls.create_document(self.person, name, text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old: str, new: str) -> Command:
        name = inner_path(path)
        file = yield from self._existing(path, name)
        changed, line = replaced(path, file.text, old, new)
        yield from self._write(path, name, file, changed)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            + snippet(changed, line, new.count("\n"))
        )

    def insert(self, path: str, line: int, text: str) -> Command:
        name = inner_path(path)
        file = yield from self._existing(path, name)
        lines = file.text.splitlines()
        if not 0 <= line <= len(lines):
            raise Refused(f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}].")
        note = NOTE.fullmatch(name)
        if note and line == len(lines):
            yield calls.add_note(self.person, note.group(1), text.strip())
        else:
            lines.insert(line, text.rstrip("\n"))
            yield from self._write(path, name, file, "\n".join(lines) + "\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> Command:
        name = inner_path(path)
        if not name:
            raise Refused(f"Cannot delete the {ROOT} directory itself")
        self._refuse_own(path, name, "delete")
        found = yield from self._find(name)
        below = [found] if found else (yield from self._below(name))
        if not below:
            raise Refused(f"The path {path} does not exist")
        for document in below:
            yield calls.delete_document(self.person, document["id"])
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> Command:
        old, new = inner_path(old_path), inner_path(new_path)
        if not old:
            raise Refused(f"Cannot rename the {ROOT} directory itself")
        self._refuse_own(old_path, old, "rename")
        self._refuse_own(new_path, new, "write over")
        found = yield from self._find(old)
        below = [found] if found else (yield from self._below(old))
        if not below:
            raise Refused(f"The path {old_path} does not exist")
        if not new or (yield from self._find(new)) or (yield from self._is_folder(new)):
            raise Refused(f"The destination {new_path} already exists")
        for document in below:
            moved = new + document["path"][len(old) :]
            yield calls.update_document(self.person, document["id"], {"path": moved}, None)
        return f"Successfully renamed {old_path} to {new_path}"

    def _read(self, name: str) -> Generator[Call, Any, File | None]:
        """A file; None where there is none of that name."""
        if name == PROFILE:
            return File((yield from self._or_none(calls.get_profile(self.person))) or "")
        if name == PROPOSALS:
            found = yield from self._or_none(calls.list_proposals(self.person, {"status": "pending", "limit": PAGE}))
            return File(proposals_text((found or {}).get("items", [])))
        if note := NOTE.fullmatch(name):
            day = yield from self._or_none(calls.get_notes(self.person, note.group(1)))
            return File((day or {}).get("text", ""))
        document = yield from self._find(name)
        return None if document is None else File(document["content"] or "", document["id"], document["version"])

    def _existing(self, path: str, name: str) -> Generator[Call, Any, File]:
        file = (yield from self._read(name)) if name else None
        if file is not None:
            return file
        if not name or (yield from self._is_folder(name)):
            raise Refused(f"The path {path} is not a file.")
        raise Refused(f"The path {path} does not exist. Please provide a valid path.")

    def _write(self, path: str, name: str, file: File, text: str) -> Generator[Call, Any, None]:
        if name == PROFILE:
            try:
                yield calls.put_profile(self.person, text)  # which says of when it is
            except (ChangedMeanwhile, Conflict):
                raise Refused(f"{path} has changed meanwhile: view it again, then repeat the edit.") from None
            return
        if NOTE.fullmatch(name):
            raise Refused(f"{path} holds what was noted on a day, one after the other: only insert at its end.")
        if name == PROPOSALS:
            raise Refused(f"{path} is what waits for the person to confirm: it can only be read.")
        try:
            yield calls.update_document(self.person, file.document, {"content": text}, file.version)
        except ChangedMeanwhile:
            raise Refused(f"{path} has changed meanwhile: view it again, then repeat the edit.") from None

    def _find(self, name: str) -> Generator[Call, Any, dict[str, Any] | None]:
        page = yield from self._or_none(calls.list_documents(self.person, {"path": name}))
        found: list[dict[str, Any]] = (page or {}).get("items", [])
        return found[0] if found else None

    def _below(self, name: str) -> Generator[Call, Any, list[dict[str, Any]]]:
        """The documents in a folder, at any depth."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            filters = {"prefix": f"{name}/" if name else "", "limit": PAGE, "cursor": cursor}
            page = yield from self._or_none(calls.list_documents(self.person, filters))
            found += (page or {}).get("items", [])
            cursor = (page or {}).get("next_cursor")
            if cursor is None:
                return sorted(found, key=lambda document: str(document["path"]))

    def _is_folder(self, name: str) -> Generator[Call, Any, bool]:
        return name == "notes" or bool((yield from self._below(name)))

    def _sizes(self) -> Generator[Call, Any, dict[str, int]]:
        """All files with their sizes, those that are not documents where there is anything in them."""
        sizes = {document["path"]: int(document["size"]) for document in (yield from self._below(""))}
        for name in (PROFILE, PROPOSALS):
            file = yield from self._read(name)
            if file and file.text.strip():
                sizes[name] = len(file.text)
        notes = yield from self._or_none(calls.list_notes(self.person, {"limit": PAGE}))
        for note in (notes or {}).get("items", []):
            name = f"notes/{note['date']}.md"
            sizes[name] = sizes.get(name, 0) + len(note["text"])
        return sizes

    def _or_none(self, call: Call) -> Generator[Call, Any, Any]:
        """What a call answers; None of somebody of whom nothing is kept yet."""
        try:
            return (yield call)
        except NotFound:
            return None

    def _document_path(self, path: str, verb: str) -> str:
        name = inner_path(path)
        if not name:
            raise Refused(f"File {path} already exists")
        self._refuse_own(path, name, verb)
        return name

    def _refuse_own(self, path: str, name: str, verb: str) -> None:
        if name in (PROFILE, PROPOSALS, "notes") or NOTE.fullmatch(name):
            raise Refused(f"Cannot {verb} {path}: it is kept by Keepsake. View it, and edit what may be edited.")


def inner_path(path: str) -> str:
    """The path below the folder; "" is the folder itself. Raises Refused."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Refused(f"Path must start with {ROOT}, got: {path}")
    parts: list[str] = []
    for part in path[len(ROOT) :].split("/"):
        if part == "..":
            if not parts:
                raise Refused(f"Path {path} would escape {ROOT} directory")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def numbered_file(path: str, text: str, view_range: Sequence[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        raise Refused(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = 1, len(lines)
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0])
        last = len(lines) if view_range[1] == -1 else min(view_range[1], len(lines))
    shown = "\n".join(f"{number:>6}\t{lines[number - 1]}" for number in range(first, last + 1))
    return f"Here's the content of {path} with line numbers:\n{shown}"


def listing(path: str, sizes: Mapping[str, int]) -> str:
    """A folder, two levels deep: folders end in a slash, hidden names are left out."""
    shown = {name: size for name, size in sizes.items() if not any(part.startswith(".") for part in name.split("/"))}
    entries: dict[str, int] = {}
    for name, size in shown.items():
        parts = name.split("/")
        for depth in range(1, min(len(parts), DEPTH) + 1):
            entry = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
            entries[entry] = entries.get(entry, 0) + size
    lines = [f"{short_size(sum(shown.values()))}\t{path}"]
    lines += [f"{short_size(entries[entry])}\t{path}/{entry}" for entry in sorted(entries)]
    return f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n" + "\n".join(
        lines
    )


def short_size(size: int) -> str:
    """Such as 0B, 12B, 1.5K, 3M."""
    number, units = float(size), iter("BKMG")
    unit = next(units)
    while number >= 1024 and unit != "G":
        number, unit = number / 1024, next(units)
    return f"{number:.0f}{unit}" if number == int(number) else f"{number:.1f}{unit}"


def replaced(path: str, text: str, old: str, new: str) -> tuple[str, int]:
    """The text with one place replaced, and the line of that, from 0. Raises Refused."""
    starts = list(_places(text, old))
    if not starts:
        raise Refused(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if len(starts) > 1:
        lines = ", ".join(str(text.count("\n", 0, start) + 1) for start in starts)
        raise Refused(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}."
            " Please ensure it is unique"
        )
    return text[: starts[0]] + new + text[starts[0] + len(old) :], text.count("\n", 0, starts[0])


def _places(text: str, part: str) -> Iterator[int]:
    start = text.find(part) if part else -1
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


def snippet(text: str, line: int, more: int) -> str:
    """What was changed, with two lines around. more: lines beyond the first that were put in."""
    lines = text.split("\n")
    first, last = max(0, line - 2), min(len(lines), line + more + 3)
    return "\n".join(f"{number + 1:>6}\t{lines[number]}" for number in range(first, last))


def proposals_text(proposals: Sequence[Mapping[str, Any]]) -> str:
    """What waits, as Markdown."""
    lines = [f"- {proposal['content']}" for proposal in proposals]
    return "# Waits for the person to confirm\n\n" + "\n".join(lines) + "\n" if lines else ""


def advance(command: Command, answer: Any) -> Call | str:
    """The next call of a command, which is told the answer to the last one, or its error; at the end what to say."""
    try:
        return command.throw(answer) if isinstance(answer, ApiError) else command.send(answer)
    except StopIteration as done:
        return str(done.value)


def error_message(error: Refused | ApiError) -> str:
    """What a model is told of an error."""
    return error.detail if isinstance(error, ApiError) and error.detail else str(error)
