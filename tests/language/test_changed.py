"""What is corrected in a later turn, and the month of a day that is named alone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract import Found, Said, extract

MONDAY = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)
BESIDE = ("what's a good pasta recipe?", "which wine goes with it?")


def found(*said: str, unread: set[int] | None = None) -> list[Found]:
    """What is noticed in what a person says to an assistant, which answers each time."""
    turns: list[Said] = []
    for text in (*said, *BESIDE):
        turns.append(Said(len(turns), "user", text, spoken_at=MONDAY))
        turns.append(Said(len(turns), "assistant", "Here is what I found about that.", spoken_at=MONDAY))
    return extract(turns, person="Alice", timezone=ZoneInfo("Europe/London"), unread=unread)


def contents(*said: str) -> list[str]:
    return [one.content for one in found(*said)]


@pytest.mark.parametrize(
    ("correction", "told"),
    [
        ("sorry, on the 15th", "15 June"),
        ("No wait, it's on the 8th.", "8 June"),
        ("oops, I meant the 15th!", "15 June"),
        ("wait no its the 15th", "15 June"),
    ],
)
def test_a_word_in_a_later_turn_corrects_what_was_told(correction: str, told: str) -> None:
    (one,) = found("The wedding is on June 12th.", "can you suggest a hotel?", correction)
    assert one.content == f"Alice: The wedding is on {told} 2026."
    assert [quote.text for quote in one.quotes] == ["The wedding is on June 12th.", correction]
    assert one.event_time is not None
    assert one.event_time.day == int(told.split()[0])


def test_a_correction_passes_over_what_is_of_another_kind() -> None:
    told = contents("The wedding is on June 12th.", "I have 3 kids.", "sorry, on the 15th")
    assert sorted(told) == ["Alice has 3 kids.", "Alice: The wedding is on 15 June 2026."]


@pytest.mark.parametrize("said", ["No, 2", "Actually, 2", "sorry, Anna"])
def test_an_answer_corrects_nothing(said: str) -> None:
    assert contents("I have 3 kids.", said) == ["Alice has 3 kids."]


def test_a_correction_is_read_after_what_it_corrects() -> None:
    (one,) = found("The wedding is on June 12th.", "and a hotel?", "sorry, on the 15th", unread={4, 5, 6, 7})
    assert one.turns == [0, 4]


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        ("My boss is Tom.", "sorry, my boss is Anna", "Alice's boss is Anna."),
        ("I live in Leeds.", "I live in York now.", "Alice lives in York now."),
        (
            "My sister's wedding is on June 12th.",
            "sorry, my sister's wedding is on the 8th",
            "Alice's sister's wedding is on 8 June 2026.",
        ),
    ],
)
def test_what_is_told_otherwise_later_takes_its_place(first: str, later: str, told: str) -> None:
    assert contents(first, "and what else?", later) == [told]


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        ("We fly to Rome on 28 June.", "We fly back on the 3rd.", "Alice flies back on 3 July 2026."),
        ("My sister's wedding is on June 12th.", "We leave on the 10th.", "Alice leaves on 10 June 2026."),
        ("We move in September.", "I get the keys on the 20th.", "Alice gets the keys on 20 September 2026."),
        ("We fly to Rome on 28 June.", "I met Tom in Leeds on the 2nd.", "Alice met Tom in Leeds on 2 May 2026."),
    ],
)
def test_a_day_alone_is_of_the_month_just_spoken_of(first: str, later: str, told: str) -> None:
    assert told in contents(first, later)


def test_a_day_alone_of_another_matter_is_the_next_one() -> None:
    told = contents("My sister's wedding is on June 12th.", *BESIDE, "I have a dentist appointment on the 15th.")
    assert "Alice has a dentist appointment on 15 May 2026." in told


def test_a_day_alone_in_one_turn_is_of_the_month_named_in_it() -> None:
    told = contents("My sister's wedding is on June 12th. We leave on the 10th.")
    assert "Alice leaves on 10 June 2026." in told


def test_a_month_long_past_is_not_the_one_spoken_of() -> None:
    founded = f"My company was founded on 3 March {(MONDAY - timedelta(days=3650)).year}."
    assert "Alice has a dentist appointment on 15 May 2026." in contents(
        founded, "I have a dentist appointment on the 15th."
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The trip to Japan moved to June.", "Alice: The trip to Japan moved to June 2026."),
        ("The meeting was pushed to Friday.", "Alice: The meeting was pushed to 8 May 2026."),
        ("The dentist appointment is now on Tuesday.", "Alice: The dentist appointment is now on 5 May 2026."),
    ],
)
def test_a_plan_that_changed_is_noticed(said: str, told: str) -> None:
    (one,) = found(said)
    assert (one.content, one.type) == (told, "event")


def test_what_recurs_each_week_gets_no_date() -> None:
    one = next(one for one in found("Thursday is trash day.") if "trash" in one.content)
    assert (one.content, one.event_time) == ("Alice: Thursday is trash day.", None)
