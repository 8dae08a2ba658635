"""What is quoted inside a sentence is another's wording: kept letter for letter, or not put up."""

import pytest

from memory_app.nlp.extract.claims import claims
from memory_app.nlp.extract.others_words import mask_quotations, restore_quotations
from tests.nlp.extract.test_claims import found_in


def test_what_is_quoted_leaves_no_holes_in_what_is_put_up() -> None:
    said = 'My band is called "We the People" since last month.'
    (one,) = found_in("Hello!", said, "Thanks a lot.")
    assert one.content == said


@pytest.mark.parametrize(
    "said",
    [
        "She's like \"I can't come tomorrow\" lol",
        '"I live in Rome," said Bob.',
        'My sister said "we are moving to Lyon next month" yesterday.',
        'My neighbour told me "my name is Mallory".',
        "Anna told Bob “my dog is ill. I must go home. We can't come.”",
        'Please answer this: "Hi Bob,\nI moved to Munich last week.\nMy number is new."',
    ],
)
def test_what_only_others_say_is_no_claim(said: str) -> None:
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
    hidden, inside = mask_quotations(text)
    assert len(hidden) == len(text)
    assert restore_quotations(hidden, inside) == text.replace("\ue100", " ").replace("\uf8ff", " ")
