"""What is asked to be taught, and not of one's own life."""

import pytest

from memory_app.rules.fusion import Signals, Statistics
from memory_app.rules.gate import asks_how_to, opens, speaks_of, without_word

ROW = Signals("a", 0.4, 0.4, 0, 8, None, 0, False, False, None)


def asked(rows: float, *, name: bool = False) -> Statistics:
    """Of a question of two words, which no row has, one of them perhaps a name."""
    return Statistics(rows, [0.0, 0.0], [True, True], [name, False])


def test_the_nearest_of_few_is_relevant_where_that_of_many_is_so_by_chance() -> None:
    assert [opens([ROW], asked(rows), names_known=False) for rows in (40, 1_000)] == [True, False]
    near = ROW._replace(cosine=0.8, bare_cosine=0.8)
    assert opens([near], asked(1_000), names_known=False)


def test_a_name_that_nobody_knows_asks_for_more() -> None:
    assert not opens([ROW], asked(40, name=True), names_known=False)


def test_who_wants_to_be_taught_is_told_only_what_is_nearer() -> None:
    assert not opens([ROW], asked(40), names_known=False, how_to=True)


def test_a_name_that_was_put_in_for_who_asks_says_nothing() -> None:
    """ "Where do Alice live?" is near to all that is said of Alice."""
    row = ROW._replace(cosine=0.6, bare_cosine=0.2)
    assert opens([row], asked(40), names_known=True)
    assert not opens([row], asked(40), names_known=True, named_by_us=True)


def test_what_has_the_only_known_word_of_a_topic_speaks_of_it_however_common() -> None:
    statistics = Statistics(40, [20.0, 0.0], [True, True], [True, False])
    row = ROW._replace(bare_cosine=0.1, matched=0b01)
    assert speaks_of(row, statistics)
    assert not speaks_of(row._replace(matched=0), statistics)


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("How do I write a will?", "write"),
        ("how to drive in snow", "drive"),
        ("Can you tell me how to bake bread?", "bake"),
        ("How should one train for a marathon?", "train"),
        ("How do I best collect a parcel?", "collect"),
        ("How do I take my tea?", ""),
        ("How do I pay?", ""),
        ("How do I pay in shops?", ""),
        ("how do I get to work when it rains", ""),
        ("How do we usually heat the house?", ""),
        ("How do I pay a toll in France?", "pay"),
        ("How do you sleep in a tent?", "sleep"),
        ("How do I get rid of hiccups?", "get"),
        ("How do I write what we decided?", ""),
        ("How does Alice write?", ""),
        ("How did I drive to Rome?", ""),
        ("Where do I write?", ""),
        ("", ""),
    ],
)
def test_how_to_do_something_is_told_from_how_one_does_it(question: str, verb: str) -> None:
    assert asks_how_to(question) == verb


def test_a_row_without_a_word_keeps_its_others() -> None:
    row = ROW._replace(matched=0b101)
    words = ("How", "do", "Write")
    assert without_word(row, "write", words).matched == 0b001
    assert without_word(row, "", words).matched == 0b101
