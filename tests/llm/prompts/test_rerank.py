"""A model puts texts in order; none is lost or doubled, whatever it answers."""

import pytest

from memory_app.llm.model import Model, Unreachable
from memory_app.llm.prompts.rerank import rerank
from tests.model_server import ModelServer, answers, fails

TEXTS = ["Alice would love the sea.", "Alice lives in Antwerp.", "Bob lives in Ghent."]


@pytest.mark.parametrize(
    ("order", "places"),
    [
        ([2, 3, 1], [1, 2, 0]),
        ([2], [1, 0, 2]),
        ([], [0, 1, 2]),
        ([3, 3, 0, -1, 99, 3], [2, 0, 1]),
    ],
)
def test_what_is_left_out_follows_and_what_is_not_there_is_dropped(
    order: list[int], places: list[int], model: Model, server: ModelServer
) -> None:
    server.will(answers({"order": order}))
    assert rerank(model, "Where does Alice live?", TEXTS) == places


def test_of_very_many_the_first_are_shown(model: Model, server: ModelServer) -> None:
    server.will(answers({"order": [50, 51]}))
    assert rerank(model, "Which?", [f"Text {number}" for number in range(60)])[:3] == [49, 0, 1]
    assert server.texts[0].count('"number"') == 50


def test_one_text_needs_no_order(model: Model, server: ModelServer) -> None:
    assert rerank(model, "Which?", ["Alone"]) == [0]
    assert rerank(model, "Which?", []) == []
    assert server.requests == []


def test_a_failure_is_told_so_that_the_fused_order_can_stand(model: Model, server: ModelServer) -> None:
    server.will(fails(500))
    with pytest.raises(Unreachable):
        rerank(model, "Where does Alice live?", TEXTS)
