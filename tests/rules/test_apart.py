"""What is another statement, and what is the same one in other words."""

import pytest

from memory_app.rules.apart import apart


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Alice lives in Berlin.", "Alice lives in Hamburg."),
        ("Alice lives in Berlin.", "Alice doesn't live in Berlin."),
        ("Alice has two cats.", "Alice has three cats."),
        ("Alice prefers tea to coffee.", "Alice prefers coffee to tea."),
        ("The meeting is on 23 November 2026.", "The meeting is on 25 November 2026."),
        ("Alice likes visiting Rome.", "Alice likes visiting Oslo."),
        ("Alice's sister Nora is a doctor.", "Alice's sister Emma is a doctor."),
        ("Alice loves horror films.", "Alice hates horror films."),
        ("The flight leaves at 9:15.", "The flight leaves at 11:15."),
        ("Bob's dog is called Rex.", "Charlie's dog is called Rex."),
        ("Alice likes green tea.", "Alice likes black tea."),
        ("Alice drinks oat milk in their coffee.", "Alice drinks soy milk in their coffee."),
    ],
)
def test_another_name_number_date_order_or_a_denial_is_another_statement(a: str, b: str) -> None:
    assert apart(a, b)
    assert apart(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Alice lives in Berlin.", "Alice's home is in Berlin."),
        ("Alice has two cats.", "Alice owns 2 cats."),
        ("Alice bought a new bike.", "Alice got a new bike."),
        ("Alice is learning to play the piano.", "Alice takes piano lessons."),
        ("Alice's dog is called Rex.", "Alice has a dog called Rex."),
        ("Alice does not like tea.", "Alice dislikes tea."),
        ("Alice doesn't eat meat.", "Alice is a vegetarian."),
        ("The meeting is at 5 pm.", "The meeting is at 17:00."),
        ("Alice adopted a dog.", "Alice adopted a dog from the shelter in June."),
        ("Alice is married to Bob.", "Bob is Alice's husband."),
    ],
)
def test_the_same_in_other_words_or_with_more_of_it_is_one(a: str, b: str) -> None:
    assert not apart(a, b)
    assert not apart(b, a)
