"""The signs of health: one of them is in whatever the expression for someone's health finds."""

import importlib
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from config.env import ROOT
from memory_app.rules.health_signs import SIGNS, may_be_of_health
from memory_app.rules.personal import HEALTH
from tests.source import files

Node = tuple[Any, Any]


def tree() -> Sequence[Node]:
    """HEALTH as Python itself reads it."""
    parser: Any = importlib.import_module("re._parser")
    parsed: Sequence[Node] = parser.parse(HEALTH.pattern, HEALTH.flags)
    return parsed


def has_a_sign(nodes: Sequence[Node]) -> bool:
    """Whether a sign is in all that this matches: in letters that stand side by side, or in every branch."""
    run = ""
    for operation, about in [*nodes, ("END", None)]:
        name = str(operation)
        if name == "LITERAL":
            run += chr(about).lower()
            continue
        branches = _branches(name, about)
        if any(sign in run for sign in SIGNS) or (branches and all(has_a_sign(_led(run, each)) for each in branches)):
            return True
        if name.endswith("REPEAT") and about[0] and has_a_sign(about[2]):
            return True
        run = ""
    return False


def _branches(name: str, about: Any) -> Sequence[Sequence[Node]]:
    if name == "SUBPATTERN":
        return [about[-1]]
    return about[1] if name == "BRANCH" else []


def _led(run: str, nodes: Sequence[Node]) -> Sequence[Node]:
    """The same with the letters before it."""
    return [*(("LITERAL", ord(letter)) for letter in run), *nodes]


def test_a_sign_is_in_all_that_the_expression_finds() -> None:
    *before, (_, (_, alternatives)) = tree()
    assert [str(operation) for operation, _ in before] in ([], ["AT"])
    assert [number for number, each in enumerate(alternatives) if not has_a_sign(each)] == []


def test_the_test_would_say_which_is_missing() -> None:
    parser: Any = importlib.import_module("re._parser")
    assert has_a_sign(parser.parse(r"\bmy (?:cancer|chemo\w*)\b"))
    assert not has_a_sign(parser.parse(r"\bmy (?:cancer|garden)\b"))
    assert not has_a_sign(parser.parse(r"\bmy (?:cancer )?day\b"))


def strings() -> Iterator[str]:
    """All that is written between quotes in the tests."""
    for path in files("tests"):
        for found in re.finditer(r"\"([^\"\n]{3,300})\"", (ROOT / path).read_text()):
            yield found[1]


def test_nothing_of_the_tests_is_missed() -> None:
    texts = list(strings())
    assert len(texts) > 5_000
    assert [text for text in texts if HEALTH.search(text) and not may_be_of_health(text)] == []


def test_nor_is_any_of_many_made_of_its_words() -> None:
    words = [*sorted({*re.findall(r"[a-z']{2,}", HEALTH.pattern)}), "20", "20mg", "my", "i", "a", "the", "in", "Tom"]
    chance = random.Random(7)
    texts = [" ".join(chance.choices(words, k=chance.randint(2, 9))) for _ in range(20_000)]
    found = [text for text in texts if HEALTH.search(text)]
    assert len(found) > 100
    assert [text for text in found if not may_be_of_health(text)] == []


@pytest.mark.parametrize("text", ["My sister has CANCER", "I am H\u0130V positive", "my \u017fister had \u017furgery"])
def test_letters_that_the_expression_takes_for_english_ones_are_none_the_less(text: str) -> None:
    assert HEALTH.search(text)
    assert may_be_of_health(text)


@pytest.mark.parametrize("text", ["", "I live in Oslo", "We chose the blue tile for the kitchen", "See you at 5!"])
def test_most_texts_have_none(text: str) -> None:
    assert not may_be_of_health(text)
