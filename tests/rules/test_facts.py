"""What is told in one breath, taken into facts that each stand alone."""

import pytest

from memory_app.rules.facts import goes_on, separate


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        ("I live in Rome and I'm a nurse.", ["I live in Rome", "I'm a nurse."]),
        ("My name is Bob, I play the cello and my wife is called Eve", 3),
        ("I like tea. I like jazz.", ["I like tea.", "I like jazz."]),
        ("My son is called Tim and my daughter lives in Oslo", 2),
        ("We chose the white door. I work at the harbour.", 2),
        ("I'm moving to Oslo in May; I speak Norwegian", 2),
        ("Also, I'm 34, and I have two cats", 2),
    ],
)
def test_independent_facts_are_told_apart(told: str, facts: list[str] | int) -> None:
    found = separate(told)
    assert (found if isinstance(facts, list) else len(found)) == facts


@pytest.mark.parametrize(
    "told",
    [
        "I got a dog. He is called Rex.",
        "I went to Rome and I loved it",
        "I went to the lake. I swam a lot. I met Bob.",
        "When I travel, I prefer aisle seats",
        "Bob and I live in Oslo",
        "My boss is great, my pay is not.",
        "I live in Rome, I like tea, " * 50,
        "I like tea and coffee",
        "I run every morning. I run 5 km.",
        "I have a meeting on Monday and I need to prepare slides",
        "We chose the blue tile and the white grout",
        "We chose the blue tile. It goes with the floor.",
        "If I win, I buy a boat and I sail to Crete",
        "I live in Rome because I study there",
        "Imagine my name is Napoleon and I'm the emperor of France",
        "The door code is 1234, and the alarm is off",
        "",
    ],
)
def test_what_belongs_together_stays_one(told: str) -> None:
    assert separate(told) == [told]


def test_what_was_settled_stands_after_what_happened() -> None:
    assert not goes_on("We met the architect yesterday.", "We decided to move the sink under the window.")
    assert goes_on("We met the architect yesterday.", "We talked for an hour.")
    assert goes_on("We met the architect yesterday.", "We decided to hire the architect.")
