"""The decision table, line by line."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.rules.decide import (
    Candidate,
    Decision,
    Judgement,
    Neighbour,
    comparable_key,
    decide,
    merged_text,
    repeats_refused,
    same_key,
)


@pytest.mark.parametrize("name", ["home city", "Home  City", " HOME_city ", "home-city", "home__-  city"])
def test_case_and_spacing_do_not_matter(name: str) -> None:
    assert comparable_key(name) == "home city"


def test_other_words_and_no_words_are_not_the_same() -> None:
    assert not same_key("home city", "homecity")
    assert not same_key("", "")
    assert not same_key("_", " - ")


FIRST, SECOND = UUID(int=1), UUID(int=2)
MAY, JUNE, JULY = (datetime(2026, month, 3, tzinfo=UTC) for month in (5, 6, 7))


def of_two(new: str, old: str, cosine: float = 0.5) -> Decision:
    return decide(Candidate(new), [Neighbour(FIRST, old, cosine=cosine)])


def test_the_same_words_are_a_duplicate() -> None:
    found = of_two("I really like tea", "I like tea", 0.9)
    assert (found.outcome, found.target, found.conflicts) == ("duplicate", FIRST, ())


def test_fewer_words_than_are_stored_are_a_duplicate() -> None:
    assert of_two("a flat with a balcony", "a flat with a balcony and a lift", 0.95).outcome == "duplicate"


def test_more_words_are_added_and_asked_about() -> None:
    found = of_two("a flat with a balcony and a lift", "a flat with a balcony", 0.95)
    assert (found.outcome, found.target, found.conflicts) == ("add", None, (FIRST,))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I live in Rome", "I live in Oslo"),
        ("My exam is on 4 May", "My exam is on 3 May"),
        ("I don't eat meat", "I eat meat"),
    ],
)
def test_another_particular_is_added_and_asked_about(new: str, old: str) -> None:
    assert of_two(new, old).conflicts == (FIRST,)


def test_what_is_far_in_meaning_is_not_asked_about_whatever_its_words() -> None:
    assert of_two("My exam is on 4 May", "My exam is on 3 May", 0.2).conflicts == ()


def test_something_else_is_added() -> None:
    assert of_two("I like window seats", "I like tea", 0.43) == Decision("add", None, "no memory says this yet")


def test_another_value_of_a_key_replaces_the_old_one_whatever_the_case_of_the_key() -> None:
    found = decide(Candidate("I moved to Rome", key="Home"), [Neighbour(FIRST, "I live in Oslo", key="home")])
    assert (found.outcome, found.target) == ("supersede", FIRST)


def test_the_key_comes_before_another_memory_of_the_same_words() -> None:
    there = [Neighbour(FIRST, "I live in Rome", cosine=1.0), Neighbour(SECOND, "I live in Oslo", "home", 0.7)]
    assert decide(Candidate("I live in Rome", key="home"), there).target == SECOND


def test_the_same_value_of_a_key_is_a_duplicate() -> None:
    there = [Neighbour(FIRST, "I live in Rome", key="home")]
    assert decide(Candidate("I live in Rome", key="home"), there).outcome == "duplicate"


def test_a_value_that_was_said_before_the_stored_one_is_outdated() -> None:
    there = [Neighbour(FIRST, "I live in Rome", key="home", later=True)]
    assert decide(Candidate("I live in Oslo", key="home"), there).outcome == "outdated"


def test_tomorrow_of_another_day_is_no_duplicate() -> None:
    there = [Neighbour(FIRST, "Dentist tomorrow", cosine=1.0, event_time=MAY)]
    found = decide(Candidate("Dentist tomorrow", said_at=JUNE, event_time=JULY), there)
    assert found.outcome == "add"
    assert found.conflicts == ()  # the one in May is over


def test_a_time_that_is_still_to_come_is_asked_about() -> None:
    there = [Neighbour(FIRST, "The wedding is on 3 July", cosine=0.9, event_time=JULY)]
    new = Candidate("The wedding is on 3 June", said_at=MAY, event_time=JUNE)
    assert decide(new, there).conflicts == (FIRST,)


def test_the_words_of_two_speakers_are_never_one() -> None:
    there = [Neighbour(FIRST, "I moved to Rome", cosine=1.0, speaker="bob")]
    assert decide(Candidate("I moved to Rome"), there) == Decision("add", None, "no memory says this yet")


def test_every_close_memory_is_asked_about_the_closest_first() -> None:
    there = [Neighbour(FIRST, "Tea at home", cosine=0.76), Neighbour(SECOND, "Tea in the garden", cosine=0.8)]
    assert decide(Candidate("Tea on the balcony"), there).conflicts == (SECOND, FIRST)


def test_a_decision_is_no_duplicate_of_the_record_of_its_meeting() -> None:
    there = [Neighbour(FIRST, "Budget: we met. Decided: buy seeds", cosine=0.8, record="meeting")]
    assert decide(Candidate("Buy seeds"), there) == Decision("add", None, "no memory says this yet")


@pytest.mark.parametrize(
    ("said", "cosine", "outcome", "conflicts"),
    [
        ("update", 0.3, "supersede", ()),
        ("update", 0.1, "add", ()),  # of another subject
        ("contradiction", 0.3, "add", (FIRST,)),
        ("contradiction", 0.1, "add", ()),
        ("addition", 0.8, "add", ()),
        ("same", 0.8, "duplicate", ()),
        ("same", 0.6, "add", ()),  # too far to be the same
    ],
)
def test_what_a_language_model_says_counts_where_it_can_be_so(
    said: Judgement, cosine: float, outcome: str, conflicts: tuple[UUID, ...]
) -> None:
    there = [Neighbour(FIRST, "I rent a flat by the canal", cosine=cosine)]
    found = decide(Candidate("we let the flat go and took a house"), there, {FIRST: said})
    assert (found.outcome, found.conflicts) == (outcome, conflicts)


def test_what_differs_in_a_particular_is_never_the_same_and_more_words_take_the_place_of_fewer() -> None:
    rome = [Neighbour(FIRST, "I live in Oslo", cosine=0.9)]
    assert decide(Candidate("I live in Rome"), rome, {FIRST: "same"}).conflicts == (FIRST,)
    balcony = [Neighbour(FIRST, "a flat with a balcony", cosine=0.95)]
    assert decide(Candidate("a flat with a balcony and a lift"), balcony, {FIRST: "same"}).outcome == "supersede"


@pytest.mark.parametrize(
    ("refused", "later"),
    [
        ("Alice has two cats.", "Alice owns two cats."),
        ("Alice's dog is called Rex.", "Alice has a dog called Rex."),
        ("Alice loves hiking in the mountains.", "Alice enjoys hiking in the mountains."),
        ("Alice is learning to play the piano.", "Alice takes piano lessons."),
        ("Alice works as a nurse.", "Alice is a nurse."),
        ("Alice was born in Rome.", "Alice comes from Rome."),
    ],
)
def test_the_same_reworded_was_refused(refused: str, later: str, real_encoder: Encoder) -> None:
    before, now = real_encoder.documents([refused, later])
    assert repeats_refused(later, now, [(refused, before)])


@pytest.mark.parametrize(
    ("refused", "later"),
    [
        ("Alice lives in Berlin.", "Alice lives in Hamburg."),
        ("Alice lives in Berlin.", "Alice doesn't live in Berlin."),
        ("Alice has two cats.", "Alice has three cats."),
        ("The meeting is on 23 November 2026.", "The meeting is on 25 November 2026."),
    ],
)
def test_another_statement_was_not_refused_however_close_it_is(refused: str, later: str, real_encoder: Encoder) -> None:
    before, now = real_encoder.documents([refused, later])
    assert not repeats_refused(later, now, [(refused, before)])
    assert not repeats_refused(later, before, [(refused, before)])


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        ("Oat milk, please.", "Oat milk, please.", "Oat milk, please."),
        (
            "Alice takes oat milk.",
            "Alice takes oat milk in her coffee.",
            "Alice takes oat milk in her coffee.",
        ),
        (
            "Alice takes oat milk in her coffee. She drinks two cups.",
            "Alice takes oat milk",
            "Alice takes oat milk in her coffee. She drinks two cups.",
        ),
        (
            "Alice prefers oat milk",
            "Alice likes her coffee with oat milk",
            "Alice prefers oat milk. Alice likes her coffee with oat milk",
        ),
        ("", "Alice takes oat milk.", "Alice takes oat milk."),
        ("Alice takes oat milk.", "", "Alice takes oat milk."),
        ("", "", ""),
    ],
)
def test_the_draft_says_what_both_say_and_nothing_twice(old: str, new: str, both: str) -> None:
    assert merged_text(old, new) == both
