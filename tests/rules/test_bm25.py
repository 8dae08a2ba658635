"""What the words of a row weigh, and that a repeated word says little."""

from dataclasses import replace

import numpy as np
import pytest

from memory_app.rules.bm25 import bm25
from memory_app.rules.candidate_signals import SignalColumns, Signals, Statistics
from memory_app.rules.fusion import fuse, text_scores

ROW = Signals(
    id="a", cosine=None, bare_cosine=None, matched=0b1, words=10, session="s", position=0,
    speaker_named=False, from_wanted_role=False, said_at=None, often=(1, 0),
)  # fmt: skip
RARE_AND_COMMON = Statistics(100, [2.0, 50.0], [True, True], [False, False], average=10.0)


def saturation(times: int, words: int, average: float) -> float:
    """What one word says that a row of so many words has so often."""
    [said] = bm25(np.array([1]), [np.array([times])], np.array([words]), weights=[1.0], average=average)
    return float(said)


def text_score(row: Signals, statistics: Statistics) -> float:
    columns = SignalColumns.of([row])
    [score] = text_scores(columns.matched, columns.often, columns.words, statistics)
    return float(score)


def test_a_repeated_word_says_less_each_time() -> None:
    """1 / 1.6, 2 / 2.6 and 3 / 3.6 for a text of the average length."""
    assert [saturation(times, 10, 10) for times in (1, 2, 3)] == pytest.approx([0.625, 0.7692, 0.8333], abs=1e-4)


def test_a_longer_text_says_less_by_the_same_word() -> None:
    """1 / (1 + .6 × (.6 + .4 × words / average))"""
    assert [saturation(1, words, 10) for words in (5, 10, 40)] == pytest.approx([0.6757, 0.625, 0.4310], abs=1e-4)


@pytest.mark.parametrize("times", [1, 3, 60])
@pytest.mark.parametrize("words", [1, 10, 400])
def test_a_repeated_word_does_not_beat_all_words(times: int, words: int) -> None:
    repeated = ROW._replace(often=(times, 0), words=1)
    whole = ROW._replace(id="whole", matched=0b11, often=(1, 1), words=words)
    assert text_score(whole, RARE_AND_COMMON) > text_score(repeated, RARE_AND_COMMON)


def test_all_words_are_those_that_some_row_has() -> None:
    """Of "blue zebra" nobody has "zebra": what has "blue" has all there is."""
    statistics = replace(RARE_AND_COMMON, holding=[2.0, 0.0])
    assert text_score(ROW, statistics) > 0.5 > text_score(ROW, RARE_AND_COMMON)


def test_of_rows_with_the_same_words_the_one_that_has_them_more_often_is_first() -> None:
    rows = [ROW._replace(id="once"), ROW._replace(id="twice", often=(2, 0)), ROW._replace(id="long", words=30)]
    ranked, total = fuse(SignalColumns.of(rows), RARE_AND_COMMON, [], "text", 10)
    assert ([rows[one.place].id for one in ranked], total) == (["twice", "once", "long"], 3)


def test_in_the_hybrid_a_repeated_word_counts_once() -> None:
    rows = [ROW._replace(id="thrice", often=(3, 0), session=1), ROW._replace(id="whole", matched=0b11, session=2)]
    ranked, _ = fuse(SignalColumns.of(rows), RARE_AND_COMMON, [], "hybrid", 10)
    assert [rows[one.place].id for one in ranked] == ["whole", "thrice"]
