"""A model's words are made plain before they are kept."""

import pytest

from memory_app.llm.checks import clean_key, clean_keywords, clean_line


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Alice\u0000 lives\n\there", "Alice lives here"),
        ("\u202eevil\u202c", "evil"),
        ("Ana\u200dis", "Ana\u200dis"),
    ],
)
def test_text_is_one_line_without_control_characters(text: str, kept: str) -> None:
    assert clean_line(text, 40) == kept


def test_text_that_is_too_long_ends_after_a_word() -> None:
    assert clean_line("one two three", 8) == "one two…"


@pytest.mark.parametrize(
    ("key", "kept"),
    [("home_city", "home_city"), ("Home-City ", "home_city"), ("1st", ""), ("a" * 61, ""), ("naïve", ""), ("", "")],
)
def test_a_key_is_small_letters_digits_and_lines(key: str, kept: str) -> None:
    assert clean_key(key) == kept


def test_keywords_are_five_at_most_each_once() -> None:
    assert clean_keywords(["Tea", "tea", " ", "cup", "Tea", "a", "b", "c"]) == ("Tea", "cup", "a", "b", "c")
