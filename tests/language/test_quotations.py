"""What is quoted inside a sentence is another's wording: kept letter for letter, or not put up."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract.claims import claims
from memory_app.language.extract.quotations import restored, sheltered
from memory_app.language.extract.reword import Reworder
from tests.language.test_extract_sentences import found_in

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "stands_alone"),
    [
        ('He told me "I moved to Bonn"', 'He told Alice "I moved to Bonn".'),
        ("He told me 'I moved to Bonn last week'.", "He told Alice 'I moved to Bonn last week'."),
        ("My mum always says “I love you”.", "Alice's mum always says “I love you”."),
        ("My gran says «my house is yours».", "Alice's gran says «my house is yours»."),
        ("My boss said: ‘I don’t work on Friday.’", "Alice's boss said: ‘I don’t work on Friday.’"),
        ('My band is called "We the People".', 'Alice\'s band is called "We the People".'),
        ("I lost my parents' keys and my dogs' bowl.", "Alice lost their parents' keys and their dogs' bowl."),
        ('He told me "I moved to Bonn and my', 'He told Alice "I moved to Bonn and my.'),
    ],
)
def test_what_is_quoted_is_never_reworded_nor_dated(said: str, stands_alone: str) -> None:
    assert Reworder("Alice", FRIDAY, ZoneInfo("Europe/London"))(said) == stands_alone


def test_what_is_quoted_leaves_no_holes_in_what_is_put_up() -> None:
    said = 'My sister said "we are moving to Lyon next month" yesterday.'
    (one,) = found_in("Hello!", said, "Thanks a lot.")
    assert one.content == 'Alice\'s sister said "we are moving to Lyon next month" on 19 November 2026.'
    assert one.event_time is not None
    assert (one.event_time.day, one.key) == (19, "")
    assert [quote.text for quote in one.quotes] == [said]


def test_a_name_given_by_another_is_no_name_of_the_persons() -> None:
    (one,) = found_in("Hello!", 'My neighbour told me "my name is Mallory".', "Thanks a lot.")
    assert (one.key, one.content) == ("", 'Alice\'s neighbour told them "my name is Mallory".')


@pytest.mark.parametrize(
    "said",
    [
        "She's like \"I can't come tomorrow\" lol",
        '"I live in Rome," said Bob.',
        "Anna told Bob “my dog is ill. I must go home. We can't come.”",
        'Please answer this: "Hi Bob,\nI moved to Munich last week.\nMy number is new."',
        'My code is "4111 1111 1111 1111".',
    ],
)
def test_what_only_others_say_and_what_is_secret_in_quotes_is_no_claim(said: str) -> None:
    assert claims(said) == []


@pytest.mark.parametrize(
    "text",
    [
        "He said \"a\", “b”, «c» and ‘d’, then 'e'.",
        "Height 5'10\" and 6'2\".",
        "rock 'n' roll in the '90s",
        '""',
        'a "b\nc" d "',
        "“" * 50,
        "\ue100\ue100 \uf8ff",
    ],
)
def test_any_text_comes_back_as_it_was_at_the_same_places(text: str) -> None:
    hidden, inside = sheltered(text)
    assert len(hidden) == len(text)
    assert restored(hidden, inside) == text.replace("\ue100", " ").replace("\uf8ff", " ")
