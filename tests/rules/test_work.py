"""Another kind of work: told with a plain "is" or "am" it contradicts, unless both may be so."""

import pytest

from memory_app.rules.differences import differences


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I am a nurse", "I'm a teacher now"),
        ("I'm a nurse at St Mary's", "I'm a baker"),
        ("I'm a nurse", "I'm a primary school teacher"),
        ("I work as a nurse", "I'm a teacher now"),
        ("My wife is a dentist", "My wife is a lawyer"),
        ("Ann is a plumber", "Ann is a nurse in Leeds"),
        ("I'm a software engineer", "I've become a baker"),
        ("Alice is a nurse.", "Alice is a lawyer."),
    ],
)
def test_who_is_one_is_not_the_other(a: str, b: str) -> None:
    assert "value" in differences(a, b) or "antonym" in differences(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I am a mother", "I am a nurse"),
        ("I'm a vegan and a painter", "I'm a nurse"),
        ("I'm a nurse and a teacher", "I'm a nurse"),
        ("I'm a nurse", "I was a teacher"),
        ("I was a nurse", "I was a teacher"),
        ("I'm a doctor", "I'm a surgeon"),
        ("I'm a good teacher", "I'm a nurse"),
        ("I'm also a teacher", "I'm a nurse"),
        ("I'm a nurse", "I'm a part-time barista"),
        ("I'm a yoga teacher", "I'm a nurse"),
        ("My friend is a nurse", "My friend is a teacher"),
        ("My sister is a nurse", "My sister is a teacher"),
        ("I'm not a nurse", "I'm a teacher"),
        ("I'm not a nurse", "I'm not a teacher"),
        ("I want to be a nurse", "I'm a teacher"),
        ("I'm training to be a nurse", "I'm a teacher"),
        ("I'm married to a nurse", "I'm a teacher"),
        ("I'm a student", "I'm a nurse"),
        ("I'm an engineer", "I'm a manager"),
        ("I'm a retired nurse", "I'm a teacher"),
        ("I'm a volunteer firefighter", "I'm a teacher"),
        ("I'm a nurse", "Ann is a teacher"),
        ("Ann is a nurse", "Tom is a teacher"),
        ("I'm a doctor's assistant", "I'm a teacher"),
        ("I'm a software architect", "I'm an engineer"),
        ("I see a doctor every year", "I'm a teacher"),
        ("I am a big fan of doctor who", "I'm a teacher"),
    ],
)
def test_what_goes_together_or_is_another_ones_does_not_contradict(a: str, b: str) -> None:
    assert differences(a, b) == set()
