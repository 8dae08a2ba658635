"""A language by its code."""

import pytest

from memory_app.nlp.locales import language_name


@pytest.mark.parametrize(
    ("text", "name"),
    [("de", "german"), ("fr-CA", "french"), ("PT_br", "portuguese"), ("German", "german"), ("klingon", "klingon")],
)
def test_a_language_is_known_by_code_and_by_name(text: str, name: str) -> None:
    assert language_name(text) == name
