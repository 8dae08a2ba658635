"""Patterns in linear time find what `re` finds."""

import re

import pytest

from memory_app.nlp import linear_re
from tests.source import files, imported

TEXTS = (
    "",
    "\n",
    "I'm Zoë, and we're at the café. Café? CAFÉ!\n",
    "Ich heiße Jürgen und wohne in Köln seit dem 3. März 2024",
    "J’habite à Orléans; “je t’appelle l'été prochain” – œuvre n° 4",
    "my sister Ana_María said: call me at 10:30, 1,000 times… (or not)\nSecond line\n",
    "HİV ſurgery ıt K 中文 ٣٤ \x00\x07\x85 👍 łódź ŁÓDŹ ½ x² \u202f\u00a0",
    "a" * 500 + " and the end" + " the" * 120 + "!",
)
PATTERNS = (
    (r"\b\w+\b", 0),
    (r"\B\w", 0),
    (r"(?<!\w)é|é(?!\w)", re.I),
    (r"\b(?P<i>i|we)(?![.)])(?P<short>['’](?:m|re|ve|habite))?\b", re.I),
    (r"(?<=[.!?…])[\"'”’)\]]*\s+|\n+", 0),
    (r"^(?:my|ich) (\w+)|(\w+)$", re.I | re.M),
    (r"\w+\W*$", 0),
    (r"[^\W\d_a-zà-öø-ÿ][\w'’]*(?:-[\w'’]+)*", 0),
    (r"(?:(?!the\b)\w+ )+?end\b(?= the)", 0),
    (r"\b(?=\w*\d)(?=\w{2})\w+\b(?!\.)", 0),
    (r"(?<!\ba)(?<!\b1) (?=\w)", 0),
    (r"(?:\bthe\b|\b\w(?!\w)|(?<=t)\b)", 0),
    (r".+?(?:,|$)", re.S),
    (r"\s*(?:,|\bund\b)?\s*", re.I),
    (r"(?-i:[A-Z])\w+(?i:É)?", 0),
    (r"[sik]", re.I),
)


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
def test_the_same_is_found_as_by_backtracking(pattern: str, flags: int) -> None:
    ours, theirs = linear_re.compile(pattern, flags), re.compile(pattern, flags)
    for text in TEXTS:
        found = [(match.span(), match.groups()) for match in ours.finditer(text) if match[0]]
        assert found == [(match.span(), match.groups()) for match in theirs.finditer(text) if match[0]], text
        for ask in ("match", "fullmatch", "search"):
            one, other = getattr(ours, ask)(text, 3), getattr(theirs, ask)(text, 3)
            assert (one and (one.span(), one.groupdict())) == (other and (other.span(), other.groupdict())), (ask, text)


def test_text_is_replaced_and_split_as_by_backtracking() -> None:
    for text in TEXTS:
        for template in (r"<\1>", r"\g<word>\\", "-", lambda found: found[1].upper()):
            short = r"\b(?P<word>\w{2,3})\b"
            assert linear_re.compile(short).sub(template, text) == re.sub(short, template, text)
        assert list(linear_re.compile(r"(,|;)\s|\n").split(text)) == re.split(r"(,|;)\s|\n", text)
        assert list(linear_re.compile(r"\s+").split(text, 1)) == re.split(r"\s+", text, maxsplit=1)
        assert linear_re.compile(r"(\w)-?(\d)?").findall(text) == re.findall(r"(\w)-?(\d)?", text)


@pytest.mark.parametrize("pattern", [r"(a)\1", r"a++b", r"(?=(a))", "[\u3040-\u30ff]", "b{2000,}"])
def test_what_cannot_be_done_is_refused_when_compiled(pattern: str) -> None:
    with pytest.raises(linear_re.UnsupportedPattern):
        linear_re.compile(pattern)


def test_a_pattern_that_backtracks_for_ever_ends() -> None:
    assert linear_re.compile(r"(?:(?:\w+:?\s+)*?(?=\w)\w+\s+)*?and$").fullmatch("and " * 5_000 + "tea") is None


def test_people_s_text_is_read_with_patterns_in_linear_time_only() -> None:
    """What `re` alone can do is declared with `linear_re.by_python`, which asks for the reason."""
    folders = ("memory_app/nlp", "memory_app/rules", "memory_app/embedding")
    direct = [path for path in files(*folders) if "re" in imported(path) and "linear_re" not in path.parts]
    assert direct == []
