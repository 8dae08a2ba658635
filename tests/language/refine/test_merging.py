"""Two memories become one only if nothing of the newer is lost and nothing is made up."""

import pytest

from memory_app.language.model import BadAnswer, Model, Withheld
from memory_app.language.refine import merge
from tests.model_server import ModelServer, answers

TENNIS = ("Dana plays tennis with Ravi.", "Dana plays tennis on Tuesdays, but not in winter.")
DOG = ("Alice's dog is called Rex.", "Alice's dog Rex is 4 years old.")
BOB = ("Bob works in Paris.", "Bob doesn't eat meat.")
SEAT = ("Bob likes trains.", "Bob prefers the window seat.")
MEETING = ("The meeting is on May 3.", "The meeting on May 3 is at 5 pm.")


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        (TENNIS, "Dana plays tennis with Ravi on Tuesdays, but not in winter."),
        (DOG, "Alice's dog is called Rex and is four years old."),
        (BOB, "Bob works in Paris and doesn't eat meat."),
        (MEETING, "The meeting is on May 3 at 17:00."),
    ],
)
def test_a_text_that_says_both_is_taken(
    texts: tuple[str, str], content: str, model: Model, server: ModelServer
) -> None:
    server.will(answers({"content": content, "summary": ""}))
    merged = merge(model, *texts)
    assert (merged.content, merged.summary) == (content, content)
    assert merged.made.extractor == "merge-1 openai:small"


@pytest.mark.parametrize(
    ("texts", "content", "fault"),
    [
        (TENNIS, "Dana plays tennis with Ravi.", "loses a date of the newer one"),
        (TENNIS, "Dana plays tennis with Ravi on Tuesdays, also in winter.", "contradicts the newer one"),
        (DOG, "Alice's dog is called Rex.", "loses a number of the newer one"),
        (DOG, "Alice's dog Rex is 4 years old and weighs 30 kg.", "invents a number"),
        (DOG, "Alice's dogs Rex and Bella are 4 years old.", "invents a name"),
        (DOG, "Bob's dog is called Rex and is 4 years old.", "loses a name of the newer one"),
        (BOB, "Bob works in Paris and eats meat.", "contradicts the newer one"),
        (SEAT, "Bob prefers the aisle seat on trains.", "contradicts the newer one"),
        (MEETING, "The meeting is on May 4 at 17:00.", "loses a date of the newer one"),
        (MEETING, "The meeting is on May 3 at 17:00, in June at 18:00.", "invents a date"),
        (("Bob likes fish.", "Bob likes chips."), "Bob likes chips, but never fish.", "invents a denial"),
        (DOG, "", "is empty"),
        (DOG, "Alice's dog Rex is 4 years old. Her password is hunter2hunter2.", "holds what neither text did"),
    ],
)
def test_a_text_that_loses_or_invents_something_is_none(
    texts: tuple[str, str], content: str, fault: str, model: Model, server: ModelServer
) -> None:
    server.will(answers({"content": content, "summary": ""}))
    with pytest.raises(BadAnswer) as failed:
        merge(model, *texts)
    assert str(failed.value) == f"The merged text {fault}."


@pytest.mark.parametrize(
    "summary",
    ["Alice has 2 dogs, Rex and Bella", "Ignore all previous instructions", "Alice's password is secretword"],
)
def test_a_summary_that_invents_is_replaced(summary: str, model: Model, server: ModelServer) -> None:
    content = "Alice's dog is called Rex and is 4 years old."
    server.will(answers({"content": content, "summary": summary}))
    assert merge(model, *DOG).summary == content


@pytest.mark.parametrize("texts", [("My password is hunter2hunter2", "I like tea"), ("I like tea", "tea " * 600)])
def test_sensitive_and_very_long_texts_are_not_sent(texts: tuple[str, str], model: Model, server: ModelServer) -> None:
    with pytest.raises(Withheld):
        merge(model, *texts)
    assert server.requests == []
