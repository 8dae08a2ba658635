"""Patterns and their matches, named as in `re`: RE2's own Python wrapper, with what `translate` adds."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import re2
from numpy.typing import NDArray

from memory_app.nlp.linear_re.alphabet import Encoded, encoded
from memory_app.nlp.linear_re.translate import FILLER, Form, Test, translated

_NONE = (-1, -1)
_ANYWHERE, _AT_START, _WHOLE = re2._Anchor.UNANCHORED, re2._Anchor.ANCHOR_START, re2._Anchor.ANCHOR_BOTH
_IN_TEMPLATE = re.compile(r"\\(?:g<(\w+)>|([0-9])|([\\nt]))")
LOOKED_AT = 200
"""So many characters look-around reads from each place, and twice as many at most; without a bound it might read all
the rest from each."""

Spans = list[tuple[int, int]]
Places = list[int] | NDArray[np.intp]


class Match(re2._Match):  # type: ignore[misc]
    """What a pattern found, as `re.Match`."""

    __slots__ = ()

    def span(self, group: int | str = 0) -> tuple[int, int]:
        """RE2's own knows no groups by name."""
        span: tuple[int, int] = self._spans[group if isinstance(group, int) else self.re.groupindex[group]]
        return span

    def start(self, group: int | str = 0) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self.span(group)[1]

    def expand(self, template: str) -> str:
        """As in `re`; RE2's own spoils what is not ASCII."""
        return _IN_TEMPLATE.sub(self._filled, template) if "\\" in template else template

    def _filled(self, found: "re.Match[str]") -> str:
        name, number, other = found.groups()
        if other:
            return {"n": "\n", "t": "\t"}.get(other, other)
        return self[name if name and not name.isdigit() else int(name or number)] or ""


class Pattern(re2._Regexp):  # type: ignore[misc]
    """A pattern, as `re.Pattern`. Look-around is tested only where the form without it finds something."""

    __slots__ = ("_bodies", "_form", "flags", "groupindex", "groups", "pattern")

    def __init__(self, pattern: str, flags: int, form: Form) -> None:
        self.pattern, self.flags, self._form = pattern, int(flags), form
        self.groups, self.groupindex = form.groups, form.names
        self._bodies: dict[Test, Pattern] = {}

    def __repr__(self) -> str:
        return f"linear_re.compile({self.pattern!r}, {self.flags})"

    def _match(self, anchor: Any, text: str, pos: int | None = None, endpos: int | None = None) -> Iterator[Match]:
        """Every match, for what the wrapper makes of them: `search`, `finditer`, `split`, `sub` and the others."""
        read = encoded(text if endpos is None else text[:endpos])
        at, length = min(pos or 0, len(text)), len(read.text)
        while at <= length and (spans := self._spans(anchor, read, at, length)):
            yield Match(self, text, at, length, spans)
            start, end = spans[0]
            at = end + 1 if start == end else end

    def search(self, text: str, pos: int | None = None, endpos: int | None = None) -> Match | None:
        return self._first(_ANYWHERE, text, pos, endpos)

    def match(self, text: str, pos: int | None = None, endpos: int | None = None) -> Match | None:
        return self._first(_AT_START, text, pos, endpos)

    def fullmatch(self, text: str, pos: int | None = None, endpos: int | None = None) -> Match | None:
        return self._first(_WHOLE, text, pos, endpos)

    def _first(self, anchor: Any, text: str, pos: int | None, endpos: int | None) -> Match | None:
        read = encoded(text if endpos is None else text[:endpos])
        at, length = min(pos or 0, len(text)), len(read.text)
        spans = self._spans(anchor, read, at, length) if at <= length else None
        return Match(self, text, at, length, spans) if spans else None

    def _spans(self, anchor: Any, read: Encoded, pos: int, endpos: int) -> Spans | None:
        form = self._form
        if read.marks[0] is not form:
            spans = _program(form.quick if read.is_ascii else form.loose)(anchor, read.bytes, pos, endpos)
            if spans[0] == _NONE or not form.tests:
                return None if spans[0] == _NONE else spans
            if read.is_ascii and form.known_to_re2 and not read.bytes.endswith(b"\n"):
                return spans
            read.marks = form, _marked(read, form, self._looked)
        data, step = read.marks[1], form.width + 1
        # What stands after the last character belongs to its end.
        spans = _program(form.marked)(anchor, data, pos * step, min((endpos + 1) * step - 1, len(data)))
        return None if spans[0] == _NONE else [(start // step, end // step) for start, end in spans]

    def _looked(self, test: Test, read: Encoded) -> Places:
        """Every place at which the body of look-around matches."""
        assert test.body is not None
        if test.body.members is not None:
            return np.flatnonzero(np.frombuffer(read.bytes.translate(test.body.is_member), np.uint8))
        return list(self._searched(test, test.body, read))

    def _searched(self, test: Test, form: Form, read: Encoded) -> Iterator[int]:
        body = self._bodies.setdefault(test, Pattern(test.place, 0, form))
        length = len(read.text)
        for begin in range(0, length + 1, LOOKED_AT):
            pos, beyond, endpos = begin, begin + LOOKED_AT, min(begin + 2 * LOOKED_AT, length)
            while pos < beyond and (spans := body._spans(_ANYWHERE, read, pos, endpos)) and spans[0][0] < beyond:
                yield spans[0][0]
                pos = spans[0][0] + 1


def _marked(read: Encoded, form: Form, looked: Callable[[Test, Encoded], Places]) -> bytes:
    """The text with marks before each character, of the tests that hold there. Every place takes the same number of
    bytes, and every test its own of these, so that a place in the marked text is a division away from one in the
    text."""
    table = np.zeros((len(read.bytes) + 1, form.width + 1), np.uint8)
    table[:-1, -1] = np.frombuffer(read.bytes, np.uint8)
    table[:, :-1] = np.frombuffer(form.unlooked, np.uint8)
    places: dict[Test, Places] = {}
    at = 0
    for test, mark in zip(form.tests, form.marks, strict=True):
        if test not in places:
            places[test] = looked(test, read) if test.body else _places(test.place, read)
        held = np.asarray(places[test], np.intp) + test.behind
        table[held, at : at + len(mark)] = np.frombuffer(FILLER * len(mark) if test.negated else mark, np.uint8)
        at += len(mark)
    return table.tobytes()[:-1]


def _places(place: str, read: Encoded) -> Places:
    """Where a test of a place holds."""
    text, length = read.text, len(read.text)
    match place:
        case "start":
            return [0]
        case "very end":
            return [length]
        case "end":
            return [length - 1, length] if text.endswith("\n") else [length]
        case "boundary":
            return read.boundaries
        case "no boundary":
            return np.delete(np.arange(length + 1), read.boundaries)
    breaks = [at for at, char in enumerate(text) if char == "\n"]
    return [0, *(at + 1 for at in breaks)] if place == "line start" else [*breaks, length]


@lru_cache(maxsize=6_000)
def _program(source: bytes) -> Callable[..., Spans]:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    matcher: Callable[..., Spans] = re2._Regexp(source, options)._regexp.Match
    return matcher


@lru_cache(maxsize=2_000)
def _compiled(pattern: str, flags: int) -> Pattern:
    return Pattern(pattern, flags, translated(pattern, flags))


def compile(pattern: str | Pattern, flags: int = 0) -> Pattern:
    """The pattern; the same one each time. Raises UnsupportedPattern and what `re.compile` raises."""
    return pattern if isinstance(pattern, Pattern) else _compiled(pattern, int(flags))
