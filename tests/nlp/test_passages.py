"""Long texts in passages: nothing lost, nothing twice, none too long."""

import pytest

from memory_app.nlp.passages import MAX_PASSAGE, MAX_PASSAGES, split_passages

SENTENCE = "The blue tile goes into the kitchen, and the green one into the hall. "


@pytest.mark.parametrize(
    "text",
    [
        "Short.",
        SENTENCE * 40,
        "word " * 900,
        "x" * 5000,
        "日本語の短い文です。今日は天気がいい。" * 60,
        "1. tiles\n2. taps\n" * 300,
        "No end " * 30 + "\n\n\n" + SENTENCE * 20,
        SENTENCE * 2000,
    ],
)
def test_the_passages_are_the_text(text: str) -> None:
    assert "".join("".join(split_passages(text)).split()) == "".join(text.split())


def test_a_passage_is_whole_sentences() -> None:
    found = split_passages(SENTENCE * 40)
    assert all(part.startswith("The blue tile") and part.endswith("the hall.") for part in found)
    assert [len(part) for part in found[:2]] == [279, 279]


@pytest.mark.parametrize("text", ["word " * 900, "x" * 4000, "日本語の短い文です。" * 200, SENTENCE * 60])
def test_no_passage_exceeds_its_room(text: str) -> None:
    assert max(map(len, split_passages(text))) <= MAX_PASSAGE


@pytest.mark.parametrize("text", [SENTENCE * 2000, "x" * 400_000, "a b " * 100_000])
def test_the_longest_texts_have_longer_passages(text: str) -> None:
    assert MAX_PASSAGES // 2 <= len(split_passages(text)) <= MAX_PASSAGES


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_nothing_has_one_empty_passage(text: str) -> None:
    assert split_passages(text) == [""]
