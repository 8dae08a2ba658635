"""A pattern of Python's `re` for RE2: what it means in bytes, with look-around as marks that stand in the text.

Each pattern is written twice. The *quick* form leaves look-around out: it finds all that the pattern finds, and perhaps
more. The *marked* form reads text in which marks stand before each character, one for each look-around that holds;
to read a mark is to test the look-around. What may be tested one after another at one place has rising levels, and its
marks stand in that order.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from re import _constants as sre
from re import _parser as parser
from typing import Any

from memory_app.nlp.linear_re.alphabet import CHARACTER, CONTROL, has_byte

_MOST_REPEATS = 1000  # What RE2 allows; more is as good as without an end.

FILLER, *_MARKS = (bytes([code]) for code in CONTROL)
_CONTROLS = frozenset(CONTROL)
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
_QUICK = {
    **{"start": r"\A", "line start": "(?m:^)", "end": r"\n?\z", "line end": "(?m:$)", "very end": r"\z"},
    **{"boundary": r"\b", "no boundary": r"\B"},
}


class UnsupportedPattern(ValueError):
    """The pattern needs what cannot be done in linear time here, or names a character without a byte."""


@dataclass(frozen=True, slots=True)
class Test:
    """What must hold at one place: a place by name ("start"), or look-around with a body, which begins `behind`
    characters before it."""

    place: str
    body: "Form | None" = field(default=None, compare=False)
    behind: int = 0
    negated: bool = False


@dataclass(frozen=True, eq=False)
class Form:
    """A pattern in both forms, with the tests whose marks the marked form reads, in the order of the marks.

    loose: quick without word boundaries, which RE2 knows in ASCII alone. unlooked: the marks of a place at which no
    test finds anything. members: of a pattern of one character, its bytes.
    """

    quick: bytes
    loose: bytes
    marked: bytes
    tests: tuple[Test, ...]
    marks: tuple[bytes, ...]
    unlooked: bytes
    groups: int
    names: dict[str, int]
    members: frozenset[int] | None

    @property
    def known_to_re2(self) -> bool:
        """Whether RE2 knows all of its tests, in ASCII and without a line break at the end."""
        return all(test.body is None for test in self.tests)

    @property
    def width(self) -> int:
        return len(self.unlooked)

    @cached_property
    def is_member(self) -> bytes:
        """For `bytes.translate`: 1 for the members, 0 for all else."""
        return bytes(code in (self.members or ()) for code in range(256))


def translated(pattern: str, flags: int) -> Form:
    """Raises UnsupportedPattern, or what `re` raises for a wrong pattern."""
    tree = parser.parse(pattern, flags)
    return _form(tree, tree.state.flags, tree.state.groups - 1, dict(tree.state.groupdict))


def _form(tree: Nodes, flags: int, groups: int, names: dict[str, int]) -> Form:
    levels: dict[tuple[int, Test], int] = {}
    quick, marked, _ = _Writer(levels, keeps_groups=groups > 0).sequence(tree, flags, 0)
    ordered = sorted(levels, key=lambda key: key[0])
    marks = _mark_bytes(len(ordered))
    code = {str(levels[key]): _escaped(mark) for key, mark in zip(ordered, marks, strict=True)}
    marked = _MARK_PLACE.sub(lambda found: code[found[1]], marked) + _SKIP_MARKS
    members = _members(_OF_ONE[tree[0][0]](tree[0][1]), flags) if len(tree) == 1 and tree[0][0] in _OF_ONE else None
    loose = quick.replace(r"\b", "").replace(r"\B", "")
    tests = tuple(test for _, test in ordered)
    unlooked = b"".join(mark if test.negated else FILLER * len(mark) for test, mark in zip(tests, marks, strict=True))
    return Form(quick.encode(), loose.encode(), marked.encode(), tests, marks, unlooked, groups, names, members)


def _mark_bytes(count: int) -> tuple[bytes, ...]:
    """One byte a mark, or two where there are many; no mark begins within another."""
    if count <= len(_MARKS):
        return tuple(_MARKS[:count])
    pairs = [first + second for first in _MARKS[:_HALF] for second in _MARKS[_HALF:]]
    if count > len(pairs):
        raise UnsupportedPattern(f"{count} different tests of look-around")
    return tuple(pairs[:count])


@dataclass
class _Writer:
    """Writes a parse tree in both forms, and collects the tests with their levels."""

    levels: dict[tuple[int, Test], int]
    keeps_groups: bool

    def sequence(self, nodes: Nodes, flags: int, level: int) -> tuple[str, str, int]:
        quick, marked = "", ""
        for kind, value in nodes:
            in_quick, in_marked, level = self._node(kind, value, flags, level)
            quick, marked = quick + in_quick, marked + in_marked
        return quick, marked, level

    def _node(self, kind: Any, value: Any, flags: int, level: int) -> tuple[str, str, int]:
        if kind in _OF_ONE:
            members = _members(_OF_ONE[kind](value), flags)
            return _set(members), _SKIP_MARKS + _set(members - _CONTROLS), 0
        if kind is sre.AT:
            place = _PLACES[value]
            if flags & re.M and value in (sre.AT_BEGINNING, sre.AT_END):
                place = f"line {place}"
            return self._test(_QUICK[place], Test(place), level)
        if kind in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(value, flags, level, kind is sre.ASSERT_NOT)
        if kind is sre.SUBPATTERN:
            group, added, removed, inner = value
            if group is not None and not self.keeps_groups:
                raise UnsupportedPattern("a group that is kept inside look-around")
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
        suffix = _times(least, most) + lazy
        return f"(?:{quick}){suffix}", f"(?:{marked}){suffix}", after if least else max(level, after)

    def _look(self, value: Any, flags: int, level: int, negated: bool) -> tuple[str, str, int]:
        direction, body = value
        width = body.getwidth()[0] if direction < 0 else 0
        name = f"{direction} {width} {int(flags)} {body!r}"
        return self._test("", Test(name, _form(body, flags, 0, {}), width, negated), level)

    def _test(self, quick: str, test: Test, level: int) -> tuple[str, str, int]:
        number = self.levels.setdefault((level + 1, test), len(self.levels))
        return quick, f"{_SKIP_MARKS}@{number}@", level + 1


def _times(least: int, most: int) -> str:
    if least > _MOST_REPEATS:
        raise UnsupportedPattern(f"{least} repeats")
    return f"{{{least},{most}}}" if most <= _MOST_REPEATS else f"{{{least},}}"


_OF_ONE: dict[Any, Callable[[Any], tuple[Any, ...]]] = {
    sre.LITERAL: lambda value: ((sre.LITERAL, value),),
    sre.NOT_LITERAL: lambda value: ((sre.NEGATE, None), (sre.LITERAL, value)),
    sre.IN: tuple,
    sre.ANY: lambda value: ((sre.ANY, value),),
}
_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    sre.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
}


@lru_cache(maxsize=4096)
def _members(items: tuple[Any, ...], flags: int) -> frozenset[int]:
    """The bytes of one character of a pattern."""
    found = set[int]().union(*(_codes(kind, value, flags) for kind, value in items))
    return frozenset(CHARACTER.keys() - found if items[0][0] is sre.NEGATE else found)


@lru_cache(maxsize=4096)
def _codes(kind: Any, value: Any, flags: int) -> frozenset[int]:
    """The bytes of what one item of a set stands for."""
    _check_bytes(kind, value)
    return frozenset(
        code
        for code, variants in _variants(bool(flags & re.I))
        if any(_is_in(variant, kind, value, flags) for variant in variants)
    )


@cache
def _variants(any_case: bool) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Each byte, and what `re` takes for its character, case aside."""
    return tuple(
        (code, tuple({char, char.lower()[0], char.upper(), char.upper().lower()}) if any_case else (char,))
        for code, char in CHARACTER.items()
    )


