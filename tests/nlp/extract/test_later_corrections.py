"""What is corrected in a later turn."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.extract import Finding, SpokenTurn, extract

MONDAY = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)
BESIDE = ("what's a good pasta recipe?", "which wine goes with it?")


def found(*said: str, unread: set[int] | None = None) -> list[Finding]:
    """What is noticed in what a person says to an assistant, which answers each time."""
    turns: list[SpokenTurn] = []
    for text in (*said, *BESIDE):
        turns.append(SpokenTurn(len(turns), "user", text, spoken_at=MONDAY))
        turns.append(SpokenTurn(len(turns), "assistant", "Here is what I found about that.", spoken_at=MONDAY))
    return extract(turns, person="Alice", timezone=ZoneInfo("Europe/London"), unread=unread)


def contents(*said: str) -> list[str]:
    return [one.content for one in found(*said)]


@pytest.mark.parametrize(
    "correction", ["sorry, on the 15th", "No wait, it's on the 8th.", "oops, I meant the 15th!", "wait no its the 15th"]
)
def test_a_word_in_a_later_turn_corrects_what_was_told(correction: str) -> None:
    (one,) = found("The wedding is on June 12th.", "can you suggest a hotel?", correction)
    assert (one.content, one.context) == (correction, "The wedding is on June 12th.")
    assert [quote.text for quote in one.quotes] == [correction]


@pytest.mark.parametrize("said", ["No, 2", "Actually, 2", "sorry, Anna"])
def test_an_answer_corrects_nothing(said: str) -> None:
    assert contents("I have 3 kids.", said) == ["I have 3 kids."]


@pytest.mark.parametrize(
    "said",
    [
        "The trip to Japan moved to June.",
        "The meeting was pushed to Friday.",
        "The dentist appointment is now on Tuesday.",
    ],
)
def test_a_plan_that_changed_is_noticed(said: str) -> None:
    (one,) = found(said)
    assert (one.content, one.type) == (said, "event")


def test_what_recurs_each_week_gets_no_date() -> None:
    one = next(one for one in found("Thursday is trash day.") if "trash" in one.content)
    assert (one.content, one.event_time) == ("Thursday is trash day.", None)
