"""What nobody sees is left out of what is shown; what joins letters and emoji stays where it does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_app.nlp.invisible import JOINERS, without_invisible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ab\u202ecd\u202c e\u2066f\u2069", "abcd ef"),
        ("tag\U000e0041\U000e0042s\U000e007f", "tags"),
        ("a\u200bb\u2060c\ufeffd\u00ade\u061cf", "abcdef"),
        ("bell\x07 and null\x00", "bell and null"),
        ("one\u2028two\u0085three", "one\ntwo\nthree"),
        ("a\u200db\u200c\u200cc\ufe0fd", "abcd"),
        ("x\ufe01y\U000e0101z", "xyz"),
    ],
)
def test_what_nobody_sees_is_left_out(text: str, shown: str) -> None:
    assert without_invisible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Lines\nand\ttabs\r\nstay",
        "❤\ufe0f and 👩\u200d🍳, ❤\ufe0f\u200d🔥, 1\ufe0f\u20e3",
        "می\u200cخواهم",
        "שלום, مرحبا",
        "Das Café – „früh“ genug",
    ],
)
def test_what_is_seen_stays(text: str) -> None:
    assert without_invisible(text) == text


@pytest.mark.parametrize("joint", JOINERS)
def test_a_joint_that_joins_nothing_is_left_out(joint: str) -> None:
    assert without_invisible(f"a{joint}b {joint}👩") == "ab 👩"
    assert without_invisible(f"👩{joint}{joint}{joint}🍳").count(joint) <= 1


@given(st.text())
def test_what_is_shown_once_is_shown_so_again(text: str) -> None:
    assert without_invisible(without_invisible(text)) == without_invisible(text)
