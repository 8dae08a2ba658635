"""Verbs in step with the person who is named."""

from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract.reword import Reworder


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I live in Leeds and work as a nurse.", "Alice lives in Leeds and works as a nurse."),
        ("I'm a nurse and work at night.", "Alice is a nurse and works at night."),
        ("I eat fish but never eat meat.", "Alice eats fish but never eats meat."),
        ("I run, swim and cycle every week.", "Alice runs, swims and cycles every week."),
        ("I moved to Leeds and work in a bar.", "Alice moved to Leeds and works in a bar."),
        ("I read books and watch films.", "Alice reads books and watches films."),
        ("I read a book last week.", "Alice read a book last week."),
        ("I go to work by bike and listen to jazz.", "Alice goes to work by bike and listens to jazz."),
        ("I like to cook and bake for Bob.", "Alice likes to cook and bake for Bob."),
        ("I can ski and play tennis.", "Alice can ski and play tennis."),
        ("I don't eat meat and drink milk.", "Alice doesn't eat meat and drink milk."),
        ("I don't eat meat but love fish.", "Alice doesn't eat meat but loves fish."),
        ("I love music and dance.", "Alice loves music and dance."),
        ("I love love songs and own a lute.", "Alice loves love songs and owns a lute."),
        ("The band I play in is called Rex.", "The band Alice plays in is called Rex."),
        ("Bob and I work and live in Leeds.", "Bob and Alice work and live in Leeds."),
    ],
)
def test_verbs_that_go_on_from_the_first_are_in_step_with_it(said: str, told: str) -> None:
    assert Reworder("Alice", None, ZoneInfo("UTC"))(said) == told
