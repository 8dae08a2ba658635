"""A question about oneself as others would ask it, for comparing."""

import pytest

from memory_app.rules.third_person import in_third_person


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("where do I live?", "where do Alice live?"),
        ("what's my job?", "what's Alice's job?"),
        ("Am I married?", "is Alice married?"),
        ("where are we staying?", "where is Alice staying?"),
        ("who told me about us?", "who told Alice about Alice?"),
    ],
)
def test_whoever_asks_is_called_by_name(question: str, asked: str) -> None:
    assert in_third_person(question, "alice") == asked


@pytest.mark.parametrize("question", ["what's the capital of France?", "who leads the US?", "is I/O slow?"])
def test_a_question_about_nobody_stays(question: str) -> None:
    assert in_third_person(question, "alice") == question


def test_a_name_may_hold_anything() -> None:
    assert in_third_person("where do I live?", r"a\1{0}") == r"where do A\1{0} live?"
