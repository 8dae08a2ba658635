"""What of a turn is marked, and how a long one is shortened around it."""

import pytest

from dashboard.dialogue import TextPart, shorten_unquoted, split_at_quotes


@pytest.mark.parametrize(
    ("text", "quotes", "bits"),
    [
        ("We chose blue.", [], [("We chose blue.", False)]),
        ("We chose blue.", ["chose"], [("We ", False), ("chose", True), (" blue.", False)]),
        ("We chose blue.", ["We chose blue."], [("We chose blue.", True)]),
        ("We chose blue.", ["red"], [("We chose blue.", False)]),
        ("We chose blue.", ["chose", "chose blue"], [("We ", False), ("chose blue", True), (".", False)]),
        ("We\n chose  blue.", ["We chose blue"], [("We\n chose  blue", True), (".", False)]),
        ("a (b) a", ["(b)"], [("a ", False), ("(b)", True), (" a", False)]),
        ("", ["x"], []),
        ("text", [" "], [("text", False)]),
    ],
)
def test_quotes_are_marked_where_they_occur(text: str, quotes: list[str], bits: list[tuple[str, bool]]) -> None:
    assert [(bit.text, bit.quoted) for bit in split_at_quotes(text, quotes)] == bits


def test_a_long_text_is_cut_away_from_the_highlight() -> None:
    long = "word " * 200
    before, marked, after = shorten_unquoted([TextPart(long), TextPart("blue", quoted=True), TextPart(long)])
    assert before.text.startswith("…word")
    assert before.text.endswith("word ")
    assert (marked.text, marked.quoted) == ("blue", True)
    assert after.text.startswith("word")
    assert after.text.endswith("word…")
    assert len(before.text) < 170
    assert len(after.text) < 170


def test_the_text_between_two_highlights_is_cut_in_the_middle() -> None:
    between = shorten_unquoted([TextPart("a", True), TextPart("one " + "word " * 200 + "two"), TextPart("b", True)])[1]
    assert between.text.startswith("one word")
    assert between.text.endswith("word two")
    assert "…" in between.text


def test_highlights_and_short_texts_are_never_cut() -> None:
    long = TextPart("x" * 2_000, quoted=True)
    assert shorten_unquoted([long]) == (long,)
    assert shorten_unquoted([TextPart("short")]) == (TextPart("short"),)


def test_an_unmarked_text_keeps_its_beginning() -> None:
    (cut,) = shorten_unquoted([TextPart("first " + "word " * 200)])
    assert cut.text.startswith("first word")
    assert cut.text.endswith("…")
