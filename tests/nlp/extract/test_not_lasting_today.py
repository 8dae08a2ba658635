"""What is over by tomorrow is left out; a plan with a date, a habit and what changes a life are not."""

import pytest

from memory_app.nlp.extract.claims import claims


@pytest.mark.parametrize(
    "said",
    [
        "I'm going to the gym later",
        "I'll call you back in a bit",
        "I'm making tea",
        "I'm making a quick coffee, brb",
        "I'm about to have lunch",
        "I'm going to bed!",
        "I'm picking up the kids at 5",
        "I'm watching a movie tonight",
        "We're heading out now",
        "I have to do the dishes first",
        "I'm having dinner with Anna tonight.",
        "I’m running late, so don’t wait for me",
    ],
)
def test_what_is_over_within_the_day_is_no_claim(said: str) -> None:
    assert claims(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "I'm going to the gym every Tuesday",
        "I'm moving to Oslo later this year",
        "I'm getting a dog",
        "I'm taking a class in Spanish",
        "I'm starting my new job today",
        "We're getting married today",
        "I'm flying to Rome tonight",
        "I'm meeting Anna on Friday at 5",
        "I'm cooking dinner for my parents on Sunday",
        "I'll retire at 60",
        "I'm walking the Camino",
        "I have to renew my passport",
    ],
)
def test_what_lasts_is_dated_or_recurs_is_a_claim(said: str) -> None:
    assert [claim.text for claim in claims(said)] == [said]
