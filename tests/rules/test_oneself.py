"""A text as its owner would say it, for comparing."""

import pytest

from memory_app.rules.oneself import in_first_person, of_oneself

ALICE = ("alice", "Alice Lee")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Alice's dog is called Rex", "my dog is called Rex"),
        ("alice's dog is called rex", "my dog is called rex"),
        ("Alice Lee lives in Rome", "I lives in Rome"),
        ("alice lives in Rome", "I lives in Rome"),
        ("Alice's a nurse", "I am a nurse"),
        ("Alice's got a dog", "I have got a dog"),
        ("Alice's never been to Rome", "I have never been to Rome"),
        ("Bob likes Alice.", "Bob likes me."),
        ("Bob saw Alice yesterday", "Bob saw me yesterday"),
        ("Yesterday Alice went home", "Yesterday I went home"),
        ("Bob gave the book to Alice and Alice liked it.", "Bob gave the book to me and I liked it."),
        ("ALICE LIVES IN ROME", "I LIVES IN ROME"),
        ("Alice: The meeting is on Monday", "The meeting is on Monday"),
        ("[3 May 2024] Alice: I live in Rome", "[3 May 2024] I live in Rome"),
    ],
)
def test_the_owners_name_is_i(text: str, said: str) -> None:
    assert of_oneself(text, ALICE) == said


@pytest.mark.parametrize(
    "text",
    [
        "Bob's dog is called Rex",
        "Bob: I saw Alice",
        "My sister is Mary Alice Jones",
        "She lives in Alice Springs",
        "Aliceville is small",
        "My dog is called Rex",
        "",
    ],
)
def test_anyone_else_stays_as_they_are_named(text: str) -> None:
    assert of_oneself(text, ALICE) == text


def test_a_name_that_is_a_plain_word_is_not_looked_for() -> None:
    assert of_oneself("May has two cats in May", ("May",)) == "May has two cats in May"


def test_a_name_with_a_number_is_known_in_small_letters() -> None:
    assert of_oneself("The dog of user-42 is called Rex", ("user-42",)) == "The dog of me is called Rex"


def test_in_a_long_text_each_name_is_told_by_the_words_around_it() -> None:
    said = "Alice is here and Bob met Alice. " * 1_000
    assert of_oneself(said, ALICE) == "I is here and Bob met me. " * 1_000


def test_who_speaks_of_themselves_is_told_from_who_does_not() -> None:
    assert in_first_person("I'm a nurse")
    assert in_first_person("Bob called me")
    assert not in_first_person("Bob: The meeting is on Monday")
