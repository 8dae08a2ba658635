"""A plan that is moved or called off in a later turn: that is told, of the plan by its name, and quotes both."""

import pytest

from .test_changed import BESIDE, contents, found


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        (
            "My recital is on the 12th.",
            "the recital got moved to the 15th",
            "Alice's recital got moved to 15 May 2026.",
        ),
        ("My recital is on the 12th.", "it got moved to the 15th", "Alice's recital got moved to 15 May 2026."),
        (
            "The meeting is on Tuesday.",
            "they pushed the meeting to Thursday",
            "Alice: They pushed the meeting to 7 May 2026.",
        ),
        ("The meeting is on Tuesday.", "we cancelled the meeting", "Alice cancelled the meeting."),
        ("The meeting is on Tuesday.", "we cancelled it", "Alice cancelled the meeting."),
        ("Our kickoff is next Monday.", "The kickoff is off.", "Alice's kickoff is off."),
        ("My flight to Oslo is on June 3rd.", "My flight got cancelled.", "Alice's flight got cancelled."),
        (
            "The launch is on 3 June.",
            "Actually the launch is now on 10 June.",
            "Alice: The launch is now on 10 June 2026.",
        ),
        (
            "Clara's party is on Saturday.",
            "her party was moved to Sunday",
            "Alice: Clara's party was moved to 10 May 2026.",
        ),
        (
            "My sister's wedding is in June.",
            "the wedding has been postponed to September",
            "Alice's sister's wedding has been postponed to September 2026.",
        ),
        ("I have a job interview on Thursday.", "They cancelled it.", "Alice: They cancelled the job interview."),
        (
            "Our trip to Japan is in April.",
            "We're pushing the trip to October.",
            "Alice is pushing their trip to October 2026.",
        ),
        ("I'm having dinner with Ann on Friday.", "Dinner with Ann is off.", "Alice: The dinner with Ann is off."),
        (
            "The kids' swimming lesson is on Monday.",
            "swimming lesson moved to Wednesday",
            "Alice: The kids' swimming lesson moved to 6 May 2026.",
        ),
        (
            "My thesis defence is on 12 May.",
            "the thesis defence was brought forward to 8 May",
            "Alice's thesis defence was brought forward to 8 May 2026.",
        ),
        ("The deadline is on Friday.", "The deadline is Monday now.", "Alice: The deadline is on 11 May 2026 now."),
    ],
)
def test_of_a_plan_that_changed_the_later_stands_alone_with_both_turns(first: str, later: str, told: str) -> None:
    (one,) = found(first, "can you suggest a hotel?", later)
    assert one.content == told
    assert [(quote.index, quote.text) for quote in one.quotes] == [(0, first), (4, later)]


def test_a_plan_put_off_by_a_week_is_told_with_the_day_it_was_on() -> None:
    told = contents("My recital is on the 12th.", "The recital got pushed by a week.")
    assert told == ["Alice's recital is on 12 May 2026. It got pushed by a week."]


def test_a_plan_that_changes_again_quotes_each_turn() -> None:
    said = ("My exam is on Monday.", "My exam got pushed to Wednesday.", "My exam has been moved again, to Friday.")
    (one,) = found(*said)
    assert [quote.text for quote in one.quotes] == list(said)
    assert one.event_time is not None
    assert one.event_time.day == 8


def test_within_one_turn_the_change_is_told_too() -> None:
    (one,) = found("My recital is on the 12th. Oh, they moved it to the 15th.")
    assert one.content == "They moved Alice's recital to 15 May 2026."
    assert [quote.text for quote in one.quotes] == ["My recital is on the 12th.", "Oh, they moved it to the 15th."]


def test_what_else_was_told_beside_the_plan_stays() -> None:
    told = contents("The meeting is on Tuesday. My mother visits on Friday.", "the meeting got cancelled")
    assert sorted(told) == ["Alice's mother visits on 8 May 2026.", "Alice: The meeting got cancelled."]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("My sister's wedding is on June 12th.", "Tom's birthday party moved to the 15th."),
        ("I have a meeting with Bob on Tuesday.", "The team meeting was moved to Friday."),
        ("Clara's party is on Saturday.", "my party was moved to Sunday"),
        ("Tom's exam is on Monday, mine is on Friday.", "my exam got moved to Tuesday"),
    ],
)
def test_another_plan_changes_nothing(first: str, later: str) -> None:
    assert [one.turns for one in sorted(found(first, *BESIDE, later), key=lambda one: one.turns)] == [[0], [6]]


def test_of_two_plans_of_a_kind_none_is_guessed_at() -> None:
    told = ("I have a vet appointment on Monday.", "I have a dentist appointment on Friday.")
    assert len(contents(*told, "the appointment was cancelled")) == 2
    assert sorted(contents(*told, "my vet appointment was cancelled")) == [
        "Alice has a dentist appointment on 8 May 2026.",
        "Alice's vet appointment was cancelled.",
    ]


@pytest.mark.parametrize(
    "said",
    ["They cancelled the show Firefly in 2003.", "We cancelled it.", "it was postponed", "They pushed the boat away."],
)
def test_a_change_of_nothing_that_was_told_is_of_the_world(said: str) -> None:
    assert contents("My dog is Rex.", *BESIDE, said) == ["Alice's dog is Rex."]


TALKED = "We talked a lot and I plan to fly to Rome on Friday because my cousin lives there."


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        (TALKED, "my flight to Rome was moved to Sunday", "Alice's flight to Rome was moved to 10 May 2026."),
        (TALKED, "it got moved to Sunday", "Alice's flight to Rome got moved to 10 May 2026."),
        (TALKED, "I'm flying to Rome on Sunday instead", "Alice is flying to Rome on 10 May 2026 instead."),
        (TALKED, "I cancelled the trip", "Alice cancelled their trip."),
        (
            "It was a long day but we have a team dinner on Thursday and I'm looking forward to it.",
            "the team dinner was cancelled",
            "Alice: The team dinner was cancelled.",
        ),
        (
            "My parents called and they said that the wedding is on June 12th, which is great.",
            "the wedding got postponed to the 20th",
            "Alice: The wedding got postponed to 20 June 2026.",
        ),
        (
            "My recital is on the 12th.",
            "I talked to my teacher today and she said the recital has been moved to the 15th.",
            "Alice talked to their teacher on 4 May 2026 and she said their recital has been moved to 15 May 2026.",
        ),
    ],
)
def test_so_is_one_in_a_longer_sentence(first: str, later: str, told: str) -> None:
    (one,) = found(first, "can you suggest a hotel?", later)
    assert one.turns == [0, 4]
    assert one.content == told


@pytest.mark.parametrize(
    "later",
    [
        "my flight to Oslo was moved to Sunday",
        "Tom's trip to Rome was cancelled",
        "I'm flying to Oslo on Sunday instead",
        "We had lunch and the museum was moved to another street",
        "I love Rome and I was there in May",
    ],
)
def test_which_another_one_does_not_change(later: str) -> None:
    assert [0] in [one.turns for one in found(TALKED, *BESIDE, later)]


def test_nor_does_one_with_someone_else() -> None:
    told = [one.turns for one in found("I'm having dinner with Ann on Friday.", *BESIDE, "Dinner with Tom is off.")]
    assert [0] in told


def test_of_two_in_one_sentence_none_is_taken_for_the_other() -> None:
    told = "Tom's exam is on Monday, mine is on Friday, and my sister's is on the 20th."
    assert [0] in [one.turns for one in found(told, *BESIDE, "Tom's exam got moved to Tuesday")]
