"""Text as one byte a character, so that RE2 counts as Python does: 128 of ASCII, Latin-1, a few marks, and classes.

Characters that no pattern names differ only in their class: letter, digit, space or something else.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_app.rules.linear_re.marked import Marks
    from memory_app.rules.linear_re.translate import Form

NAMED = "‘’“”„–—−…•‣▪€₹œŒ。！？\u202fſıİ\u212a"
LOWER, UPPER, LETTER, DIGIT, SPACE, PRIVATE, OTHER = "łŁ中٣\u2009\ue100☃"
"""Each stands for all characters of its class that have no byte of their own."""

CONTROL = tuple(code for code in range(32) if not chr(code).isspace())
"""Bytes that marks are made of; a text's own control characters become DELETE before marks are set."""
_DELETE = 0x7F
_SHADOW_LETTER = ord("_")

_BYTE_OF = {char: code for code, char in enumerate((*NAMED, LOWER, UPPER, LETTER, DIGIT, SPACE, PRIVATE, OTHER), 0x80)}
_BYTE_OF |= {chr(code): code for code in range(0xA0, 0x100)}
CHARACTER = {code: chr(code) for code in range(0x80)} | {code: char for char, code in _BYTE_OF.items()}
"""The character that each byte stands for."""

_NO_CONTROL = bytes(_DELETE if code in CONTROL else code for code in range(256))
_WORDS = {code for code, char in CHARACTER.items() if code >= 0x80 and char.isalnum()}
_SHADOW = bytes(_SHADOW_LETTER if code in _WORDS else code for code in range(256))

_SINGLE = [bytes([code]) for code in range(256)]
_BOUNDARY = re.compile(r"\b")

_CACHED_LENGTH = 4_000  # Longer texts are rare, and many would fill the memory.
_CACHED_TEXTS = 128
_CACHED_LONG = 2  # One is searched again and again, from place to place.


class _Bytes(dict[int, int]):
    """For `str.translate`: the byte of each character; what is not listed is looked up by its class, once."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        byte = code if code < 0x80 else _BYTE_OF.get(char) or _BYTE_OF[_class(char)]
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


@dataclass(eq=False)
class Encoded:
    """A text in bytes. In its `shadow` all letters beyond ASCII are one ASCII letter, for RE2's word boundaries."""

    text: str
    shadow: bytes
    unsure: bool
    """It holds what the shadow does not tell apart: letters beyond ASCII, or the one that stands for them."""
    marked: "tuple[Form, Marks] | None" = None
    """The marks set last, and for which pattern: most searches of one text with one pattern follow each other."""

    @cached_property
    def exact(self) -> bytes:
        """Without the bytes that marks are made of."""
        whole = self.text.translate(_TABLE).encode("latin-1") if self.unsure else self.shadow
        return whole.translate(_NO_CONTROL)

    @cached_property
    def characters(self) -> list[bytes]:
        return [_SINGLE[code] for code in self.exact]

    @cached_property
    def boundaries(self) -> list[int]:
        """Where words begin and end."""
        return [found.start() for found in _BOUNDARY.finditer(self.text)]


def encoded(text: str) -> Encoded:
    return _cached(text) if len(text) <= _CACHED_LENGTH else _cached_long(text)


def _encoded(text: str) -> Encoded:
    if text.isascii():
        return Encoded(text, text.encode("latin-1"), "_" in text)
    whole = text.translate(_TABLE).encode("latin-1")
    shadow = whole.translate(_SHADOW)
    return Encoded(text, shadow, shadow != whole or "_" in text)


_cached = lru_cache(maxsize=_CACHED_TEXTS)(_encoded)
_cached_long = lru_cache(maxsize=_CACHED_LONG)(_encoded)


def has_byte(char: str) -> bool:
    """Whether a pattern may name this character."""
    return char.isascii() or char in _BYTE_OF


def in_shadow(members: frozenset[int]) -> frozenset[int]:
    """A set of bytes as it is found in a shadow."""
    return members | {_SHADOW_LETTER} if members & _WORDS else members


SYMBOL = rf"[^\w\s\x00-\xff{NAMED}{PRIVATE}]"
"""For patterns: a sign beyond Latin-1 that no pattern names, as pictures are. `PRIVATE` is any for private use."""
