"""Markdown as passages: a bullet with what is indented below it, or a paragraph, each under its headings.

Front matter, `[[links]]` and `#tags` as Obsidian writes them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

CATEGORIES = {
    "work": "work", "job": "work", "career": "work", "project": "work", "personal": "personal", "family": "personal",
    "life": "personal", "preference": "preference", "style": "preference", "reading": "reading", "book": "reading",
}  # fmt: skip
"""Words of headings, in the singular, and the category of what stands below."""

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$|^\s*\*\*([^*]+?):?\*\*:?\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_LINK = re.compile(r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
_TAG = re.compile(r"(?<![\w&/#])#([A-Za-z_\u00c0-\uffff][\w/-]*)")
_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]*):\s*(.*)$")
MOST_FRONT_MATTER_LINES = 200


@dataclass(frozen=True, slots=True)
class Passage:
    """One bullet or paragraph. heading: those it stands under, the outermost first."""

    text: str
    heading: str
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reader:
    headings: dict[int, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    in_list: bool = False
    fence: str = ""

    def passage(self) -> Iterator[Passage]:
        """What was gathered, if it says anything."""
        text = plain_text("\n".join(self.lines))
        tags = tuple(dict.fromkeys(_TAG.findall("\n".join(self.lines))))
        self.lines, self.in_list = [], False
        if any(character.isalnum() for character in text):
            yield Passage(text, " · ".join(self.headings[level] for level in sorted(self.headings)), tags)


def split_markdown(text: str) -> Iterator[Passage]:
    """The passages of a text, in order. Headings, rules and comments are none."""
    reader = _Reader()
    for line in _COMMENT.sub("", text).splitlines():
        yield from _next_line(reader, line)
    yield from reader.passage()


def _next_line(reader: _Reader, line: str) -> Iterator[Passage]:
    if fence := _FENCE.match(line):
        reader.fence = "" if reader.fence == fence[1] else reader.fence or fence[1]
        reader.lines.append(line)
        return
    if reader.fence:
        reader.lines.append(line)
        return
    heading, bullet = _HEADING.match(line), _BULLET.match(line)
    if heading or _RULE.match(line) or not line.strip():
        yield from reader.passage()
        if heading:
            level = len(heading[1]) if heading[1] else 7
            reader.headings = {depth: name for depth, name in reader.headings.items() if depth < level}
            reader.headings[level] = plain_text(heading[2] or heading[3] or "").strip()
    elif bullet and not (reader.in_list and bullet[1]):
        yield from reader.passage()
        reader.lines, reader.in_list = [bullet[2]], True
    elif bullet:
        reader.lines.append(f"- {bullet[2]}")
    else:
        reader.lines.append(line.strip())


def plain_text(text: str) -> str:
    """Words as they are read: a link by its name, a tag without its sign, no emphasis."""
    linked = _LINK.sub(lambda found: found[2] or found[1], text)
    return _TAG.sub(lambda found: found[1], linked).replace("**", "").replace("__", "").strip()


def category_of_heading(heading: str) -> str:
    """The category that a heading names, "" where it names none."""
    words = re.findall(r"[a-z]+", heading.casefold())
    return next((CATEGORIES[word] for word in (word.rstrip("s") for word in words) if word in CATEGORIES), "")


def split_front_matter(text: str) -> tuple[dict[str, list[str]], str]:
    """The fields between the first two lines of `---`, each as a list, and the text after them."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return {}, text
    end = next((at for at, line in enumerate(lines[1:MOST_FRONT_MATTER_LINES], 1) if line.strip() == "---"), 0)
    fields: dict[str, list[str]] = {}
    name = ""
    for line in lines[1:end]:
        found = _FIELD.match(line)
        if found:
            name = found[1].strip().casefold()
            fields[name] = _values(found[2])
        elif name and line.strip().startswith("- "):
            fields[name] += _values(line.strip()[2:])
    return (fields, "\n".join(lines[end + 1 :])) if end else ({}, text)


def _values(text: str) -> list[str]:
    inner = text.strip().removeprefix("[").removesuffix("]")
    return [value for part in inner.split(",") if (value := part.strip().strip("\"'").lstrip("#"))]
