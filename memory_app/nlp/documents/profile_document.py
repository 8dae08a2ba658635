"""The profile document, `MEMORY.md`: written from lines by section, and read back whoever edited it meanwhile.

What someone said stands in quotation marks, with who said it and when: “I like green tea” (Maya, 20 November 2026).
Each line ends with the id of its memory in a comment, which Markdown does not show. What a change of the document means
for memories is the engine's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory_app.nlp import linear_re as re

TITLE = "# User Memory"
SECTIONS = {
    "preference": "User Preferences",
    "work": "Work Context",
    "personal": "Personal Context",
    "reading": "Reading History",
    "fact": "Key Facts",
}
"""Headings by category, in order."""

CATEGORIES = {heading.casefold(): category for category, heading in SECTIONS.items()}

_ID = re.compile(r"\s*<!--\s*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\s*-->")
_WRITTEN = re.compile(r"<!--\s*written (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00)\s*-->")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ITEM = re.compile(r"^\s{0,3}[-*+]\s+(.*)$")
_QUOTATION = re.compile(r"^“(?P<words>.*)” \((?P<told>[^()]+ \d{4})\)$", re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*$")


@dataclass(frozen=True, slots=True)
class Line:
    """One memory as a line. id: of the memory it was, None for a new one. said_by: of someone's own words, who said
    them and when: "Maya, 20 November 2026"."""

    text: str
    category: str
    id: UUID | None = None
    said_by: str = ""

    @property
    def written(self) -> str:
        """As the document has it, but for the id."""
        return f"“{on_one_line(self.text)}” ({on_one_line(self.said_by)})" if self.said_by else on_one_line(self.text)


@dataclass(frozen=True, slots=True)
class Document:
    """What a document says. written: when it was, where it tells; headed: whether it has any of the sections."""

    lines: Sequence[Line]
    written: datetime | None
    headed: bool


def write_profile(lines: Iterable[Line], written: datetime) -> str:
    """The document, with every section."""
    by_category: dict[str, list[str]] = {category: [] for category in SECTIONS}
    for line in lines:
        by_category[line.category].append(f"- {line.written} <!-- {line.id} -->")
    parts = [TITLE, "", f"<!-- written {written.isoformat()} -->", ""]
    for category, heading in SECTIONS.items():
        parts += [f"## {heading}", *by_category[category], ""]
    return "\n".join(parts)


def read_profile(text: str) -> Document:
    """The lines below the sections; a line that begins with white space goes on the one before. Never raises."""
    lines: list[Line] = []
    category, headed, going = "fact", False, False
    for row in text.splitlines():
        heading, item = _HEADING.match(row), _ITEM.match(row)
        if heading:
            known = CATEGORIES.get(_COMMENT.sub("", heading[1]).strip().casefold())
            category, headed, going = known or "fact", headed or known is not None, False
        elif item:
            lines.append(_line(item[1], category))
            going = True
        elif going and row.strip() and row[0] in " \t":
            lines[-1] = _joined(lines[-1], _line(row, category))
        else:
            going = False
    found = _WRITTEN.search(text)
    written = datetime.fromisoformat(found[1]) if found else None
    return Document([_without_marks(line) for line in lines if line.text], written, headed)


def count_words(text: str) -> int:
    """How many words a reader sees: comments are none."""
    return len(_COMMENT.sub("", text).split())


def without_comments(text: str) -> str:
    """A line without its comments."""
    return " ".join(_COMMENT.sub(" ", text).split())


def split_quotation(text: str) -> tuple[str, str]:
    """The words of a line without their quotation marks, and who said them and when; "" where it quotes nobody."""
    quotation = _QUOTATION.match(text)
    return (quotation["words"], quotation["told"]) if quotation else (text, "")


def on_one_line(text: str) -> str:
    """The text as the document has it: on one line, with nothing that reads as a comment."""
    return " ".join(text.split()).replace("<!--", "<! --").replace("-->", "-- >")


def _line(text: str, category: str) -> Line:
    found = _ID.search(text)
    return Line(without_comments(text), category, UUID(found[1]) if found else None)


def _joined(line: Line, more: Line) -> Line:
    return Line(f"{line.text} {more.text}".strip(), line.category, line.id or more.id)


def _without_marks(line: Line) -> Line:
    text, said_by = split_quotation(line.text)
    return replace(line, text=text, said_by=said_by)


_FENCED = re.compile(r"```|~~~")
_LINE_OF_CODE = re.compile(
    r"^\s*(?:def \w+\(|class \w+[(:]|import [\w.]+$|from [\w.]+ import |#include\b|function \w*\(|(?:const|let|"
    r"var) \w+ =|public (?:static|class|void)\b|(?:if|for|while) \(.*\) \{|(?:SELECT .+ FROM|INSERT INTO) \w|"
    r"\$ \w+ -)|[{}]\s*$|\)\s*;\s*$|=>\s*[{(]",
    re.MULTILINE,
)


def is_code(text: str) -> bool:
    """Whether it holds a fenced block, or a line that reads as code. Names of tools and files are no code."""
    return _FENCED.search(text) is not None or _LINE_OF_CODE.search(text) is not None
