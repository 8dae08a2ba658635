"""Text as one byte a character, so that RE2 counts as Python does: 128 of ASCII, Latin-1, a few marks, and classes.

Characters that no pattern names differ only in their class: letter, digit, space or something else.
"""

import re
import unicodedata
from functools import cached_property, lru_cache
from typing import Any

PUNCTUATION_AND_LETTERS = "‘’“”„–—−…•‣▪€₹œŒ。！？\u202fſıİ\u212a"
LOWER, UPPER, LETTER, DIGIT, SPACE, PRIVATE, OTHER = "łŁ中٣\u2009\ue100☃"
"""Each stands for all characters of its class that have no byte of their own."""

CONTROL = tuple(code for code in range(32) if not chr(code).isspace())
"""Bytes that marks are made of; a text's own control characters become DELETE."""
_DELETE = 0x7F
_BOUNDARY = re.compile(r"\b")

_BYTE_OF = {
    char: code
    for code, char in enumerate((*PUNCTUATION_AND_LETTERS, LOWER, UPPER, LETTER, DIGIT, SPACE, PRIVATE, OTHER), 0x80)
}
_BYTE_OF |= {chr(code): code for code in (*range(0x80), *range(0xA0, 0x100))}
CHARACTER = {code: char for char, code in _BYTE_OF.items()}
"""The character that each byte stands for."""


class _Bytes(dict[int, int]):
    """For `str.translate`: the byte of each character; what is not listed is looked up by its class, once."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        byte = _DELETE if code in CONTROL else _BYTE_OF.get(char) or _BYTE_OF[_class(char)]
        if len(self) < 0x10000:
            self[code] = byte
        return byte


def _class(char: str) -> str:
    if char.isspace():
        return SPACE
    if char.isdecimal():
        return DIGIT
    category = unicodedata.category(char)
    if not char.isalnum():
        return PRIVATE if category == "Co" else OTHER
    return LOWER if category == "Ll" else UPPER if category == "Lu" else LETTER


_TABLE = _Bytes()


class Encoded:
    """A text in bytes, and the marks set last: most searches of one text with one pattern follow each other."""

    marks: tuple[Any, bytes] = (None, b"")
    """The form of a pattern, and the text with the marks of its tests."""

    def __init__(self, text: str) -> None:
        self.text, self.is_ascii = text, text.isascii()
        self.bytes = text.translate(_TABLE).encode("latin-1")

    @cached_property
    def boundaries(self) -> list[int]:
        """Where words begin and end."""
        return [found.start() for found in _BOUNDARY.finditer(self.text)]


encoded = lru_cache(maxsize=64)(Encoded)


def has_byte(char: str) -> bool:
    """Whether a pattern may name this character."""
    return char in _BYTE_OF
