"""What two texts say differently, and what is only said in other words."""

import pytest

from memory_app.rules.differences import alike, compatible, differences


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ("Alice eats fish.", "Alice doesn't eat fish.", {"negation"}),
        ("Alice eats fish.", "Alice never eats fish.", {"negation"}),
        ("Bob works here.", "Bob no longer works here.", {"negation"}),
        ("Bob can't swim", "Bob can swim", {"negation"}),
        ("Alice has one dog.", "Alice has two dogs.", {"number"}),
        ("The hike is 5 km long.", "The hike is 5 miles long.", {"number"}),
        ("Bob earns 3k a month.", "Bob earns 4,000 a month.", {"number"}),
        ("Bob lives in Rome.", "Bob lives in Oslo.", {"name"}),
        ("the cat is called misty", "the cat is called luna", {"name"}),
        ("The party is on Friday.", "The party is on Sunday.", {"date"}),
        ("The party is on 3 May.", "The party is on 4 May, not the 3rd.", {"date"}),
        ("Bob lives in Rome.", "Bob lives in Oslo, not Rome.", {"name"}),
        ("The party is on 3 May.", "The party is on May 4th.", {"date"}),
        ("The call is at 3 pm.", "The call is at 16:00.", {"date"}),
        ("Alice runs before breakfast.", "Alice runs after breakfast.", {"antonym"}),
        ("Alice prefers tea to coffee.", "Alice prefers coffee to tea.", {"order"}),
        ("Bob's favourite fruit is mango.", "Bob's favourite fruit is papaya.", {"value"}),
        ("Bob was born in Rome in 1990.", "Bob was born in Oslo in 1991.", {"name", "date"}),
    ],
)
def test_what_cannot_both_be_true_is_named(a: str, b: str, found: set[str]) -> None:
    assert differences(a, b) == found
    assert differences(b, a) == found


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ("I'm 34.", "I'm 35.", {"number"}),
        ("I live in Lisbon.", "I live in Porto now.", {"name"}),
        ("I'm married.", "I'm single.", {"negation"}),
        ("I run at 7 on Mondays.", "I run at 8 on Mondays.", {"number"}),
        ("My daughter is 7 years old.", "My daughter is 5 years old.", {"number"}),
        ("My son is called Tom.", "My son is called Ben.", {"name"}),
        ("I have lived in Rome since 2010.", "I have lived in Rome since 2012.", {"date"}),
        ("I live in Rome since May.", "I live in Oslo.", {"name"}),
        ("I've lived in Rome since 2010.", "I've lived in Oslo since 2015.", {"name", "date"}),
        ("The yoga class is on Mondays.", "The yoga class is on Fridays.", {"date"}),
        ("I got engaged.", "I'm single.", {"antonym"}),
        ("I'm dating Tom.", "I'm single.", {"antonym"}),
        ("I'm divorced.", "I'm a widower.", {"antonym"}),
        ("I smoke.", "I quit smoking.", {"negation"}),
        ("I work as a nurse.", "I work as a teacher.", {"value"}),
        ("My car is red.", "My car is blue.", {"value"}),
        ("Has two cats.", "Has three cats.", {"number"}),
        ("The kitchen budget is 50,000 dollars.", "The budget for the kitchen is 40,000 dollars.", {"number"}),
        ("[3 May 2024] Alice: I live in Leeds.", "[9 June 2024] Alice: I live in Bristol now.", {"name"}),
        ("Alice: I don't eat meat.", "[9 June 2024] Alice: Thanks, Bob! I eat meat.", {"negation"}),
        ("Alice lives in Leeds.", "Alice: I live in Bristol.", {"name"}),
        ("Alice moved last year. She lives in Rome.", "Alice lives in Oslo.", {"name"}),
        ("My sister Nora lives in Rome.", "Nora moved to Paris.", {"name"}),
        ("I run every morning.", "I stopped running.", {"negation"}),
        ("What a day! My dentist appointment is on Friday at 10.", "My dentist appointment is on Monday.", {"date"}),
    ],
)
def test_so_is_what_is_spoken_told_of_oneself_or_said_among_other_things(a: str, b: str, found: set[str]) -> None:
    assert differences(a, b) == found
    assert differences(b, a) == found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Alice does not like tea.", "Alice dislikes tea."),
        ("Alice isn't old.", "Alice is young."),
        ("Alice is a vegetarian.", "Alice doesn't eat meat."),
        ("Bob has two cats.", "Bob has 2 cats."),
        ("Bob has cats.", "Bob has two cats."),
        ("Bob is 34 years old.", "Bob is thirty-four."),
        ("The walk is 5 km.", "The walk is 5000 m."),
        ("The call is at 5 pm.", "The call is at 17:00."),
        ("Bob lives in NEW YORK.", "bob lives in new york city"),
        ("Alice likes tea but not coffee.", "Alice likes tea."),
        ("In June Alice moves to Rome.", "Alice moves to Rome in June."),
        ("Alice and Bob play chess.", "Bob and Alice play chess."),
    ],
)
def test_other_words_or_more_detail_are_no_difference(a: str, b: str) -> None:
    assert differences(a, b) == set()
    assert differences(b, a) == set()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Alice's birthday is 3 May.", "Bob's birthday is 4 May."),
        ("I run on Mondays.", "I run on Thursdays."),
        ("I work from home on Mondays.", "I work from home on Fridays."),
        ("I start at 8:00 on Mondays.", "I start at 10:00 on Fridays."),
        ("I wake up at 6.", "I wake up at 8 on Sundays."),
        ("I have a 7-year-old daughter.", "I have a 5-year-old daughter."),
        ("I have a son called Tom.", "I have a son called Ben."),
        ("I lived in Rome in 2010.", "I lived in Oslo in 2015."),
        ("I live in Rome in winter.", "I live in Oslo in summer."),
        ("I worked at Bosch in 2010.", "I worked at Siemens in 2015."),
        ("I lived in Rome.", "I live in Oslo."),
        ("I worked as a nurse.", "I work as a teacher."),
        ("I worked at Bosch.", "I don't work at Bosch."),
        ("I'm engaged.", "I'm divorced."),
        ("I was engaged to Tom.", "I'm single."),
        ("I'm not engaged.", "I'm single."),
        ("I'm seeing Tom on Monday.", "I'm single."),
        ("I'm seeing someone about my knee.", "I'm single."),
        ("I have a tennis partner.", "I'm single."),
        ("I'm engaged in local politics.", "I'm single."),
        ("Alice's sister lives in Rome.", "Alice's brother lives in Oslo."),
        ("Alice has two cats.", "Alice has three sons."),
        ("My dog is called Rex.", "My sister's dog is called Bello."),
        ("Alice likes Rome.", "Alice likes Oslo."),
        ("Alice lives in Rome.", "Alice was born in Oslo."),
        ("Alice lives near the sea.", "Alice lives with her mother."),
        ("Bob works in Rome.", "Bob works with Anna."),
        ("Alice went to Rome in May.", "Alice went to Rome in June."),
        ("Alice bought two plants.", "Alice bought five plants."),
        ("Alice drinks tea.", "Alice doesn't drink tea with milk."),
        ("Alice: I have two cats.", "Bob: I have three cats."),
        ("He is a nurse.", "He is not a nurse."),
        ("The party is today.", "The party is tomorrow."),
        ("Bob's friends are kind.", "Bob's friends are loud."),
    ],
)
def test_different_subjects_and_different_things_do_not_contradict(a: str, b: str) -> None:
    assert differences(a, b) == set()


def test_one_word_in_the_place_of_another_is_not_one_memory() -> None:
    assert not compatible("Alice likes green tea.", "Alice likes black tea.")
    assert not compatible("Alice visited Rome last year.", "Alice visited Oslo last year.")


def test_more_detail_about_the_same_may_be_one_memory() -> None:
    assert compatible("Alice adopted a dog.", "Alice adopted a dog from the shelter in June.")


def test_the_same_claims_in_other_words_are_alike() -> None:
    assert alike("Alice can't stand loud music.", "Alice dislikes loud music.")
    assert not alike("Alice dislikes loud music.", "Alice dislikes loud music at night.")


@pytest.mark.parametrize("text", ["", "   ", "?!", "👍", "не люблю чай", "お茶が好き", "a" * 5000, "not not not"])
def test_any_text_can_be_compared(text: str) -> None:
    assert differences(text, "Alice likes tea.") in (set(), {"negation"})
    assert differences(text, text) == set()
