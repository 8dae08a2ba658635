"""What was found has to do with the query, or nothing is said to be found."""

from memory_app.rules.fusion import Signals, Statistics
from memory_app.rules.gate import relevant_rows

ROW = Signals("a", 0.1, 0.1, 0, 8, None, 0, False, False, None)


def asked(rows: float = 20, holding: tuple[float, ...] = (1.0, 0.0)) -> Statistics:
    """Of a query of two words that mean something."""
    return Statistics(rows, holding, [True, True])


def near(cosine: float) -> Signals:
    return ROW._replace(cosine=cosine, bare_cosine=cosine)


def test_the_nearest_of_what_is_far_is_not_found() -> None:
    assert relevant_rows([near(0.2), near(0.1)], asked()) == [False, False]
    assert relevant_rows([], asked()) == []


def test_beside_what_is_found_less_is_enough() -> None:
    assert relevant_rows([near(0.5), near(0.25), near(0.1)], asked()) == [True, True, False]


def test_what_has_every_word_is_found_however_far_in_meaning() -> None:
    both = near(0.0)._replace(matched=0b11)
    assert relevant_rows([both, both._replace(matched=0b01)], asked(holding=(2.0, 1.0))) == [True, False]


def test_one_word_of_two_that_is_all_there_is_says_little() -> None:
    assert relevant_rows([near(0.1)._replace(matched=0b01)], asked(1_000)) == [False]


def test_the_nearest_of_many_must_be_nearer() -> None:
    assert [relevant_rows([near(0.35)], asked(rows)) for rows in (20, 1_000)] == [[True], [False]]


def test_without_a_vector_words_decide() -> None:
    words_only = ROW._replace(cosine=None, bare_cosine=None, matched=0b01)
    assert relevant_rows([words_only], asked(20, (1.0, 1.0))) == [True]
