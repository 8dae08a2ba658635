"""Ordinary sentences told to an assistant: what is worth keeping is proposed, in their own words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.extract import Finding, SpokenTurn, extract

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
LONDON = ZoneInfo("Europe/London")
FULLER = ("My wife Susan and I are planning a trip to Japan in April.", "My budget is 5000 euros.", "I live in Rome.")
REPLIES = ("Hi! What can I do for you?", "I see, thank you for telling me.", "You're welcome.")


def found_in(*said: str) -> list[Finding]:
    """What is proposed of a talk in which the person says these, each answered by the assistant."""
    turns = [turn for n, text in enumerate(said) for turn in (("user", text), ("assistant", REPLIES[n % 3]))]
    spoken = [
        SpokenTurn(n, role, text, "", FRIDAY + timedelta(seconds=n), "conversation", "ok")
        for n, (role, text) in enumerate(turns)
    ]
    return extract(spoken, person="Alice", timezone=LONDON)


@pytest.mark.parametrize(
    ("said", "type", "content"),
    [
        ("I prefer window seats on trains.", "preference", ""),
        ("Always answer me in French.", "preference", ""),
        ("My gran is 92.", "person", ""),
        ("My birthday is on the 3rd of May.", "event", ""),
        ("We agreed to split the rent equally.", "decision", ""),
        ("we let the flat go and took a house", "fact", ""),
        ("My car broke down this morning.", "event", ""),
        ("I'm restoring an old motorbike.", "project", ""),
        ("im a vet in leeds tbh", "fact", ""),
        ("Our flight is on Tuesday, no wait, Thursday.", "event", ""),
        ("Our wedding is on the 12th of June. No wait, the 15th.", "event", ""),
        ("I'm vegan, can you suggest a recipe?", "fact", "I'm vegan"),
        ("I live in Leeds with my son, but if I move I'll need a visa.", "fact", "I live in Leeds with my son"),
        ("I told her, I have two dogs.", "fact", ""),
        ("I think I'm moving to Rome in May.", "event", ""),
    ],
)
def test_what_is_worth_keeping_is_kept_as_it_was_said(said: str, type: str, content: str) -> None:
    (one,) = found_in("Hello!", said, "Thanks a lot.")
    assert (one.type, one.content, one.context) == (type, content or said, "")
    assert [quote.text for quote in one.quotes] == [one.content]


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("The dentist appointment was moved to 4 December.", "2026-12-04", "2026-12-05"),
        ("I'll be in New York from Dec 3 to Dec 7.", "2026-12-03", "2026-12-08"),
        ("My brother gets married in June.", "2027-06-01", "2027-07-01"),
        ("The kids start school on 4 September.", "2027-09-04", "2027-09-05"),
    ],
)
def test_a_date_without_a_year_is_the_one_that_was_meant(said: str, start: str, end: str) -> None:
    (one,) = found_in("Hello!", said, "Thanks a lot.")
    assert [f"{at.astimezone(LONDON):%Y-%m-%d}" for at in (one.event_time, one.event_end) if at] == [start, end]


@pytest.mark.parametrize(
    "said",
    [
        "I just got back from the weekend.",
        "I'm so tired today.",
        "I had a really great weekend.",
        "Thanks, I really needed that.",
        "I was just thinking about that.",
        "I like the first one.",
        "I tried that but it didn't work.",
        "I'm looking for a good restaurant in Rome.",
        "I need a packing list for a ski holiday.",
        "Find flights to Rome for me.",
        "I may go to the gym later.",
        "I could be wrong, but I think it's on Tuesday.",
        "Should I take the job in Leeds?",
        "I ran `make all` and got ImportError: no module named foo.",
        "for i in range(10): print(my_list[i])",
        'git commit -m "fix my bug"',
        "I'm so done with this project.",
        "He's my boss.",
        "I'll leave it till the morning.",
        "boarding in 2h, gate D31",
    ],
)
def test_what_passes_with_the_talk_is_left_out(said: str) -> None:
    assert found_in("Hello!", said, "Thanks a lot.") == []


def test_a_preference_said_in_passing_is_proposed_beside_longer_news() -> None:
    contents = [
        one.content
        for one in found_in(
            "Hi! I just got back from the weekend.",
            "We decided to renovate the kitchen, and the budget is 50,000 dollars.",
            "I prefer window seats on trains.",
            "My sister Anna moved to Lisbon last month and works as a nurse there.",
            "I started playing the cello in March, I practise every evening.",
            "Thanks!",
        )
    ]
    assert "I prefer window seats on trains." in contents
    assert len(contents) == 4


def test_what_is_told_of_the_world_is_not_taken_for_ones_own() -> None:
    assert found_in("Hello!", "World War II ended in 1945.", "Marie Curie was born in Warsaw.", "Thanks a lot.") == []


@pytest.mark.parametrize(
    "said",
    [
        "I'm allergic to penicillin.", "My locker code is 4411.", "The alarm code is 9921.", "My PIN is 4417.",
        "My shop is 9k in the red.", "He's taking me to court.", "My boy is on the list for autism.",
        "I lie awake a lot.",
    ],
)  # fmt: skip
def test_what_is_sensitive_is_never_proposed(said: str) -> None:
    assert found_in("Hello!", said, "Thanks a lot.") == []


@pytest.mark.parametrize("said", ["I'm vegetarian.", "I'm not vegetarian anymore.", "I'm terrified of flying though."])
def test_what_one_is_is_noticed_beside_fuller_sentences(said: str) -> None:
    assert said in [one.content for one in found_in(said, *FULLER)]


@pytest.mark.parametrize("said", ["I'm sick.", "I'm interested.", "I'm wrong.", "I'm an idiot."])
def test_what_one_is_for_the_moment_is_not_noticed_beside_fuller_sentences(said: str) -> None:
    assert len(found_in(said, *FULLER)) == 3


@pytest.mark.parametrize(
    "said",
    [
        "He said 'I live in Rome'.",
        "My sister texted: I'm moving to Bath.",
        "My boss was like, I love sushi.",
        "The poet writes: I was born in Lyon.",
        "Everyone thinks I'm from Italy.",
        "My boss joked that I live at the office.",
        "According to Anna, I hate cats.",
        "Rewrite this: I am a teacher in Leeds.",
        'My friend says Trieste is dull and "one day is too many".',
    ],
)
def test_what_others_say_or_think_is_not_told_of_the_speaker(said: str) -> None:
    assert found_in("Hello!", said, "Thanks a lot.") == []


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
