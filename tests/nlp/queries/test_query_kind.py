"""What is asked of one's own life, what of something else, and what an assistant is told to do."""

import pytest

from memory_app.nlp.queries.query_kind import query_kind


@pytest.mark.parametrize(
    ("query", "language", "kind"),
    [
        ("Where do I live?", "english", "personal"),
        ("how do we usually heat the house", "english", "personal"),
        ("How do I get to work?", "english", "personal"),
        ("Draft a letter to my landlord", "english", "personal"),
        ("How do I drive a truck?", "english", "order"),
        ("how to bake a cake", "english", "order"),
        ("Should I bring an umbrella?", "english", "order"),
        ("Out of which wood is the mast?", "english", "other"),
        ("kitchen tile", "english", "other"),
        ("Translate good morning into Croatian", "english", "order"),
        ("give me five names for a boat", "english", "order"),
        ("Wo wohne ich?", "german", "personal"),
        ("Übersetze das ins Englische", "german", "other"),
        ("où habitent mes parents ?", "french", "personal"),
        ("", "english", "other"),
    ],
)
def test_a_query_is_of_a_kind(query: str, language: str, kind: str) -> None:
    assert query_kind(query, language) == kind
