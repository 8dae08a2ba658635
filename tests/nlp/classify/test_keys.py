"""A key is given only to one plain statement of a single value about the speaker."""

import pytest

from memory_app.nlp.classify.keys import key_of
from memory_app.nlp.understand import is_harmless


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("My time zone is CET", "timezone"),
        ("I'm in PST", "timezone"),
        ("The user's timezone is Europe/Berlin", "timezone"),
        ("I live in the PST time zone", "timezone"),
        ("I prefer English", "language"),
        ("User prefers English", "language"),
        ("Please answer in French", "language"),
        ("I prefer answers in German", "language"),
        ("My native language is Dutch", "native_language"),
        ("I live in Berlin", "home"),
        ("I live in New York City with my wife.", "home"),
        ("I moved to Lisbon", "home"),
        ("I work at Microsoft", "employer"),
        ("I now work for Stripe", "employer"),
        ("I work as a nurse", "role"),
        ("My job title is Staff Engineer", "role"),
        ("My favourite colour is green", "favourite_colour"),
        ("my favorite color is blue!", "favourite_colour"),
        ("My favorite movie is Alien", "favourite_film"),
        ("my name is Robert", "name"),
        ("call me Bob", "nickname"),
        ("My birthday is 7 May", "birthday"),
        ("My shoe size is 42", "shoe_size"),
        ("btw my IGN is CreeperSlayer99", "ign"),
        ("I am 34 years old", "age"),
        ("My boss is Katrin Vogel", "boss"),
        ("My wife’s name is Laura", "wife"),
        ("I'm a nurse at St Mary's", "role"),
        ("I work for the NHS", "employer"),
        ("My GitHub user name is octo-anna", "github_username"),
        ("my Mastodon handle is anna", "mastodon_username"),
        ("I'm in the Europe/Lisbon time zone", "timezone"),
        ("My current project is a fraud detector", "current_project"),
        ("Role: Senior Backend Engineer", "role"),
        ("Company: Stripe (Payments Infrastructure team)", "employer"),
        ("Current project: Building real-time fraud detection pipeline", "current_project"),
        ("Timezone: PST (UTC-8)", "timezone"),
        ("Home: Lisbon", "home"),
        ("GitHub: octo-anna", "github_username"),
        ("Lives in Lisbon", "home"),
    ],
)
def test_a_statement_about_oneself_fills_a_slot(text: str, key: str) -> None:
    assert key_of(text) == key


@pytest.mark.parametrize(
    "text",
    [
        "I live in an apartment",
        "I'm a fan at heart",
        "I'm a bit tired at Easter",
        "I'm a regular at the pub",
        "My old username is foo",
        "My current project is late",
        "Job: fix the door by Friday",
        "Note: buy milk",
        "Company: coming on Friday",
        "Role: ?",
        "I live in Berlin and Paris",
        "I live in Berlin but work in Rome",
        "I live in Berlin. My dog is Rex.",
        "I used to live in Rome",
        "I don't live in Berlin anymore",
        "I would like to live in Rome",
        "Do I live in Berlin?",
        "Anna lives in Berlin",
        "My sister lives in Berlin",
        "I moved to a new team",
        "I moved to Lisbon in 2020 and back in 2022",
        "I work at home",
        "I work at night",
        "I also work at Google",
        "My job is fun",
        "My job is stressful",
        "My job is killing me",
        "My company is great",
        "My favourite thing about Rome is the food",
        "My favourite books are long",
        "One of my favourite colours is green",
        "My favourite colour is not green",
        "Call me tomorrow",
        "My birthday is coming up",
        "My name is on the list",
        "My role is to help",
        "I was born in Lisbon",
        "I think my shoe size is 42",
        "I'm not a vegan",
        "My wife is angry",
        "My daughter is called Emma",
        "I speak German",
        "I prefer German cars",
        "I'm in debt",
        "I'm in the cast",
        "I'm at work",
        "My phone is an iPhone",
        "Ich wohne in Berlin",
        "",
    ],
)
def test_everything_else_has_no_key(text: str) -> None:
    assert key_of(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "My IGN is CreeperSlayer99",
        "I'm in PST",
        "I prefer English",
        "I prefer Python",
        "I prefer Python over Java",
        "I prefer dark mode",
        "My favourite editor is vim",
    ],
)
def test_harmless_facts_may_be_told_anywhere(text: str) -> None:
    assert is_harmless(text, key_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "I live in Berlin",
        "My name is Robert",
        "My boss is Bob",
        "I prefer Anna over Bob",
        "I prefer to be alone",
        "I prefer Python. My boss does not.",
        "My email is alice@example.org",
        "We decided to use Python",
        "My favourite colleague is Bob",
    ],
)
def test_in_doubt_a_fact_is_not_harmless(text: str) -> None:
    assert not is_harmless(text, key_of(text))
