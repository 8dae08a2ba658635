"""A pattern of Python's `re` for RE2: what it means in bytes, with look-around as marks that stand in the text.

Each pattern is written twice. The *quick* form leaves look-around out: it finds all that the pattern finds, and perhaps
more. The *marked* form reads text in which marks stand before each character, one for each look-around that holds;
to read a mark is to test the look-around. What may be tested one after another at one place has rising levels, and its
marks stand in that order.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from re import _constants as sre
from re import _parser as parser
from typing import Any

from memory_app.rules.linear_re.alphabet import CHARACTER, CONTROL, has_byte, in_shadow

_WITHOUT_END = 10**9
_MOST_REPEATS = 1000  # What RE2 allows; more is as good as without an end.

FILLER, *_MARKS = (bytes([code]) for code in CONTROL)
_HALF = len(_MARKS) // 2
_SKIP_MARKS = "[" + "".join(f"\\x{code:02x}" for code in CONTROL) + "]*"
_NOTHING = r"[^\x00-\xff]"
_MARK_PLACE = re.compile("@([0-9]+)@")

Nodes = Any  # The parse tree of `re`, which has no types.

_PLACES = {
    sre.AT_BEGINNING: "start",
    sre.AT_BEGINNING_STRING: "start",
    sre.AT_END: "end",
    sre.AT_END_STRING: "very end",
    sre.AT_BOUNDARY: "boundary",
    sre.AT_NON_BOUNDARY: "no boundary",
}
_LINES = {"start": "line start", "end": "line end"}
_QUICK = {
    "start": r"\A",
    "line start": "(?m:^)",
    "end": r"\n?\z",
    "line end": "(?m:$)",
    "very end": r"\z",
    "boundary": r"\b",
    "no boundary": r"\B",
}


class UnsupportedPattern(ValueError):
    """The pattern needs what cannot be done in linear time here, or names a character without a byte."""


@dataclass(frozen=True, slots=True)
class Test:
    """What must hold at one place: a place by name ("start"), or look-around with a body."""

    place: str
    body: "Form | None" = field(default=None, compare=False)
    behind: int = 0
    """How many characters before the place the body begins."""
    negated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A pattern in both forms, with the tests whose marks the marked form reads, in the order of the marks."""

    quick: bytes
    marked: bytes
    tests: tuple[Test, ...]
    marks: tuple[bytes, ...]
    looks: bool
    """There is look-around, which the quick form leaves out."""
    at_end: bool
    """It asks for the end of the text, where Python also accepts a last line break."""
    groups: int
    names: dict[str, int]
    members: frozenset[int] | None
    """For a pattern of one character: its bytes."""


def translated(pattern: str, flags: int) -> Form:
    """Raises UnsupportedPattern, or what `re` raises for a wrong pattern."""
    tree = parser.parse(pattern, flags)
    return _form(tree, tree.state.flags, tree.state.groups - 1, dict(tree.state.groupdict))


def _form(tree: Nodes, flags: int, groups: int, names: dict[str, int]) -> Form:
    writer = _Writer()
    quick, marked, _ = writer.sequence(tree, flags, 0)
    ordered = sorted(writer.levels, key=lambda key: key[0])
    marks = _mark_bytes(len(ordered))
    code = {str(writer.levels[key]): _escaped(mark) for key, mark in zip(ordered, marks, strict=True)}
    marked = _MARK_PLACE.sub(lambda found: code[found[1]], marked) + _SKIP_MARKS
    if not ordered:
        marked = marked.replace(_SKIP_MARKS, "")
    return Form(
        quick.encode(),
        marked.encode(),
        tuple(test for _, test in ordered),
        marks,
        any(test.body for _, test in ordered),
        any(test.place == "end" for _, test in ordered),
        groups,
        names,
        writer.single,
    )


def _mark_bytes(count: int) -> tuple[bytes, ...]:
    """One byte a mark, or two where there are many; no mark begins within another."""
    if count <= len(_MARKS):
        return tuple(_MARKS[:count])
    pairs = [first + second for first in _MARKS[:_HALF] for second in _MARKS[_HALF:]]
    if count > len(pairs):
        raise UnsupportedPattern(f"{count} different tests of look-around")
    return tuple(pairs[:count])


