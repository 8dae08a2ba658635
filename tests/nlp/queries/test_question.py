"""A question taken apart."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.queries.question import Question, read_question, space_out_cjk

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def read(text: str) -> Question:
    return read_question(text, at=NOW, timezone=ZoneInfo("UTC"))


def test_words_are_taken_once_and_in_order() -> None:
    assert read("Which tile, which blue tile?").words == ("Which", "tile", "blue")


def test_names_are_told_from_words_that_merely_begin_a_sentence() -> None:
    asked = read("What did Anna's sister say to Bob in March?")
    assert asked.names == ("Anna", "Bob")
    assert asked.without_names == "What did sister say to in March?"


def test_a_question_of_a_name_alone_keeps_it() -> None:
    assert read("Anna").without_names == "Anna"


def test_a_month_without_a_year_is_that_of_each_of_ten_years() -> None:
    periods = read("What happened in May?").periods
    assert [start.year for start, _ in periods] == list(range(2026, 2016, -1))
    assert {start.month for start, _ in periods} == {5}


def test_a_month_with_its_year_is_that_one() -> None:
    assert read("What happened in May 2023?").periods == (
        (datetime(2023, 5, 1, tzinfo=ZoneInfo("UTC")), datetime(2023, 6, 1, tzinfo=ZoneInfo("UTC"))),
    )


@pytest.mark.parametrize("text", ["What did you recommend?", "you said something about tiles", "What was your advice?"])
def test_the_assistants_words_are_wanted_where_it_is_asked_what_it_said(text: str) -> None:
    assert read(text).wants_assistant


def test_the_persons_own_words_are_wanted_otherwise() -> None:
    assert not read("What did I say about tiles?").wants_assistant


def test_scripts_without_spaces_are_parted_into_characters() -> None:
    assert space_out_cjk("日本語 ok").split() == ["日", "本", "語", "ok"]


@pytest.mark.parametrize("text", ["", " ", "\x00", "???", "🙂", "'\"\\&|!():*<->", "a" * 30_000, "x " * 20_000])
def test_any_text_is_a_question(text: str) -> None:
    assert len(read(text).words) <= 24


def test_no_word_of_german_is_a_name_for_its_capital() -> None:
    asked = read_question("Wie heißt der Bruder von Anna?", at=NOW, timezone=ZoneInfo("UTC"), language="german")
    assert asked.names == ()
    assert asked.without_names == "Wie heißt der Bruder von Anna?"


def test_the_word_that_opens_a_french_question_is_no_name() -> None:
    asked = read_question("Où habite Anna ?", at=NOW, timezone=ZoneInfo("UTC"), language="french")
    assert asked.names == ("Anna",)
