"""Patterns and their matches, named as in `re`."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from re import DOTALL, IGNORECASE, MULTILINE, VERBOSE, I, M, S, escape
from typing import Any

import re2

from memory_app.rules.linear_re.alphabet import Encoded, encoded
from memory_app.rules.linear_re.marked import Marks, with_marks
from memory_app.rules.linear_re.translate import Form, Test, translated

__all__ = ["DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE", "I", "M", "S", "escape"]

_NONE = (-1, -1)
_ANYWHERE, _HERE, _WHOLE = re2._Anchor.UNANCHORED, re2._Anchor.ANCHOR_START, re2._Anchor.ANCHOR_BOTH
_IN_TEMPLATE = re.compile(r"\\(?:g<(\w+)>|([0-9])|([\\nt]))")
_CACHED_PATTERNS = 2_000
LOOKED_AT = 200
"""So many characters look-around reads from each place; without a bound it might read all the rest from each."""

Spans = list[tuple[int, int]]


class Match:
    """What a pattern found, as `re.Match`."""

    __slots__ = ("_spans", "pos", "re", "string")

    def __init__(self, pattern: "Pattern", string: str, pos: int, spans: Spans) -> None:
        self.re, self.string, self.pos, self._spans = pattern, string, pos, spans

    def _span(self, group: int | str) -> tuple[int, int]:
        return self._spans[group if isinstance(group, int) else self.re.groupindex[group]]

    def __getitem__(self, group: int | str) -> str | Any:
        start, end = self._span(group)
        return None if start < 0 else self.string[start:end]

    def group(self, *groups: int | str) -> str | Any:
        return self[groups[0] if groups else 0] if len(groups) < 2 else tuple(self[group] for group in groups)

    def groups(self, default: Any = None) -> tuple[str | Any, ...]:
        return tuple(default if self[at] is None else self[at] for at in range(1, len(self._spans)))

    def groupdict(self, default: Any = None) -> dict[str, str | Any]:
        return {name: default if self[at] is None else self[at] for name, at in self.re.groupindex.items()}

    def span(self, group: int | str = 0) -> tuple[int, int]:
        return self._span(group)

    def start(self, group: int | str = 0) -> int:
        return self._span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self._span(group)[1]

    @property
    def lastgroup(self) -> str | None:
        """The named group that ends last, which of alternatives that are groups is the one that was found."""
        named = [(self.end(name), -at, name) for name, at in self.re.groupindex.items() if self.start(name) >= 0]
        return max(named)[2] if named else None

    def expand(self, template: str) -> str:
        return _IN_TEMPLATE.sub(self._filled, template)

    def _filled(self, found: "re.Match[str]") -> str:
        name, number, other = found.groups()
        if other:
            return {"n": "\n", "t": "\t"}.get(other, other)
        group = name if name and not name.isdigit() else int(name or number)
        return self[group] or ""


class Pattern:
    """A pattern, as `re.Pattern`. Look-around is tested only where the quick form finds something."""

    __slots__ = ("_form", "_marked", "_quick", "_starts", "flags", "groupindex", "groups", "pattern")

    def __init__(self, pattern: str, flags: int, form: Form) -> None:
        self.pattern, self.flags = pattern, int(flags)
        self.groups, self.groupindex = form.groups, form.names
        self._form = form
        self._quick: Callable[..., Spans] | None = None
        self._marked: Callable[..., Spans] | None = None
        self._starts: dict[Test, Pattern] = {}

    def __repr__(self) -> str:
        return f"linear_re.compile({self.pattern!r}, {self.flags})"

    def _find(self, how: Any, text: Encoded, pos: int, endpos: int) -> Spans | None:
        if self._quick is None:
            self._quick = _program(self._form.quick)
        spans = self._quick(how, text.shadow, pos, endpos)
        if spans[0] == _NONE:
            return None
        form = self._form
        if form.looks or text.unsure or (form.at_end and text.shadow.endswith(b"\n")):
            return self._find_marked(how, text, pos, endpos)
        return spans

    def _find_marked(self, how: Any, text: Encoded, pos: int, endpos: int) -> Spans | None:
        known = text.marked
        marks = known[1] if known is not None and known[0] is self._form else self._mark(text)
        if self._marked is None:
            self._marked = _program(self._form.marked)
        step = marks.step
        # What stands after the last character belongs to its end.
        spans = self._marked(how, marks.data, pos * step, min((endpos + 1) * step - 1, len(marks.data)))
        if spans[0] == _NONE:
            return None
        return spans if step == 1 else [(start // step, end // step) for start, end in spans]

    def _mark(self, text: Encoded) -> Marks:
        marks = with_marks(text, self._form.tests, self._form.marks, self._look)
        text.marked = (self._form, marks)
        return marks

    def _look(self, test: Test, text: Encoded) -> Iterator[int]:
        """Every place at which the body of look-around matches."""
        form = test.body
        assert form is not None
        if form.members is not None:
            return (at for at, code in enumerate(text.exact) if code in form.members)
        body = self._starts.get(test)
        if body is None:
            body = self._starts[test] = Pattern(test.place, 0, form)
        return body._all_starts(text)

    def _all_starts(self, text: Encoded) -> Iterator[int]:
        length = len(text.text)
        for pos in range(0, length + 1, LOOKED_AT):
            beyond, endpos = pos + LOOKED_AT, min(pos + 2 * LOOKED_AT, length)
            while pos < beyond and pos <= length:
                spans = self._find(_ANYWHERE, text, pos, endpos)
                pos = spans[0][0] if spans is not None else beyond
                if pos < beyond:
                    yield pos
                pos += 1

    def _matched(self, how: Any, string: str, pos: int, endpos: int | None) -> Match | None:
        text = encoded(string if endpos is None else string[:endpos])
        length = len(text.text)
        spans = self._find(how, text, min(pos, length), length) if endpos is None or pos <= endpos else None
        return None if spans is None else Match(self, string, pos, spans)

    def search(self, string: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._matched(_ANYWHERE, string, pos, endpos)

    def match(self, string: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._matched(_HERE, string, pos, endpos)

    def fullmatch(self, string: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._matched(_WHOLE, string, pos, endpos)

    def finditer(self, string: str, pos: int = 0, endpos: int | None = None) -> Iterator[Match]:
        text = encoded(string if endpos is None else string[:endpos])
        find, length = self._find, len(text.text)
        while pos <= length and (spans := find(_ANYWHERE, text, pos, length)) is not None:
            yield Match(self, string, pos, spans)
            find = self._find_marked if text.marked is not None and text.marked[0] is self._form else find
            start, end = spans[0]
            pos = end + 1 if start == end else end

    def findall(self, string: str, pos: int = 0, endpos: int | None = None) -> list[Any]:
        found = self.finditer(string, pos, endpos)
        if self.groups > 1:
            return [match.groups("") for match in found]
        return [match[self.groups] or "" for match in found]

    def split(self, string: str, maxsplit: int = 0) -> list[Any]:
        pieces, at = [], 0
        for count, match in enumerate(self.finditer(string)):
            if maxsplit and count >= maxsplit:
                break
            pieces += [string[at : match.start()], *match.groups()]
            at = match.end()
        return [*pieces, string[at:]]

    def subn(self, repl: "str | Callable[[Match], str]", string: str, count: int = 0) -> tuple[str, int]:
        pieces, at, done = [], 0, 0
        for match in self.finditer(string):
            if count and done >= count:
                break
            new = repl if isinstance(repl, str) and "\\" not in repl else _replaced(repl, match)
            pieces += [string[at : match.start()], new]
            at, done = match.end(), done + 1
        return ("".join([*pieces, string[at:]]), done) if done else (string, 0)

    def sub(self, repl: "str | Callable[[Match], str]", string: str, count: int = 0) -> str:
        return self.subn(repl, string, count)[0]


def _replaced(repl: "str | Callable[[Match], str]", match: Match) -> str:
    return match.expand(repl) if isinstance(repl, str) else repl(match)


def _program(source: bytes) -> Callable[..., Spans]:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    matcher: Callable[..., Spans] = re2._Regexp(source, options)._regexp.Match
    return matcher


@lru_cache(maxsize=_CACHED_PATTERNS)
def _compiled(pattern: str, flags: int) -> Pattern:
    return Pattern(pattern, flags, translated(pattern, flags))


def compile(pattern: str | Pattern, flags: int = 0) -> Pattern:
    """The pattern; the same one each time. Raises UnsupportedPattern and what `re.compile` raises."""
    return pattern if isinstance(pattern, Pattern) else _compiled(pattern, int(flags))


def search(pattern: str | Pattern, string: str, flags: int = 0) -> Match | None:
    return compile(pattern, flags).search(string)


def match(pattern: str | Pattern, string: str, flags: int = 0) -> Match | None:
    return compile(pattern, flags).match(string)


def fullmatch(pattern: str | Pattern, string: str, flags: int = 0) -> Match | None:
    return compile(pattern, flags).fullmatch(string)


def findall(pattern: str | Pattern, string: str, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).findall(string)


def finditer(pattern: str | Pattern, string: str, flags: int = 0) -> Iterator[Match]:
    return compile(pattern, flags).finditer(string)


def split(pattern: str | Pattern, string: str, maxsplit: int = 0, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).split(string, maxsplit)


def sub(
    pattern: str | Pattern, repl: "str | Callable[[Match], str]", string: str, count: int = 0, flags: int = 0
) -> str:
    return compile(pattern, flags).sub(repl, string, count)
