"""What reads as program code, and what only speaks of it."""

import pytest

from memory_app.nlp.documents.profile_document import is_code


@pytest.mark.parametrize(
    "text",
    [
        "```\nanything\n```",
        "def greet(name):\n    return name",
        "import numpy",
        "from os import path",
        "const total = 3",
        "for (int i = 0; i < 3; i++) {",
        "SELECT name FROM person",
        "print('hi');",
        "items.map((item) => {",
        "#include <stdio.h>",
    ],
)
def test_code_is_code(text: str) -> None:
    assert is_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "Uses Python 3.11, PostgreSQL and pyproject.toml.",
        "Works from home; likes it.",
        "Will return the class notes on Friday.",
        "Prefers const over let in JavaScript.",
        "Selects wine from Portugal.",
        "Imports olives from Greece (the green ones).",
        "If it rains, she walks (really).",
    ],
)
def test_words_about_code_are_none(text: str) -> None:
    assert not is_code(text)
