"""What is supposed is no claim; what is sure beside it is."""

import pytest

from memory_app.nlp.extract.claims import claims
from memory_app.nlp.extract.not_lasting import certain_part


@pytest.mark.parametrize(
    "said",
    [
        "If I move to Rome, I'll need a visa",
        "If I move to Rome...",
        "I'll need a visa if I move to Rome.",
        "I'm moving to Leeds if I get the job.",
        "We can't come unless my sister drives.",
        "Unless I find a flat, I'm staying in Leeds.",
        "In case I move to Rome, I'll need a visa.",
        "Assuming I get the job, I'll move to Leeds.",
        "As long as I have my bike, I'm happy in Leeds.",
        "Had I known, I'd have moved to Rome.",
        "If only I had a garden.",
        "Whether I move or stay, I'll keep the cat.",
        "As if I'd ever move to Rome.",
        "Yeah right, I love my commute.",
        "My sister might move to Lyon.",
        "I love Mondays /s",
        "I swear I'll quit.",
        "I dreamt that I lived on a boat.",
        "Last night I had a strange dream where I was king.",
        "I could have been a doctor.",
        "Say I live in Rome.",
        "For my novel: I grew up in Prague.",
        "It's not like I live in Rome.",
    ],
)
def test_a_condition_a_guess_and_a_joke_are_no_claims(said: str) -> None:
    assert certain_part(said) == ""


@pytest.mark.parametrize(
    ("said", "sure"),
    [
        ("I live in Leeds with Rex, but if I move to Rome I'll need a visa.", "I live in Leeds with Rex"),
        ("I have two big dogs and if it snows we stay in.", "I have two big dogs"),
        ("I take the tram if it rains.", "I take the tram if it rains."),
        ("Even if it rains, I cycle to work.", "Even if it rains, I cycle to work."),
        ("My boss asked if I would move to Leeds.", "My boss asked if I would move to Leeds."),
        ("If you must know, I moved to Rome.", "If you must know, I moved to Rome."),
        ("I've always dreamed of sailing.", "I've always dreamed of sailing."),
        ("My gran is called Almighty Joan.", "My gran is called Almighty Joan."),
    ],
)
def test_what_is_sure_stays(said: str, sure: str) -> None:
    assert certain_part(said) == sure


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
