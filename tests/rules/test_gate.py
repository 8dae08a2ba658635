"""What is relevant enough to be put before an assistant."""

from memory_app.nlp.queries.query_kind import QueryKind
from memory_app.rules.fusion import Signals, Statistics
from memory_app.rules.gate import gate_opens, is_about_topic

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
