"""Whether other words are another claim, or the same one."""

import pytest

from memory_app.rules.told_anew import told_anew

ROME = ["I live in Rome"]


@pytest.mark.parametrize(
    ("before", "after", "against"),
    [
        ("I live in Oslo", "I live in Bergen", ROME),
        ("I live in Oslo. I work for Acme.", "I live in Bergen. I work for Acme.", ROME),
        ("I like fish", "I live in Oslo", ROME),
        ("The meeting is on Tuesday", "The meeting is on Thursday", ["The meeting is on Monday"]),
        ("The meeting is at 9", "The meeting is at 10", ["The meeting is at 8"]),
        ("I eat meat", "I don't eat meat", ["I eat meat every day"]),
        ("My budget is 40,000", "My budget is 45,000", []),
    ],
)
def test_another_value_is_told_anew(before: str, after: str, against: list[str]) -> None:
    assert told_anew(before, after, against)


@pytest.mark.parametrize(
    ("before", "after", "against"),
    [
        ("I live in Olso", "I live in Oslo", ROME),
        ("I live in Oslo", "i live in oslo!", ROME),
        ("I live in Oslo", "My home is in Oslo", ROME),
        ("I live in Oslo", "I live in Oslo with Ann", ROME),
        ("I live in Oslo and work for Acme", "I live in Oslo and work for Globex", ROME),
        ("I live in Oslo and work for Acme", "I live in Oslo", ROME),
        ("The meeting is on Tusday", "The meeting is on Tuesday", ["The meeting is on Monday"]),
        ("I have a cat", "I have a cat called Tom", []),
    ],
)
def test_what_says_the_same_or_more_is_not(before: str, after: str, against: list[str]) -> None:
    assert not told_anew(before, after, against)
