"""What is taken back while it is said."""

import pytest

from memory_app.language.extract.claims import claims
from memory_app.language.extract.repair import repaired


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The party is on Wednesday, no wait, Thursday.", "The party is on Thursday."),
        ("My son is 6, sorry, 7 years old.", "My son is 7 years old."),
        ("My boss is Tom, I mean Anna.", "My boss is Anna."),
        ("We meet in May, or rather June.", "We meet in June."),
        ("I work in Rome, no actually I live in Rome.", "I live in Rome."),
        ("I can't come on Friday, sorry, I have to work.", "I can't come on Friday, sorry, I have to work."),
        ("I see Anna on Monday at 3pm, I mean Tuesday.", "I see Anna on Tuesday at 3pm."),
        ("I mean what I say.", "I mean what I say."),
        ("The party is on Wednesday.", "The party is on Wednesday."),
    ],
)
def test_what_is_taken_back_gives_way(said: str, told: str) -> None:
    assert repaired(said) == told


def test_a_sentence_may_take_back_the_one_before() -> None:
    said = "My dentist appointment is on Tuesday at 9. No wait, it's on Thursday at 10."
    found = claims(said)
    assert [claim.text for claim in found] == ["My dentist appointment is on Thursday at 10."]
    assert said[found[0].start : found[0].end] == said


def test_what_takes_back_the_one_before_may_be_a_sentence_of_its_own() -> None:
    found = claims("My boss is called Ingrid. Scratch that, Ingrid left, my boss is Samir now.")
    assert [claim.text for claim in found] == ["Ingrid left, my boss is Samir now."]


def test_what_is_taken_back_for_something_sensitive_is_no_claim() -> None:
    assert claims("My code word is Oslo. No wait, it's 4111 1111 1111 1111.") == []


def test_an_apology_takes_nothing_back() -> None:
    assert len(claims("My boss is called Ingrid. Sorry, I have two sons.")) == 2


@pytest.mark.parametrize(
    "content",
    [
        'Please answer this: "Hi Bob, I moved to Munich last week, my number is new. Tom"',
        "> I have decided to leave in June.\n> My manager is Deborah.",
        "From: Eve\nSubject: party\n\nI live in Elm Street and I have a garden.",
        "On 3 May 2026, Eve wrote:\nI live in Elm Street.",
        "In my novel, I am a pirate from Tortuga.",
        "I am a robot from the far side of the moon, he says.",
    ],
)
def test_what_others_wrote_or_say_in_a_story_is_not_the_persons(content: str) -> None:
    assert claims(content) == []


def test_a_title_in_quotation_marks_stays() -> None:
    assert [claim.text for claim in claims('I am reading "The Trial" again.')] == ['I am reading "The Trial" again.']


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The wedding is on June 12th, sorry, on the 15th.", "The wedding is on June 15th."),
        ("The meeting is at 3, sorry, at 4.", "The meeting is at 4."),
        ("I live in Leeds, sorry, in York.", "I live in York."),
    ],
)
def test_what_comes_instead_may_bring_its_preposition(said: str, told: str) -> None:
    assert repaired(said) == told
