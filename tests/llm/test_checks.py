"""Names and numbers that a model added are found out, and its words are made plain before they are stored."""

import pytest

from memory_app.llm.checks import clean_key, clean_keywords, clean_line, invented_parts


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Alice has one daughter, Mia.", ["My daughter Mia is great", "Alice"]),
        ("Alice moved to Berlin on 13 November 2026 at 18:00.", ["we moved to berlin last Friday", "Alice"]),
        ("Alice has two cats.", ["I've 2 cats", "Alice"]),
        ("Alice's sister lives in Rome.", ["my sister lives in Rome", "Alice"]),
    ],
)
def test_what_was_said_in_any_form_is_not_invented(text: str, sources: list[str]) -> None:
    assert invented_parts(text, sources) == set()


@pytest.mark.parametrize(
    ("text", "sources", "added"),
    [
        ("Alice works at Google.", ["I work there", "Alice"], {"google"}),
        ("Alice owes 500 euros.", ["I owe 50 euros", "Alice"], {"500"}),
        ("Bob lives in Rome.", ["I live in Rome", "Alice"], {"bob"}),
    ],
)
def test_what_was_not_said_is(text: str, sources: list[str], added: set[str]) -> None:
    assert invented_parts(text, sources) == added


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
