"""Another time of the day: of another occasion, or of the same thing."""

import pytest

from memory_app.rules.differences import differences


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I have a call at 9", "I have a call at 11"),
        ("I have an appointment with the dentist at 3", "I have an appointment with the dentist at 4"),
        ("I had a call at 9", "I had a call at 11"),
        ("I'm meeting Tom at 9", "I'm meeting Tom at 11"),
        ("There is a train at 9", "There is a train at 11"),
        ("I take my pills at 8am", "I take my pills at 8pm"),
        ("I walk the dog at 7", "I walk the dog at 6"),
        ("The bus leaves at 8:15", "The bus leaves at 8:45"),
        ("I have a call at 9 on Mondays", "I have a call at 11 on Mondays"),
    ],
)
def test_what_may_happen_twice_does_not_contradict(a: str, b: str) -> None:
    assert differences(a, b) == set()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("My shift starts at 9", "My shift starts at 11"),
        ("My call with Ann is at 9", "My call with Ann is at 11"),
        ("I have my exam at 9", "I have my exam at 11"),
        ("The shop opens at 9am", "The shop opens at 10am"),
        ("I get up at 6", "I get up at 7"),
        ("I go to bed at 10", "I go to bed at 11"),
        ("I start work at 9", "I start work at 11"),
        ("I have yoga at 6", "I have yoga at 7 now"),
        ("My bus leaves at 8:15", "My bus leaves at 8:45"),
        ("I run at 7 on Mondays", "I run at 8 on Mondays"),
    ],
)
def test_what_there_is_one_of_does(a: str, b: str) -> None:
    assert differences(a, b) in ({"number"}, {"date"})
