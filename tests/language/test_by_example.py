"""The type of a text by its nearest examples, where no rule is sure."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from memory_app.embedding.encoder import Encoder
from memory_app.language.by_example import type_by_example
from memory_app.language.local import understand
from tests.language.labelled_types import LABELLED

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def read(text: str, encoder: Encoder) -> str:
    """As a memory is typed: by rule, else by example."""
    understood = understand(text, at=NOW, timezone=ZoneInfo("UTC"))
    if understood.type_sure:
        return understood.type
    return type_by_example(encoder.documents([text])[0], encoder)


def share_right(half: int, encoder: Encoder) -> float:
    lines = [(kind, line) for kind, text in LABELLED.items() for line in text.strip().splitlines()]
    chosen = [pair for number, pair in enumerate(lines) if number % 2 == half]
    return sum(read(line, encoder) == kind for kind, line in chosen) / len(chosen)


def test_types_are_right_on_the_half_that_nothing_was_tuned_on(real_encoder: Encoder) -> None:
    assert share_right(1, real_encoder) >= 0.9


def test_what_no_rule_knows_takes_the_type_of_what_it_is_like(real_encoder: Encoder) -> None:
    said = {
        "Pine for the shelves it is, not steel": "decision",
        "Aisle seats whenever there is a choice": "preference",
        "The fuse box is in the cupboard by the door": "fact",
        "Greenhouse: walls done, heating still missing": "project",
    }
    assert {text: read(text, real_encoder) for text in said} == said
