"""Names and numbers that a model added are found out."""

import pytest

from memory_app.llm.checks import invented_parts


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Alice has one daughter, Mia.", ["My daughter Mia is great", "Alice"]),
        ("Alice moved to Berlin on 13 November 2026 at 18:00.", ["we moved to berlin last Friday", "Alice"]),
        ("Alice has two cats.", ["I've 2 cats", "Alice"]),
        ("Alice's sister lives in Rome.", ["my sister lives in Rome", "Alice"]),
    ],
)
def test_what_was_said_in_any_form_is_not_invented(text: str, sources: list[str]) -> None:
    assert invented_parts(text, sources) == set()


@pytest.mark.parametrize(
    ("text", "sources", "added"),
    [
        ("Alice works at Google.", ["I work there", "Alice"], {"google"}),
        ("Alice owes 500 euros.", ["I owe 50 euros", "Alice"], {"500"}),
        ("Bob lives in Rome.", ["I live in Rome", "Alice"], {"bob"}),
    ],
)
def test_what_was_not_said_is(text: str, sources: list[str], added: set[str]) -> None:
    assert invented_parts(text, sources) == added
