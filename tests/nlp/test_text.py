"""Texts and names are equal, split and shortened as a reader would."""

import pytest

from memory_app.nlp.text import jaccard, normalised, sentences, shortened, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café, no. 5!", "cafe no 5"),
        ("  The   BLUE\ttile. ", "the blue tile"),
        ("don’t", "dont"),
        ("don't", "dont"),
        ("Straße", "strasse"),
        ("Ｆｕｌｌ width", "full width"),
        ("I like C++", "i like c++"),
        ("I like C", "i like c"),
        ("C#", "c#"),
        ("1,000.50 at 5:30", "1000.50 at 5:30"),
        ("it is -5 outside", "it is -5 outside"),
        ("well-known", "well known"),
        ("👍 PostgreSQL", "👍 postgresql"),
        ("नमस्ते", "नमस्ते"),
        ("ガラス", "ガラス"),
        ("!?", "!?"),
        ("", ""),
        ("a\ud800b", "a b"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_texts_that_say_the_same_fold_to_the_same(text: str, expected: str) -> None:
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We chose the blue tile.", ["we", "chose", "the", "blue", "tile"]),
        ("好きです", ["好", "き", "で", "す"]),
        ("", []),
    ],
)
def test_words_are_those_of_the_folded_text(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("the blue tile", "The blue tile!", 1.0),
        ("the blue tile", "the red tile", 0.5),
        ("tea", "coffee", 0.0),
        ("", "", 1.0),
        ("", "tea", 0.0),
    ],
)
def test_jaccard_is_the_share_of_common_words(left: str, right: str, expected: float) -> None:
    assert jaccard(left, right) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved. It was hard!", ["I moved.", "It was hard!"]),
        ("Am 3. Dezember reise ich ab. Ja.", ["Am 3. Dezember reise ich ab.", "Ja."]),
        ("She is 3. He is 5.", ["She is 3.", "He is 5."]),
        ("Dr. Lee came. He left.", ["Dr. Lee came.", "He left."]),
        ("It costs 3.50 now. Fine.", ["It costs 3.50 now.", "Fine."]),
        ("I live in the U.S. now. Ok?", ["I live in the U.S. now.", "Ok?"]),
        ('He said "Go." She left.', ['He said "Go."', "She left."]),
        ("- tea\n- milk", ["- tea", "- milk"]),
        ("好きです。猫も。", ["好きです。", "猫も。"]),
        ("I said no. Then I left.", ["I said no.", "Then I left."]),
        ("Room no. 5 is mine. I like the sun. It is warm.", ["Room no. 5 is mine.", "I like the sun.", "It is warm."]),
        ("i moved to berlin. it was hard.", ["i moved to berlin.", "it was hard."]),
        ("at 3 p.m. we left, e.g. by bus", ["at 3 p.m. we left, e.g. by bus"]),
        ("Wait... what?", ["Wait... what?"]),
        ("no end", ["no end"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("hello world, again", 13, "hello world…"),
        ("a" * 30, 10, "aaaaaaaaa…"),
        ("two\nlines", 20, "two lines"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_a_shortened_text_ends_after_a_whole_word(text: str, limit: int, expected: str) -> None:
    assert shortened(text, limit) == expected
