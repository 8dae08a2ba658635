"""Ordinary sentences told to an assistant: what is worth keeping is proposed, in words that stand alone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract import Found, Said, extract

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
LONDON = ZoneInfo("Europe/London")
FULLER = ("My wife Susan and I are planning a trip to Japan in April.", "My budget is 5000 euros.", "I live in Rome.")
REPLIES = ("Hi! What can I do for you?", "I see, thank you for telling me.", "You're welcome.")


def found_in(*said: str) -> list[Found]:
    """What is proposed of a talk in which the person says these, each answered by the assistant."""
    turns = [turn for n, text in enumerate(said) for turn in (("user", text), ("assistant", REPLIES[n % 3]))]
    spoken = [
        Said(n, role, text, "", FRIDAY + timedelta(seconds=n), "conversation", "ok")
        for n, (role, text) in enumerate(turns)
    ]
    return extract(spoken, person="Alice", timezone=LONDON)


@pytest.mark.parametrize(
    ("said", "type", "content"),
    [
        ("I prefer window seats on trains.", "preference", "Alice prefers window seats on trains."),
        ("My kids won't eat anything green.", "fact", "Alice's kids won't eat anything green."),
        ("Always answer me in French.", "preference", "Alice asks: Always answer them in French."),
        ("We have three kids.", "fact", "Alice has three kids."),
        ("My gran is 92.", "person", "Alice's gran is 92."),
        ("My best mate is called Gaz.", "person", "Alice's best mate is called Gaz."),
        ("My birthday is on the 3rd of May.", "event", "Alice's birthday is on the 3rd of May."),
        ("Mum's maiden name is Fletcher.", "fact", "Alice: Mum's maiden name is Fletcher."),
        ("Anna works at Google now.", "fact", "Alice: Anna works at Google now."),
        ("We agreed to split the rent equally.", "decision", "Alice: We agreed to split the rent equally."),
        ("We picked the Italian place for the party.", "decision", "Alice: We picked the Italian place for the party."),
        ("My car broke down this morning.", "event", "Alice's car broke down on the morning of 20 November 2026."),
        ("I just got back from Iceland.", "event", "Alice just got back from Iceland."),
        ("I'm restoring an old motorbike.", "project", "Alice is restoring an old motorbike."),
        ("I'm from Paris.", "fact", "Alice is from Paris."),
        ("Keep your answers short.", "preference", "Alice asks: Keep your answers short."),
        ("I'm vegan, can you suggest a recipe?", "fact", "Alice is vegan."),
        ("Suggest a recipe, I'm vegan.", "fact", "Alice is vegan."),
        ("Since I'm vegan, suggest a recipe without eggs.", "fact", "Alice is vegan."),
        ("My exam is on Monday, wish me luck!", "event", "Alice's exam is on 23 November 2026!"),
        ("I'm taking next Friday off.", "fact", "Alice is taking 27 November 2026 off."),
    ],
)  # fmt: skip
def test_what_is_worth_keeping_is_said_in_words_that_stand_alone(said: str, type: str, content: str) -> None:
    assert [(one.type, one.content) for one in found_in("Hello!", said, "Thanks a lot.")] == [(type, content)]


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("The dentist appointment was moved to 4 December.", "2026-12-04", "2026-12-05"),
        ("My brother gets married in June.", "2027-06-01", "2027-07-01"),
        ("The kids start school on 4 September.", "2027-09-04", "2027-09-05"),
        ("My parents are visiting us from Friday to Sunday.", "2026-11-27", "2026-11-30"),
        ("I'll be in New York from Dec 3 to Dec 7.", "2026-12-03", "2026-12-08"),
        ("We were in Wales from the 3rd to the 5th of June.", "2026-06-03", "2026-06-06"),
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
        "I have a question about it.",
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
        "I just want to sleep.",
        "I'm so done with this project.",
        "This is driving me crazy.",
        "I'm on the train to Leeds.",
        "I meant to say Thursday, not Friday.",
        "I said Tuesday but I meant Wednesday.",
        "He's my boss.",
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
    assert "Alice prefers window seats on trains." in contents
    assert len(contents) == 4


def test_what_is_told_of_the_world_is_not_taken_for_ones_own() -> None:
    assert found_in("Hello!", "World War II ended in 1945.", "Marie Curie was born in Warsaw.", "Thanks a lot.") == []


def test_a_day_alone_is_counted_from_the_date_before_it() -> None:
    (one,) = found_in("Hello!", "The appointment was moved to 4 December, so we leave on the 5th.", "Thanks a lot.")
    assert one.content == "The appointment was moved to 4 December 2026, so Alice leaves on 5 December 2026."


@pytest.mark.parametrize(
    "said", ["I'm allergic to penicillin.", "My locker code is 4411.", "The alarm code is 9921.", "My PIN is 4417."]
)
def test_what_is_sensitive_is_never_proposed(said: str) -> None:
    assert found_in("Hello!", said, "Thanks a lot.") == []


def test_a_person_known_by_a_name_in_small_letters_is_written_with_a_capital() -> None:
    said = [("user", "Hello!"), ("assistant", "Hi!"), ("user", "By the way, I prefer tea."), ("assistant", "Fine.")]
    turns = [Said(n, role, text, "", FRIDAY, "conversation", "ok") for n, (role, text) in enumerate(said)]
    (one,) = extract(turns, person="alice", timezone=LONDON)
    assert (one.content, one.speaker) == ("Alice prefers tea.", "alice")


@pytest.mark.parametrize(
    ("said", "contents"),
    [
        ("I'm Alice and I live in Rome with my husband.", ["Alice lives in Rome with their husband."]),
        ("My name is Alice. I'm a nurse in Rome.", ["Alice is a nurse in Rome."]),
        ("My name is Alice.", []),
    ],
)
def test_of_someone_known_by_it_a_name_is_no_news(said: str, contents: list[str]) -> None:
    assert [one.content for one in found_in("Hello!", said, "Thanks a lot.")] == contents


@pytest.mark.parametrize("said", ["Ich arbeite als Lehrer im Norden.", "Meine Oma wohnt im Harz."])
def test_another_language_is_told_word_for_word(said: str) -> None:
    assert [one.content for one in found_in("Hello!", said, "Thanks a lot.")] == [f"Alice: {said}"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm vegetarian.", "Alice is vegetarian."),
        ("I'm not vegetarian anymore.", "Alice is not vegetarian anymore."),
        ("I'm terrified of flying though.", "Alice is terrified of flying."),
    ],
)
def test_what_one_is_is_noticed_beside_fuller_sentences(said: str, told: str) -> None:
    assert told in [one.content for one in found_in(said, *FULLER)]


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
    ],
)
def test_what_others_say_or_think_is_not_told_of_the_speaker(said: str) -> None:
    assert found_in("Hello!", said, "Thanks a lot.") == []


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("I told her, I have two dogs.", "Alice told her, they have two dogs."),
        ("My teacher wrote that I have talent.", "Alice's teacher wrote that Alice has talent."),
        ("I think I'm moving to Rome in May.", "Alice thinks they are moving to Rome in May 2027."),
    ],
)
def test_what_one_says_oneself_or_was_told_of_ones_own_stays(said: str, content: str) -> None:
    assert [one.content for one in found_in("Hello!", said, "Thanks a lot.")] == [content]
