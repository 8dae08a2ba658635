"""Who leads, owns or made a thing, told of the thing."""

import pytest

from memory_app.rules.differences import alike, differences
from memory_app.rules.led_by import led_by


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Anna leads the project", "the project is led by Anna"),
        ("I lead the project", "the project is led by Myself"),
        ("The project is led by me", "The project is led by Myself"),
        ("Anna no longer leads the project", "the project is not led by Anna"),
        ("Carla teaches the yoga class", "the yoga class is taught by Carla"),
        ("Shakespeare wrote Hamlet", "Hamlet was written by Shakespeare"),
        ("Ann is the owner of the cafe", "the cafe is owned by Ann"),
        ("Ben is the project lead", "the project is led by Ben"),
        ("The boss of the team is Ann", "the team is led by Ann"),
        ("Our team leader is Ann", "Our team is led by Ann"),
    ],
)
def test_it_is_told_of_the_thing(sentence: str, told: str) -> None:
    assert led_by(sentence) == told


@pytest.mark.parametrize(
    "sentence", ["Bob owns a bike", "Bob teaches German", "Nobody owns the house", "She leads the project", "Bob sings"]
)
def test_what_many_may_do_or_is_about_no_one_known_stays(sentence: str) -> None:
    assert led_by(sentence) == sentence


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ("Anna leads the project.", "The project is led by Ben.", {"name"}),
        ("I lead the project.", "Bob leads the project.", {"name"}),
        ("The boss of the team is Ann.", "The team is led by Ben.", {"name"}),
        ("Shakespeare wrote Hamlet.", "Hamlet was written by Marlowe.", {"name"}),
        ("Bob doesn't lead the project.", "The project is led by Bob.", {"negation"}),
        ("The CEO of Acme is Jane Doe.", "John Smith is the CEO of Acme.", {"name"}),
        ("The meeting is next Monday.", "The meeting is on Wednesday.", {"date"}),
        ("Team meeting next Monday", "The team meeting is on Wednesday.", {"date"}),
        ("The team meeting is on 23 November 2026.", "The team meeting is on Wednesday.", {"date"}),
        ("My flight is at 9 am.", "My flight leaves at 11 am.", {"date"}),
        ("The project deadline is 1 March.", "The project is due on 15 March.", {"date"}),
        ("We use Slack for chat.", "We use Teams for chat now.", {"name"}),
    ],
)
def test_another_one_of_the_same_contradicts_in_whatever_form(a: str, b: str, found: set[str]) -> None:
    assert differences(a, b) == found
    assert differences(b, a) == found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Anna leads the project.", "Ben leads the other project."),
        ("Anna leads the kitchen project.", "The garden project is led by Ben."),
        ("The project is led by Anna.", "The project is funded by Ben."),
        ("Ann wrote a report.", "A report was written by Ben."),
        ("Jane Doe is the CEO of Acme.", "John Smith is the CEO of Globex."),
        ("The call on Monday is at 9.", "The call on Thursday is at 11."),
        ("The flight leaves at 9 am.", "The flight arrives at 11 am."),
        ("The concert starts at 7.", "The concert ends at 10."),
        ("The thesis deadline is 1 May.", "The paper deadline is 3 June."),
        ("The meeting is on 23 November 2026.", "The meeting is on Monday."),
        ("We use Slack for chat.", "We use Teams for calls."),
    ],
)
def test_another_thing_does_not(a: str, b: str) -> None:
    assert differences(a, b) == set()
    assert differences(b, a) == set()


def test_both_forms_of_one_say_the_same() -> None:
    assert alike("The project is led by Anna.", "Anna leads the project.")
    assert alike("The meeting is on Monday 23 November 2026.", "The meeting is on 23 November 2026.")
