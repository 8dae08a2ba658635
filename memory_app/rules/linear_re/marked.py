"""Marks in a text: before each character, which tests of a pattern hold there.

Every place takes the same number of bytes, so that a place in the marked text is a division away from one in the text.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory_app.rules.linear_re.alphabet import Encoded
from memory_app.rules.linear_re.translate import FILLER, Test


@dataclass(frozen=True, slots=True)
class Marks:
    """A text with its marks; each character and what stands before it are `step` bytes."""

    data: bytes
    step: int


Starts = Callable[[Test, Encoded], Iterable[int]]
"""Where the body of look-around matches."""


def with_marks(text: Encoded, tests: tuple[Test, ...], marks: tuple[bytes, ...], starts: Starts) -> Marks:
    length = len(text.text)
    if not tests:
        return Marks(text.exact, 1)
    usual = sum(1 << number for number, test in enumerate(tests) if test.negated)
    held: dict[int, int] = {}
    known: dict[Test, list[int]] = {}
    for number, test in enumerate(tests):
        if test not in known:
            known[test] = _places(test, text, starts)
        for place in known[test]:
            held[place] = held.get(place, usual) ^ (1 << number)
    width = sum(map(len, marks))
    written = {mask: _written(mask, marks, width) for mask in {usual, *held.values()}}
    pieces = [written[usual]] * (2 * length + 1)
    pieces[1::2] = text.characters
    for place, mask in held.items():
        pieces[2 * place] = written[mask]
    return Marks(b"".join(pieces), width + 1)


def _written(mask: int, marks: tuple[bytes, ...], width: int) -> bytes:
    return b"".join(mark for number, mark in enumerate(marks) if mask >> number & 1).ljust(width, FILLER)


def _places(test: Test, text: Encoded, starts: Starts) -> list[int]:
    """Where a test holds; of a negated one, where what it denies holds."""
    length = len(text.text)
    if test.body is not None:
        return [start + test.behind for start in starts(test, text)]
    if test.place in ("boundary", "no boundary"):
        return text.boundaries if test.place == "boundary" else [*{*range(length + 1)}.difference(text.boundaries)]
    return [*_ends(test.place, text.text, length)]


def _ends(place: str, text: str, length: int) -> set[int]:
    if place == "start":
        return {0}
    if place == "very end":
        return {length}
    if place == "end":
        return {length, length - 1} if text.endswith("\n") else {length}
    breaks = [at for at, char in enumerate(text) if char == "\n"]
    return {0, *(at + 1 for at in breaks)} if place == "line start" else {length, *breaks}
