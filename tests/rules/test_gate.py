"""What is relevant enough to be put before an assistant."""

from memory_app.nlp.queries.query_kind import QueryKind
from memory_app.rules.candidate_signals import SignalColumns, Signals, Statistics
from memory_app.rules.gate import gate_opens, is_about_topic, match_description, relevant_rows

ROW = Signals("a", 0.5, 0.5, 0, 8, None, 0, False, False, None)


def asked(rows: float, *, name: bool = False) -> Statistics:
    """Of a question of two words, which no row has, one of them perhaps a name."""
    return Statistics(rows, [0.0, 0.0], [True, True], [name, False])


def test_the_nearest_of_few_is_relevant_where_that_of_many_is_so_by_chance() -> None:
    assert [gate_opens([ROW], asked(rows), names_known=False) for rows in (40, 1_000)] == [True, False]
    near = ROW._replace(cosine=0.8, bare_cosine=0.8)
    assert gate_opens([near], asked(1_000), names_known=False)


def test_a_name_that_nobody_knows_asks_for_more() -> None:
    assert not gate_opens([ROW], asked(40, name=True), names_known=False)


def test_a_question_of_ones_own_life_is_answered_in_other_words() -> None:
    near = ROW._replace(cosine=0.32, bare_cosine=0.32)
    assert gate_opens([near], asked(40), False, QueryKind.PERSONAL)
    assert not gate_opens([near], asked(40), False, QueryKind.OTHER)


def test_an_order_to_the_assistant_opens_only_for_what_it_names() -> None:
    assert gate_opens([ROW], asked(40), False, QueryKind.OTHER)
    assert not gate_opens([ROW], asked(40), False, QueryKind.ORDER)
    named = Statistics(40, [1.0, 0.0], [True, True], [True, False])
    assert gate_opens([ROW], named, False, QueryKind.ORDER)


def test_what_has_the_only_known_word_of_a_topic_speaks_of_it_however_common() -> None:
    statistics = Statistics(40, [20.0, 0.0], [True, True], [True, False])
    row = ROW._replace(bare_cosine=0.1, matched=0b01)
    assert is_about_topic(row, statistics)
    assert not is_about_topic(row._replace(matched=0), statistics)


FOUND_ROW = Signals("a", 0.1, 0.1, 0, 8, None, 0, False, False, None)


def statistics_of(rows: float = 20, holding: tuple[float, ...] = (1.0, 0.0)) -> Statistics:
    """Of a query of two words that mean something."""
    return Statistics(rows, holding, [True, True])


def near(cosine: float) -> Signals:
    return FOUND_ROW._replace(cosine=cosine, bare_cosine=cosine)


def test_the_nearest_of_what_is_far_is_not_found() -> None:
    assert relevant_rows(SignalColumns.of([near(0.2), near(0.1)]), statistics_of()) == [False, False]
    assert relevant_rows(SignalColumns.of([]), statistics_of()) == []


def test_beside_what_is_found_less_is_enough() -> None:
    assert relevant_rows(SignalColumns.of([near(0.5), near(0.25), near(0.1)]), statistics_of()) == [True, True, False]


def test_what_has_every_word_is_found_however_far_in_meaning() -> None:
    both = near(0.0)._replace(matched=0b11)
    assert relevant_rows(SignalColumns.of([both, both._replace(matched=0b01)]), statistics_of(holding=(2.0, 1.0))) == [
        True,
        False,
    ]


def test_one_word_of_two_that_is_all_there_is_says_little() -> None:
    assert relevant_rows(SignalColumns.of([near(0.1)._replace(matched=0b01)]), statistics_of(1_000)) == [False]


def test_the_nearest_of_many_must_be_nearer() -> None:
    row = SignalColumns.of([near(0.35)])
    assert [relevant_rows(row, statistics_of(rows)) for rows in (20, 1_000)] == [[True], [False]]


def test_without_a_vector_words_decide() -> None:
    words_only = FOUND_ROW._replace(cosine=None, bare_cosine=None, matched=0b01)
    assert relevant_rows(SignalColumns.of([words_only]), statistics_of(20, (1.0, 1.0))) == [True]


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
