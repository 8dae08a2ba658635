"""Types and categories follow from the form of a sentence."""

import pytest

from memory_app.nlp.classify.type_and_category import type_and_category
from memory_app.nlp.times.time_phrases import time_phrases
from tests.nlp.classify.labelled_types import LABELLED
from tests.nlp.clock import AT, BERLIN


def share_right(half: int) -> float:
    """Of the even (0) or odd (1) lines of each type, how many get that type."""
    lines = [(line, kind) for kind, text in LABELLED.items() for line in text.strip().splitlines()[half::2]]
    right = [
        type_and_category(line, dated=bool(time_phrases(line, at=AT, timezone=BERLIN))).type == kind
        for line, kind in lines
    ]
    assert len(lines) == 100
    return sum(right) / len(right)


@pytest.mark.parametrize("half", [0, 1])
def test_types_are_told_on_the_tuned_and_on_the_other_half(half: int) -> None:
    assert share_right(half) >= 0.95


@pytest.mark.parametrize(
    ("text", "kind", "category"),
    [
        ("We decided to go with the blue tile", "decision", "personal"),
        ("Thom works at Microsoft", "fact", "work"),
        ("Penelope loves chicken-themed gifts", "preference", "preference"),
        ("Visited Grandma on March 15th", "event", "personal"),
        ("John from Contoso - sales director", "person", "work"),
        ("Kitchen renovation budget is $50k", "project", "work"),
        ("Feeling good about the interview", "journal", "work"),
        ("buy milk", "task", "fact"),
        ("I finished reading a novel about whales", "event", "reading"),
        ("Hi there! We decided to sell the car.", "decision", "personal"),
        ("Ich wohne in Berlin", "fact", "fact"),
        ("我喜欢喝茶", "fact", "fact"),
        ("", "fact", "fact"),
        ("I have a dentist appointment on Tuesday", "event", "personal"),
        ("my timezone is PST", "fact", "fact"),
        ("The meeting was pushed to Friday", "event", "work"),
        ("Our trip got cancelled", "event", "personal"),
        ("The choice of school is hard", "fact", "personal"),
        ("my IGN is CreeperSlayer99", "fact", "fact"),
        ("last week I ran a marathon", "event", "personal"),
        ("our team is building a search service", "project", "work"),
        ("After a long talk, we decided to adopt a dog", "decision", "personal"),
        ("My recital is on the 12th", "event", "personal"),
        ("Our flight to Oslo leaves early and is on Friday", "event", "personal"),
        ("Dinner with the Smiths is on Friday", "event", "personal"),
        ("My exam has been moved again, to Friday", "event", "personal"),
        ("Yesterday I broke my favourite mug", "event", "personal"),
        ("I've been restoring our boat", "project", "work"),
        ("I'm training for a marathon", "project", "work"),
    ],
)
def test_a_sentence_has_a_type_and_a_category(text: str, kind: str, category: str) -> None:
    found = type_and_category(text)
    assert (found.type, found.category) == (kind, category)


@pytest.mark.parametrize("text", ["I live in Oslo", "Bob lives in Rome", "I grew up in Madrid", "We work for Contoso"])
def test_how_things_are_is_surely_a_fact(text: str) -> None:
    found = type_and_category(text)
    assert (found.type, found.sure) == ("fact", True)


@pytest.mark.parametrize("text", ["Thursday is trash day", "Our bin day is Wednesday.", "Fridays are pizza nights"])
def test_what_recurs_each_week_is_surely_a_fact(text: str) -> None:
    found = type_and_category(text, dated=True)
    assert (found.type, found.sure) == ("fact", True)


def test_to_want_something_done_is_no_preference() -> None:
    assert type_and_category("We want to finish the kitchen before Easter").type == "fact"
    assert type_and_category("I want more tea").type == "preference"


def test_a_default_says_that_it_is_one() -> None:
    assert type_and_category("We agreed on blue").sure
    assert not type_and_category("The bin is green").sure


@pytest.mark.parametrize(
    "text",
    [
        "Tom's favourite match was the final of 2014",
        "I never drink wine",
        "I avoid crowded places",
    ],
)
def test_what_one_likes_is_a_preference_in_any_of_its_forms(text: str) -> None:
    assert type_and_category(text).type == "preference"


@pytest.mark.parametrize(
    "text",
    [
        "My flight number is BA 212",
        "My lunch break is at noon",
        "My dinner table is round",
        "The party wall is made of brick",
        "Lunch at our canteen is cheap",
        "My trip to work takes an hour",
        "Our match teacher is in Rome",
        "I do the dishes on Mondays",
        "I take my bike over the bridge",
    ],
)
def test_a_word_of_events_alone_makes_no_event_of_a_fact(text: str) -> None:
    assert type_and_category(text).type == "fact"


@pytest.mark.parametrize(
    "text",
    [
        "Grandma turns 80 on Sunday",
        "The twins turn four in May",
        "My first day at Acme is 1 June",
        "The kids start school in September",
        "We're off to Spain tomorrow",
        "I plan to visit Japan in spring",
        "We're planning a trip to Peru in July",
    ],
)
def test_what_is_to_come_on_a_day_is_an_event(text: str) -> None:
    assert type_and_category(text, dated=True).type == "event"


def test_to_plan_to_build_something_is_a_project() -> None:
    assert type_and_category("We're planning to build a shed in May", dated=True).type == "project"


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("Prefers concise, technical summaries", "preference"),
        ("Interested in: distributed systems, Rust, PostgreSQL, ML infrastructure", "preference"),
        ("Dislikes: crypto, blockchain, NFT content", "preference"),
        ("Communication style: direct, technical, no fluff", "preference"),
        ("Role: Senior Backend Engineer", "work"),
        ("Company: Stripe (Payments Infrastructure team)", "work"),
        ("Current project: Building real-time fraud detection pipeline", "work"),
        ("Tech stack: Python, Go, PostgreSQL, Kafka, Kubernetes", "work"),
        ("Professional goals: Move into distributed systems architecture", "work"),
        ("Building a search system with embeddings", "work"),
        ("Learning Zig on weekends", "personal"),
        ("Building a side project: local-first note-taking app", "personal"),
        ("Opinions: Prefers practical over theoretical articles", "personal"),
        ("Skeptical about AI code generation replacing engineers", "personal"),
        ("Skeptical about crypto", "personal"),
        ("Timezone: PST (UTC-8)", "fact"),
        ("Digest preference: morning delivery, Style 2 (flat scroll)", "fact"),
        ("Started using HN Pal: 2026-01-15", "fact"),
        ("Discussed PostgreSQL 18 (positive)", "reading"),
        ("Saved 3 articles on CRDTs", "reading"),
    ],
)
def test_the_lines_of_a_profile_are_of_its_sections(line: str, category: str) -> None:
    assert type_and_category(line).category == category
