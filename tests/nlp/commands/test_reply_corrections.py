"""Corrections in replies: what is certain edits one text, anything else none."""

import pytest

from memory_app.nlp.commands.replies import texts_to_repeat
from memory_app.nlp.commands.reply_corrections import read_correction

TEXTS = ["The dentist is on 3 May", "Tom is staying with his sister", "I sell six loaves to the pub"]
ALL = {0, 1, 2}


@pytest.mark.parametrize(
    ("reply", "accepted", "edits"),
    [
        ("yes, but on the 4th", ALL, {0: "The dentist is on 4 May"}),
        ("the second one, only it's his brother", {1}, {1: "Tom is staying with his brother"}),
        ("yes except that I sell eight", ALL, {2: "I sell eight loaves to the pub"}),
        ("Tom is spelled Thom, otherwise fine", ALL, {1: "Thom is staying with his sister"}),
        ("Tom is spelled Thom", {1}, {1: "Thom is staying with his sister"}),
    ],
)
def test_one_particular_takes_the_place_of_the_only_one_of_its_kind(
    reply: str, accepted: set[int], edits: dict[int, str]
) -> None:
    found = read_correction(reply, TEXTS)
    assert found is not None
    assert (set(found.choice.accepted), set(found.choice.rejected), dict(found.edits)) == (accepted, set[int](), edits)


@pytest.mark.parametrize(
    "reply",
    [
        "yes, but on Tuesday",  # nothing has a weekday
        "yes, but it's better",
        "yes, but on the 4th at six",
        "the second one, only it's on the 4th",
        "Bob is spelled Rob, otherwise fine",
        "yes, but he sells eight cars",
    ],
)
def test_in_doubt_nothing_is_edited_or_kept(reply: str) -> None:
    found = read_correction(reply, TEXTS)
    assert found is not None
    assert (found.choice.clear, found.choice.accepted, found.edits) == (False, frozenset(), {})


def test_of_two_of_a_kind_none_is_meant_for_certain() -> None:
    found = read_correction("yes, but on the 4th", [*TEXTS, "The party is on 9 June"])
    assert found is not None
    assert not found.choice.clear


@pytest.mark.parametrize(
    "reply", ["yes", "all but the second", "yes but not 2", "1 and 3", "no", "yes, but on what day?"]
)
def test_a_reply_that_corrects_nothing_is_read_as_any(reply: str) -> None:
    assert read_correction(reply, TEXTS) is None


@pytest.mark.parametrize(
    ("reply", "positions"),
    [
        ("read me the second again", [1]),
        ("Could you say those again?", [0, 1, 2]),
        ("what was number 3 again?", [2]),
        ("please repeat the first", [0]),
        ("yes", []),
        ("say yes to the second", []),
        ("don't ask me again", []),
    ],
)
def test_what_is_to_be_heard_again(reply: str, positions: list[int]) -> None:
    assert texts_to_repeat(reply, TEXTS) == positions
