"""Phrases of time mean the periods a person means, from where and when they speak; other words mean none."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.times.time_phrases import time_phrases

BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY_EVENING = datetime(2026, 11, 20, 18, 0, tzinfo=BERLIN)


def read(text: str, at: datetime = FRIDAY_EVENING, zone: ZoneInfo = BERLIN) -> list[tuple[str, str]]:
    """Each period as "from" and "to", to the minute where not at midnight."""

    def shown(moment: datetime) -> str:
        return f"{moment:%Y-%m-%d}" if (moment.hour, moment.minute) == (0, 0) else f"{moment:%Y-%m-%d %H:%M}"

    return [(shown(phrase.start), shown(phrase.end)) for phrase in time_phrases(text, at=at, timezone=zone)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did we do last week?", "2026-11-09", "2026-11-16"),
        ("this week", "2026-11-16", "2026-11-23"),
        ("from May 2023 to July 2023", "2023-05-01", "2023-08-01"),
        ("earlier this week", "2026-11-16", "2026-11-20 18:00"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("next month", "2026-12-01", "2027-01-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("today", "2026-11-20", "2026-11-21"),
        ("yesterday", "2026-11-19", "2026-11-20"),
        ("yesterday evening", "2026-11-19 18:00", "2026-11-20"),
        ("the day before yesterday", "2026-11-18", "2026-11-19"),
        ("the day after tomorrow", "2026-11-22", "2026-11-23"),
        ("this morning", "2026-11-20 05:00", "2026-11-20 12:00"),
        ("last night", "2026-11-19 20:00", "2026-11-20 04:00"),
        ("tonight", "2026-11-20 18:00", "2026-11-21"),
        ("tomorrow morning at 9", "2026-11-21 09:00", "2026-11-21 10:00"),
        ("tomorrow at noon", "2026-11-21 12:00", "2026-11-21 13:00"),
        ("last Tuesday", "2026-11-17", "2026-11-18"),
        ("next Friday at 3pm", "2026-11-27 15:00", "2026-11-27 16:00"),
        ("next Friday at 3", "2026-11-27 15:00", "2026-11-27 16:00"),
        ("this weekend", "2026-11-21", "2026-11-23"),
        ("last weekend", "2026-11-14", "2026-11-16"),
        ("over the weekend we hiked", "2026-11-14", "2026-11-16"),
        ("two weekends ago", "2026-11-07", "2026-11-09"),
        ("three days ago", "2026-11-17", "2026-11-18"),
        ("a couple of weeks ago", "2026-11-02", "2026-11-09"),
        ("a few months ago", "2026-06-01", "2026-10-01"),
        ("4 years ago", "2022-01-01", "2023-01-01"),
        ("half a year ago", "2026-05-01", "2026-06-01"),
        ("two summers ago", "2025-06-01", "2025-09-01"),
        ("two Fridays ago", "2026-11-06", "2026-11-07"),
        ("an hour ago", "2026-11-20 17:00", "2026-11-20 18:00"),
        ("in two weeks", "2026-11-30", "2026-12-07"),
        ("the last three weeks", "2026-10-30 18:00", "2026-11-20 18:00"),
        ("the other day", "2026-11-13", "2026-11-20"),
        ("last summer", "2026-06-01", "2026-09-01"),
        ("next spring", "2027-03-01", "2027-06-01"),
        ("summer of 2022", "2022-06-01", "2022-09-01"),
        ("in the winter of 2022", "2022-12-01", "2023-03-01"),
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("the 2023 trip was fun", "2023-01-01", "2024-01-01"),
        ("since 2020", "2020-01-01", "2026-11-20 18:00"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("In March we went to Rome", "2026-03-01", "2026-04-01"),
        ("at the end of May 2023", "2023-05-22", "2023-06-01"),
        ("on 7 May 2023", "2023-05-07", "2023-05-08"),
        ("May 7th, 2023 at 1:56 pm", "2023-05-07 13:56", "2023-05-07 14:56"),
        ("1:56 pm on 8 May, 2023", "2023-05-08 13:56", "2023-05-08 14:56"),
        ("2023-05-07", "2023-05-07", "2023-05-08"),
        ("2023-05-07T14:30", "2023-05-07 14:30", "2023-05-07 15:30"),
        ("7.5.2023", "2023-05-07", "2023-05-08"),
        ("5/13/2023", "2023-05-13", "2023-05-14"),
        ("13/5/2023", "2023-05-13", "2023-05-14"),
        ("the first weekend of June 2023", "2023-06-03", "2023-06-05"),
        ("Visited Grandma on March 15th", "2026-03-15", "2026-03-16"),
        ("The party is going to be on March 15th", "2027-03-15", "2027-03-16"),
        ("We met on Friday", "2026-11-13", "2026-11-14"),
        ("We’ll meet on Friday", "2026-11-27", "2026-11-28"),
        ("We decided to meet on Monday", "2026-11-23", "2026-11-24"),
        ("We met on the 15th", "2026-11-15", "2026-11-16"),
        ("We're on holiday until the 15th", "2026-12-15", "2026-12-16"),
        ("The trip to Japan moved to May", "2027-05-01", "2027-06-01"),
        ("They moved it to the 28th", "2026-11-28", "2026-11-29"),
        ("It's booked for the 9th at 6pm", "2026-12-09 18:00", "2026-12-09 19:00"),
        ("on Christmas Eve", "2026-12-24", "2026-12-25"),
        ("last Christmas", "2025-12-25", "2025-12-26"),
        ("Easter 2024", "2024-03-31", "2024-04-01"),
        ("Thanksgiving 2025", "2025-11-27", "2025-11-28"),
        ("31 June 2023", "2023-06-01", "2023-07-01"),
        ("We met on 29 February", "2024-02-29", "2024-03-01"),
    ],
)
def test_a_time_phrase_means_a_period(text: str, start: str, end: str) -> None:
    assert read(text) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    [
        "I walked up to the 3rd floor",
        "for the 2nd time",
        "I talked to April",
        "where did we meet",
        "you may go",
        "May I come in?",
        "march on",
        "April said hi",
        "the sun is second to none",
        "we sat in the sun",
        "I fall in love",
        "every Friday",
        "on Mondays",
        "room 2023",
        "it takes 2000 steps",
        "in 2000 steps",
        "in a minute",
        "I finished it in two days",
        "a Christmas tree",
        "call me at 3pm",
        "version 1.2.3",
        "the last one",
        "next to the door",
        "twice a week",
        "I am 30 years old",
        "I have 3 cats",
        "先週",
        "",
    ],
)
def test_words_of_time_alone_mean_no_time(text: str) -> None:
    assert read(text) == []


def test_phrases_are_found_where_they_stand() -> None:
    text = "Anna’s party was last week, on 7 May 2023 we met."
    assert [text[slice(*phrase.span)] for phrase in time_phrases(text, at=FRIDAY_EVENING, timezone=BERLIN)] == [
        "last week",
        "7 May 2023",
    ]


@pytest.mark.parametrize(
    ("zone", "start"), [("America/New_York", "2023-05-07"), ("Europe/Berlin", "2023-07-05"), ("UTC", "2023-07-05")]
)
def test_numbers_with_slashes_are_read_as_where_the_person_lives(zone: str, start: str) -> None:
    assert read("5/7/2023", zone=ZoneInfo(zone))[0][0] == start


def test_today_is_that_of_the_person() -> None:
    late = datetime(2026, 11, 20, 23, 30, tzinfo=BERLIN)
    assert read("yesterday", late, ZoneInfo("Asia/Tokyo")) == [("2026-11-20", "2026-11-21")]
    assert read("yesterday", late, ZoneInfo("America/New_York")) == [("2026-11-19", "2026-11-20")]


def test_summer_in_the_south_begins_in_december() -> None:
    assert read("summer of 2022", zone=ZoneInfo("Australia/Sydney")) == [("2022-12-01", "2023-03-01")]


def test_the_ends_of_the_calendar_are_no_error() -> None:
    assert read("999 years ago", datetime(500, 1, 1, tzinfo=BERLIN)) == []
