"""One score from what each signal says."""

from datetime import UTC, datetime

import numpy as np
import pytest

from memory_app.rules.candidate_signals import SignalColumns, Signals, Statistics, microseconds, rarity
from memory_app.rules.fusion import Ranked, brevity, closeness, closenesses, coverages, fuse, time_match, time_matches

MAY = (datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))
ROW = Signals(
    id="a", cosine=0.5, bare_cosine=0.5, matched=0, words=10, session="s", position=0,
    speaker_named=False, from_wanted_role=False, said_at=datetime(2026, 1, 1, tzinfo=UTC),
)  # fmt: skip
STATISTICS = Statistics(100, [2.0, 50.0], [True, True], [False, False])


def ranked(*rows: Signals, method: str = "hybrid", limit: int = 10) -> list[Ranked]:
    return fuse(SignalColumns.of(rows), STATISTICS, [MAY], method, limit)[0]


def order(*rows: Signals, method: str = "hybrid") -> list[object]:
    return [rows[item.place].id for item in ranked(*rows, method=method)]


def test_rarity_is_that_of_bm25() -> None:
    assert rarity(100, 2) == pytest.approx(3.6988, abs=1e-4)  # ln(1 + 98.5 / 2.5)
    assert rarity(100, 50) == pytest.approx(0.6931, abs=1e-4)  # ln(1 + 50.5 / 50.5)


def test_closeness_is_on_a_fixed_scale() -> None:
    assert [closeness(cosine) for cosine in (None, 0.05, 0.425, 0.8, 1.0)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert closenesses(np.array([np.nan, 0.05, 0.425, 0.8, 1.0])).tolist() == [0.0, 0.0, 0.5, 1.0, 1.0]


def test_only_a_long_text_pays_for_its_length() -> None:
    assert brevity(5) == brevity(40) == 1.0
    assert brevity(400) == pytest.approx(0.3028, abs=1e-4)  # 1 / (1 + ln 10)


def test_what_is_told_within_two_weeks_of_a_time_counts_half() -> None:
    moments = [datetime(2026, month, day, tzinfo=UTC) for month, day in ((4, 30), (5, 3), (6, 14), (6, 15))]
    assert [time_match(moment, [MAY]) for moment in moments] == [0.0, 1.0, 0.5, 0.0]
    assert time_matches(np.array([microseconds(moment) for moment in moments]), [MAY]).tolist() == [0.0, 1.0, 0.5, 0.0]


def test_a_rare_word_counts_for_more_than_a_common_one() -> None:
    assert order(ROW._replace(id="common", matched=0b10), ROW._replace(id="rare", matched=0b01)) == ["rare", "common"]


def test_a_word_that_all_have_answers_no_question_of_something_else() -> None:
    """ "How much do I charge?" of which only "much" is held: a row that means it comes before one that has the word."""
    much = ROW._replace(id="much", cosine=0.2, matched=0b01, session="m")
    meant = ROW._replace(id="meant", cosine=0.55, session="c")
    statistics = Statistics(100, [9.0, 0.0], [True, True], [False, False])
    found, _ = fuse(SignalColumns.of([much, meant]), statistics, [], "hybrid", 2)
    assert [(much, meant)[one.place].id for one in found] == ["meant", "much"]


def test_what_a_question_asks_in_words_that_no_row_has_is_not_covered() -> None:
    known, missing, stop = ([True, word] for word in (True, True, False))
    words = np.array([10])
    [held] = coverages(np.array([0b11]), words, Statistics(100, [2.0, 50.0], known))
    [part] = coverages(np.array([0b01]), words, Statistics(100, [2.0, 0.0], missing))
    [bare] = coverages(np.array([0b01]), words, Statistics(100, [2.0, 0.0], stop))
    assert [held, part, bare] == pytest.approx([0.5818, 0.4378, 0.5395], abs=1e-4)


def test_a_row_said_alone_gains_no_less_than_one_among_others() -> None:
    alone = ROW._replace(id="alone", session="alone")
    others = [ROW._replace(id=f"other{n}", session="talk", position=n * 2) for n in range(3)]
    assert [item.score for item in ranked(alone, *others)] == pytest.approx([0.39] * 4)


def test_each_signal_lifts_the_row_that_has_it() -> None:
    plain = ROW._replace(id="plain", session="p")
    for change in (
        {"cosine": 0.6},
        {"matched": 0b01},
        {"speaker_named": True},
        {"from_wanted_role": True},
        {"said_at": datetime(2026, 5, 3, tzinfo=UTC)},
    ):
        lifted = ROW._replace(id="lifted", session="l", **change)
        assert order(plain, lifted) == ["lifted", "plain"]


def test_an_answer_is_lifted_by_the_question_before_it() -> None:
    question = ROW._replace(id="question", cosine=0.8, asks=True)
    answer = ROW._replace(id="answer", cosine=0.3, position=1)
    other = ROW._replace(id="other", cosine=0.3, position=5)
    assert order(question, other, answer) == ["question", "answer", "other"]


def test_a_row_gains_from_the_best_of_its_session() -> None:
    good = [ROW._replace(id=f"good{n}", cosine=0.7, session="talk", position=n * 2) for n in range(3)]
    inside = ROW._replace(id="inside", cosine=0.3, session="talk", position=9)
    outside = ROW._replace(id="outside", cosine=0.3, session="alone")
    assert order(outside, inside, *good)[-2:] == ["inside", "outside"]


def test_a_superseded_memory_ranks_under_what_replaced_it() -> None:
    old = ROW._replace(id="old", cosine=0.8, matched=0b11, superseded=True, replaced_by="new", session=1)
    new = ROW._replace(id="new", cosine=0.2, session=2)
    assert order(old, new) == ["new", "old"]


def test_shares_are_the_parts_of_the_score() -> None:
    best = ranked(ROW._replace(matched=0b01), ROW._replace(id="b", position=1))[0]
    assert sum(share.value for share in best.shares) == pytest.approx(best.score, abs=1e-3)
    assert sum(share.share for share in best.shares) == pytest.approx(1, abs=1e-3)
    assert {share.signal: share.rank for share in best.shares}["words"] == 1


@pytest.mark.parametrize(
    ("method", "signals"),
    [("vector", {"meaning"}), ("text", {"words"}), ("rrf", {"meaning", "words"}), ("entity", {"names"})],
)
def test_a_method_hears_only_its_own_signals(method: str, signals: set[str]) -> None:
    row = ROW._replace(matched=0b01, speaker_named=True)
    assert {share.signal for share in ranked(row, method=method)[0].shares} == signals


def test_a_row_that_nothing_speaks_for_is_not_found() -> None:
    assert ranked(ROW._replace(cosine=None), method="text") == []


def test_only_so_many_are_shown_and_all_are_counted() -> None:
    rows = [ROW._replace(id=n, position=n) for n in range(7)]
    shown, total = fuse(SignalColumns.of(rows), STATISTICS, [], "hybrid", 3)
    assert (len(shown), total) == (3, 7)
