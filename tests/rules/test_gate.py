"""What is asked to be taught, and not of one's own life."""

import pytest

from memory_app.rules.fusion import Signals
from memory_app.rules.gate import asks_how_to, without_word


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("How do I write a will?", "write"),
        ("how to drive in snow", "drive"),
        ("Can you tell me how to bake bread?", "bake"),
        ("How should one train for a marathon?", "train"),
        ("How do I best collect a parcel?", "collect"),
        ("How do I take my tea?", ""),
        ("How do I pay?", ""),
        ("How do I write what we decided?", ""),
        ("How does Alice write?", ""),
        ("How did I drive to Rome?", ""),
        ("Where do I write?", ""),
        ("", ""),
    ],
)
def test_how_to_do_something_is_told_from_how_one_does_it(question: str, verb: str) -> None:
    assert asks_how_to(question) == verb


def test_a_row_without_a_word_keeps_its_others() -> None:
    row = Signals("a", 0.3, 0.3, 0b101, 8, None, 0, False, False, None)
    words = ("How", "do", "Write")
    assert without_word(row, "write", words).matched == 0b001
    assert without_word(row, "", words).matched == 0b101
