"""What sides of their own life a question asks of, and by which words these are told."""

import pytest

from memory_app.nlp.query_expansion import related_words


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who is my boss?", "report"),
        ("Where do I work?", "hired"),
        ("what do I drive?", "bmw"),
        ("how old is my daughter?", "born"),
        ("what's my cat's name?", "kitten"),
        ("who employs me?", "company"),
        ("are we married?", "wedding"),
    ],
)
def test_a_side_of_a_life_is_told_by_more_words_than_it_is_asked_by(question: str, told: str) -> None:
    assert any(told in words for words in related_words(question))


@pytest.mark.parametrize(
    "question",
    [
        *("how do I boil an egg?", "how can we work faster?", "tell me a joke about work", "what is a good job?"),
        *("did I return the library books?", "where did I park the car?", "what is my wifi password?", "", "?" * 5000),
    ],
)
def test_no_side_is_asked_of_where_the_life_of_another_or_something_else_is(question: str) -> None:
    assert related_words(question) == ()


def test_who_asks_of_many_sides_at_once_asks_of_none_in_particular() -> None:
    assert len(related_words("my boss, my dog, my car?")) == 3
    assert related_words("my boss, my dog, my car, my home, my bank, my phone, my doctor?") == ()


def test_a_language_without_a_list_has_no_sides() -> None:
    assert related_words("where do I work?", "finnish") == ()
