"""Which found memories a description may mean."""

from memory_app.rules.fusion import Signals, Statistics
from memory_app.rules.match_description import match_description

BLUE_TILE = Statistics(rows=10, holding=[2, 1], counts=[True, True], is_name=[False, False])
NONE_HOLDS_THE_SECOND = Statistics(rows=10, holding=[2, 0], counts=[True, True], is_name=[False, False])


def _found(matched: int, cosine: float | None) -> Signals:
    return Signals("id", cosine, cosine, matched, 8, "session", 0, False, False, None)


def test_what_has_all_the_words_is_meant_and_what_has_some_is_not() -> None:
    assert match_description([_found(0b11, 0.7), _found(0b01, 0.6), _found(0b11, 0.1)], BLUE_TILE) == [0, 2]


def test_with_no_row_of_all_words_what_is_close_is_meant() -> None:
    assert match_description([_found(0b01, 0.62), _found(0, 0.45), _found(0, 0.41)], NONE_HOLDS_THE_SECOND) == [0, 1]


def test_half_of_the_words_are_enough_for_what_is_of_the_subject() -> None:
    assert match_description([_found(0b10, 0.35)], BLUE_TILE) == [0]
    assert match_description([_found(0b10, 0.1)], BLUE_TILE) == []


def test_one_common_word_and_a_distant_meaning_are_not_enough() -> None:
    assert match_description([_found(0b01, 0.3), _found(0, 0.2)], NONE_HOLDS_THE_SECOND) == []


def test_words_the_search_leaves_out_do_not_count() -> None:
    statistics = Statistics(rows=10, holding=[0, 1], counts=[False, True], is_name=[False, False])
    assert match_description([_found(0b10, 0.0)], statistics) == [0]


def test_without_words_and_vectors_nothing_is_meant() -> None:
    assert match_description([_found(0, None)], Statistics(1, [], [], [])) == []
    assert match_description([], BLUE_TILE) == []