def _check_bytes(kind: Any, value: Any) -> None:
    for end in {sre.LITERAL: (value,), sre.RANGE: value}.get(kind, ()):
        if not has_byte(chr(end)):
            raise UnsupportedPattern(f"the character {chr(end)!r} ({end:#x}) has no byte")


def _is_in(char: str, kind: Any, value: Any, flags: int) -> bool:
    if kind is sre.LITERAL:
        return char == chr(value)
    if kind is sre.RANGE:
        return len(char) == 1 and value[0] <= ord(char) <= value[1]
    if kind is sre.CATEGORY:
        return bool(_CATEGORIES[value](char)) and (char.isascii() or not flags & re.A)
    return kind is sre.ANY and (char != "\n" or bool(flags & re.S))


@lru_cache(maxsize=4096)
def _set(members: frozenset[int]) -> str:
    if len(members) == 1:
        return _escaped(bytes(members))
    codes = sorted(members)
    begins = [code for code in codes if code - 1 not in members]
    ends = [code for code in codes if code + 1 not in members]
    pieces = (f"{_escaped(bytes([begin]))}-{_escaped(bytes([end]))}" for begin, end in zip(begins, ends, strict=True))
    return f"[{''.join(pieces)}]" if members else _NOTHING


def _escaped(mark: bytes) -> str:
    return "".join(chr(code) if chr(code).isalnum() and code < 0x80 else f"\\x{code:02x}" for code in mark)
