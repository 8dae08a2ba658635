"""How two statements compare by their words alone."""

import pytest

from memory_app.nlp.comparison import adds_nothing, denies, differs_in_a_particular


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I like tea", "I like tea."),
        ("I really like tea, a lot", "I like tea"),
        ("tea I like", "I like tea"),
        ("We took a flat with a balcony", "We took a flat with a balcony and a lift"),
        ("I can’t swim", "I can't swim at all"),
        ("im vegan", "I'm vegan"),
        ("My exam is on 3 May.", "I study law. My exam is on 3 May, in Rome."),
        ("Ich wohne in Köln", "Ich wohne ja in Köln"),
    ],
)
def test_a_text_with_no_word_that_the_other_has_not_adds_nothing(new: str, old: str) -> None:
    assert adds_nothing(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("a flat with a balcony and a lift", "a flat with a balcony"),
        ("I don't like tea", "I like tea"),
        ("I like tea", "I don't like tea"),
        ("Her sister is a nurse", "My sister is a nurse"),
        ("I was a nurse", "I am a nurse"),
        ("Coffee without sugar", "Coffee with sugar"),
        ("My exam is on 4 May", "My exam is on 3 May"),
        ("I have two cats", "I have three cats"),
        ("I like tea and I like Rome", "I like tea. I like Oslo."),
        ("", "I like tea"),
    ],
)
def test_any_other_word_is_news(new: str, old: str) -> None:
    assert not adds_nothing(new, old)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My exam is on 4 May", "my exam is on 3 May"),
        ("The rent is €900", "The rent is €1,050"),
        ("We meet on Tuesday", "We meet on Thursday"),
        ("I live in Rome", "I live in Oslo"),
        ("I like coffee", "I don't like coffee"),
        ("She works at the hospital", "She no longer works at the hospital"),
        ("She works at the hospital", "She doesn't work at the hospital"),
        ("The dog is called Rex", "The dog is called Bello"),
        ("I study law. I live in Rome.", "I live in Oslo"),
        ("Sie wohnt nicht in Köln", "Sie wohnt in Köln"),
    ],
)
def test_one_statement_with_another_number_date_name_or_not(one: str, other: str) -> None:
    assert differs_in_a_particular(one, other)
    assert differs_in_a_particular(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna's birthday is 3 May", "Bob's birthday is 4 May"),
        ("I like tea", "I like window seats"),
        ("I live in Rome", "I live in Rome with Ann"),
        ("I like Rome", "I like Rome"),
        ("3 May", "4 May"),
        ("", ""),
    ],
)
def test_two_statements_of_two_things(one: str, other: str) -> None:
    assert not differs_in_a_particular(one, other)


def test_a_denial_is_seen_however_it_is_written() -> None:
    said = ["I can't swim", "no meat for me", "I never smoke", "dont call me", "Ich mag keinen Kaffee"]
    assert all(map(denies, said))
    assert not denies("I like tea. I know it.")
