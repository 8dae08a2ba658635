"""A text is understood at once: its summary, keywords, time, sensitivity and reach."""

from datetime import datetime

import pytest

from memory_app.nlp.keywords import keywords
from memory_app.nlp.summary import summary
from memory_app.nlp.understand import understand
from tests.nlp.clock import AT, BERLIN

LONG = (
    "Hi! So, it was great. We finally bought the house on Elm Street after months of searching and negotiating "
    "with the sellers. The kids love it."
)


def test_a_decision_is_understood_whole() -> None:
    read = understand("we decided to go with the blue tile", at=AT, timezone=BERLIN)
    assert (read.type, read.category, read.key) == ("decision", "personal", "")
    assert read.summary == "we decided to go with the blue tile"
    assert read.keywords == ("decided", "blue", "tile")
    assert read.entities == ()
    assert read.event_time is None
    assert (read.sensitive, read.global_safe) == (frozenset(), False)


def test_an_event_has_its_time_and_names() -> None:
    read = understand("Visited Anna in Paris on March 15th", at=AT, timezone=BERLIN)
    assert read.type == "event"
    assert read.event_time == (
        datetime(2026, 3, 15, tzinfo=BERLIN),
        datetime(2026, 3, 16, tzinfo=BERLIN),
    )
    assert [entity.canonical for entity in read.entities] == ["Anna", "Paris", "March 15th"]


def test_a_secret_becomes_neither_keyword_nor_name_nor_global() -> None:
    read = understand("my card is 4111 1111 1111 1111 for Anna", at=AT, timezone=BERLIN)
    assert read.sensitive == {"card"}
    assert read.keywords == ("card", "anna")
    assert [entity.canonical for entity in read.entities] == ["Anna"]
    assert not read.global_safe


def test_only_what_is_not_negated_is_told_anywhere() -> None:
    assert understand("I prefer Python", at=AT, timezone=BERLIN).global_safe
    denied = understand("I don't use Python", at=AT, timezone=BERLIN)
    assert not denied.global_safe


@pytest.mark.parametrize("text", ["", " ", "🎉", "\x00", "\ud800", "a" * 70_000, "((" * 5_000, "我喜欢喝茶", "…"])
def test_any_text_is_understood_without_error(text: str) -> None:
    read = understand(text, at=AT, timezone=BERLIN)
    assert (read.type, read.key, read.global_safe) == ("fact", "", False)
    assert len(read.summary) <= 100
    assert len(read.keywords) <= 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My sister Anna is a doctor", ("sister", "anna", "doctor")),
        ("Kitchen renovation budget is $50k", ("kitchen", "renovation", "budget", "$50k")),
        ("buy milk", ("buy", "milk")),
        ("The tile and the tiles are blue tiles", ("tiles", "blue")),
        ("see https://example.org/path about bees", ("see", "bees")),
        ("Ich wohne in Berlin und mag Kaffee", ("wohne", "berlin", "mag", "kaffee")),
        ("the of and", ()),
    ],
)
def test_keywords_are_what_one_would_search_by(text: str, expected: tuple[str, ...]) -> None:
    assert keywords(text) == expected


def test_a_name_of_several_words_is_one_keyword() -> None:
    found = keywords("I met Priya Shah from Contoso about the roadmap", ["Priya Shah"])
    assert found == ("priya shah", "contoso", "roadmap")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like tea", "I like tea"),
        ("two\n lines", "two lines"),
        (LONG, "We finally bought the house on Elm Street after months of searching"),
        (
            "The quick brown fox jumped over the lazy dog, which was sleeping in the sun because it ate a lot too.",
            "The quick brown fox jumped over the lazy dog, which was sleeping in the sun",
        ),
        (
            "grandmother " * 20,
            "grandmother grandmother grandmother grandmother grandmother grandmother grandmother grandmother…",
        ),
    ],
)
def test_a_summary_stands_for_the_text_in_a_hundred_characters(text: str, expected: str) -> None:
    assert summary(text) == expected
