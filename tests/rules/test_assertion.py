"""Which sentences state something, and what opens them without being part of it."""

import pytest

from memory_app.rules.assertion import states


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Alice likes tea.", "Alice likes tea."),
        ("Yeah, I like tea.", "I like tea."),
        ("Oh no, Bob! My bike is broken.", "My bike is broken."),
        ("So I moved to Rome!", "I moved to Rome!"),
        ("Update: the party is on Friday.", "the party is on Friday."),
        ("No cats live here.", "No cats live here."),
        ("I don’t eat meat.", "I don't eat meat."),
        ("My sister can't swim.", "My sister can't swim."),
    ],
)
def test_what_states_something_is_told_without_its_opening(sentence: str, told: str) -> None:
    assert states(sentence) == told


@pytest.mark.parametrize(
    "sentence",
    [
        "Do you like tea?",
        "You like tea, right?",
        "How lovely that you came",
        "Thanks so much, Bob!",
        "Hey Charlie!",
        "Congrats on the new job!",
        "You're the best.",
        "Keep going, you are nearly there.",
        "Let's meet at five.",
        "Don't give up.",
        "I won't give up.",
        "I can't wait to see the garden.",
        "I hope the exam goes well.",
        "Maybe we will go to Rome.",
        "I'm so proud of you.",
        "Your help means a lot.",
        "If it rains we stay at home.",
        "I was going to say…",
        "",
        "?!",
    ],
)
def test_questions_thanks_cheers_advice_and_hopes_state_nothing(sentence: str) -> None:
    assert states(sentence) == ""
