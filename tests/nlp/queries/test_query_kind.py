"""What is asked of one's own life, what of something else, and what an assistant is told to do."""

import pytest

from memory_app.nlp.queries.query_kind import asked_topic, query_kind, spoken_answer


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


@pytest.mark.parametrize(
    ("query", "about"),
    [
        ("What do you remember about Anna?", "Anna"),
        ("Barnabee, what do you know about the blue tile?", "the blue tile"),
        ("do you remember anything about our holidays?", "our holidays"),
        ("Could you tell me what you remember about Bob, please?", "Bob"),
        ("tell me everything you know about the kitchen", "the kitchen"),
        ("Tell me everything about Anna", "Anna"),
        ("show me all there is about the move to Lisbon", "the move to Lisbon"),
        ("What have I told you about my sister?", "my sister"),
        ("do you have any memories of Lisbon", "Lisbon"),
        ("what do you remember about me?", ""),
        ("What do you remember?", ""),
        ("what memories do you have", ""),
        ("What did I say about the tile?", "the tile"),
        ("what did I tell you about Anna?", "Anna"),
        ("what did I ask you to remember about Anna?", "Anna"),
        ("can you remind me what I told you about Anna?", "Anna"),
        ("look up what I said about Anna", "Anna"),
        ("show me my memories about Anna", "Anna"),
        ("search your memory for Anna", "Anna"),
        ("what do you have on Anna?", "Anna"),
        ("anything about Anna?", "Anna"),
        ("what's in your memory about Anna?", "Anna"),
        ("Which tile did we choose?", None),
        ("Do you remember Anna?", "Anna"),
        ("do you remember me?", ""),
        ("Do you remember what tile we chose?", None),
        ("Do you remember that film?", None),
        ("Do you remember I like tea?", None),
        ("What do you remember about " + "x" * 300, None),
        ("tell me about Lisbon", None),
        ("what did Bob say about the tile?", None),
        ("find my memory stick", None),
        ("What did I say?", None),
        ("remember that I like tea", None),
        ("", None),
    ],
)
def test_what_is_asked_about_is_read_from_the_question(query: str, about: str | None) -> None:
    assert asked_topic(query) == about


def test_one_memory_is_told_whole_and_several_are_counted() -> None:
    memories = [(f"summary {number}", f"content {number}") for number in range(1, 6)]
    assert spoken_answer([]) == "I don't have any memories about that."
    assert spoken_answer(memories[:1]) == "content 1"
    assert spoken_answer(memories[:3]) == "I remember 3 things about that: 1. summary 1 2. summary 2 3. summary 3"
    assert spoken_answer(memories) == (
        "I remember 5 things about that: 1. summary 1 2. summary 2 3. summary 3 ...and 2 more."
    )