class _Writer:
    """Writes a parse tree in both forms, and collects the tests with their levels."""

    def __init__(self) -> None:
        self.levels: dict[tuple[int, Test], int] = {}
        self.single: frozenset[int] | None = None

    def sequence(self, nodes: Nodes, flags: int, level: int) -> tuple[str, str, int]:
        quick, marked = [], []
        for node in nodes:
            in_quick, in_marked, level = self._node(node[0], node[1], flags, level)
            quick.append(in_quick)
            marked.append(in_marked)
        if len(marked) != 1 or nodes[0][0] not in _OF_ONE:
            self.single = None
        return "".join(quick), "".join(marked), level

    def _node(self, kind: Any, value: Any, flags: int, level: int) -> tuple[str, str, int]:
        if kind in _OF_ONE:
            self.single = members = _members(_OF_ONE[kind](value), flags)
            return _set(in_shadow(members)), _SKIP_MARKS + _set(members - _CONTROLS), 0
        if kind is sre.AT:
            place = _PLACES[value]
            place = _LINES.get(place, place) if flags & re.M and value is not sre.AT_BEGINNING_STRING else place
            return self._test(_QUICK[place], Test(place), level)
        if kind in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(value, flags, level, kind is sre.ASSERT_NOT)
        if kind is sre.SUBPATTERN:
            group, added, removed, inner = value
            quick, marked, level = self.sequence(inner, (flags | added) & ~removed, level)
            opening = "(?:" if group is None else "("
            return f"{opening}{quick})", f"{opening}{marked})", level
        if kind is sre.BRANCH:
            return self._branches(value[1], flags, level)
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self._repeat(value, flags, level, "?" if kind is sre.MIN_REPEAT else "")
        if kind is sre.FAILURE:
            return _NOTHING, _NOTHING, level
        raise UnsupportedPattern(f"{kind} cannot be matched in linear time")

    def _branches(self, branches: Iterable[Nodes], flags: int, level: int) -> tuple[str, str, int]:
        written = [self.sequence(branch, flags, level) for branch in branches]
        quick, marked = "|".join(one[0] for one in written), "|".join(one[1] for one in written)
        return f"(?:{quick})", f"(?:{marked})", max(after for *_, after in written)

    def _repeat(self, value: Any, flags: int, level: int, lazy: str) -> tuple[str, str, int]:
        least, most, inner = int(value[0]), int(value[1]), value[2]
        quick, marked, after = self.sequence(inner, flags, level)
        if most > 1 and after > level:
            # What a round ends with and the next begins with are tested at one place.
            quick, marked, after = self.sequence(inner, flags, after)
        suffix = _times(least, most if most * _counted(inner) <= _MOST_REPEATS else _WITHOUT_END) + lazy
        return f"(?:{quick}){suffix}", f"(?:{marked}){suffix}", after if least else max(level, after)

    def _look(self, value: Any, flags: int, level: int, negated: bool) -> tuple[str, str, int]:
        direction, body = value
        if any(True for _ in _groups_in(body)):
            raise UnsupportedPattern("a group that is kept inside look-around")
        width = body.getwidth()[0] if direction < 0 else 0
        form = _form(body, flags, 0, {})
        name = f"{direction} {width} {int(flags)} {body!r}"
        return self._test("", Test(name, form, width, negated), level)

    def _test(self, quick: str, test: Test, level: int) -> tuple[str, str, int]:
        number = self.levels.setdefault((level + 1, test), len(self.levels))
        return quick, f"{_SKIP_MARKS}@{number}@", level + 1


def _groups_in(nodes: Nodes) -> Iterable[int]:
    for kind, value in nodes:
        if kind is sre.SUBPATTERN:
            if value[0] is not None:
                yield value[0]
            yield from _groups_in(value[3])
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _groups_in(branch)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            yield from _groups_in(value[2])


def _counted(nodes: Nodes) -> int:
    """The product of the counts of repeats within repeats, as they are written."""
    largest = 1
    for kind, value in nodes:
        if kind is sre.SUBPATTERN:
            largest = max(largest, _counted(value[3]))
        elif kind is sre.BRANCH:
            largest = max(largest, *map(_counted, value[1]))
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            times = int(value[1]) if value[1] <= _MOST_REPEATS else 1
            largest = max(largest, min(_MOST_REPEATS, times * _counted(value[2])))
    return largest


def _times(least: int, most: int) -> str:
    if least > _MOST_REPEATS:
        raise UnsupportedPattern(f"{least} repeats")
    if most > _MOST_REPEATS:
        return {0: "*", 1: "+"}.get(least, f"{{{least},}}")
    return "?" if (least, most) == (0, 1) else f"{{{least},{most}}}"


_OF_ONE: dict[Any, Callable[[Any], tuple[Any, ...]]] = {
    sre.LITERAL: lambda value: ((sre.LITERAL, value),),
    sre.NOT_LITERAL: lambda value: ((sre.NEGATE, None), (sre.LITERAL, value)),
    sre.IN: tuple,
    sre.ANY: lambda value: ((sre.ANY, value),),
}
_CONTROLS = frozenset(CONTROL)
_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    sre.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
}


_CASES = {"ſ": "s", "ı": "i", "İ": "i", "K": "k"}  # What `re` takes for one another beside lower and upper.


@lru_cache(maxsize=4096)
def _members(items: tuple[Any, ...], flags: int) -> frozenset[int]:
    """The bytes of one character of a pattern."""
    negated = items[0][0] is sre.NEGATE
    found = {
        code
        for code, char in CHARACTER.items()
        if any(_is_in(variant, kind, value, flags) for variant in _variants(char, flags) for kind, value in items)
    }
    return frozenset(CHARACTER.keys() - found if negated else found)


def _variants(char: str, flags: int) -> set[str]:
    return {char, char.lower(), char.upper(), _CASES.get(char, char)} if flags & re.I else {char}


def _is_in(char: str, kind: Any, value: Any, flags: int) -> bool:
    if kind is sre.LITERAL:
        _must_have_byte(value)
        return char == chr(value)
    if kind is sre.RANGE:
        for end in value:
            _must_have_byte(end)
        return len(char) == 1 and value[0] <= ord(char) <= value[1]
    if kind is sre.CATEGORY:
        return bool(_CATEGORIES[value](char)) and (char.isascii() or not flags & re.A)
    return kind is sre.ANY and (char != "\n" or bool(flags & re.S))


def _must_have_byte(code: int) -> None:
    if not has_byte(chr(code)):
        raise UnsupportedPattern(f"the character {chr(code)!r} ({code:#x}) has no byte")


@lru_cache(maxsize=4096)
def _set(members: frozenset[int]) -> str:
    if len(members) == 1:
        return _escaped(bytes(members))
    pieces, codes = [], sorted(members)
    while codes:
        first = last = codes.pop(0)
        while codes and codes[0] == last + 1:
            last = codes.pop(0)
        pieces.append(f"{_escaped(bytes([first]))}-{_escaped(bytes([last]))}")
    return f"[{''.join(pieces)}]" if pieces else _NOTHING


def _escaped(mark: bytes) -> str:
    return "".join(chr(code) if chr(code).isalnum() and code < 0x80 else f"\\x{code:02x}" for code in mark)
