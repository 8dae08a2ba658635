"""Texts and names are equal, split and shortened as a reader would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_app.nlp.text import (
    JOINERS,
    jaccard,
    normalised,
    sentences,
    shortened,
    speaker_in,
    without_invisible,
    words,
)


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ab\u202ecd\u202c e\u2066f\u2069", "abcd ef"),
        ("tag\U000e0041\U000e0042s\U000e007f", "tags"),
        ("a\u200bb\u2060c\ufeffd\u00ade\u061cf", "abcdef"),
        ("bell\x07 and null\x00", "bell and null"),
        ("one\u2028two\u0085three", "one\ntwo\nthree"),
        ("a\u200db\u200c\u200cc\ufe0fd", "abcd"),
        ("x\ufe01y\U000e0101z", "xyz"),
    ],
)
def test_what_nobody_sees_is_left_out(text: str, shown: str) -> None:
    assert without_invisible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Lines\nand\ttabs\r\nstay",
        "❤\ufe0f and 👩\u200d🍳, ❤\ufe0f\u200d🔥, 1\ufe0f\u20e3",
        "می\u200cخواهم",
        "שלום, مرحبا",
        "Das Café – „früh“ genug",
    ],
)
def test_what_is_seen_stays(text: str) -> None:
    assert without_invisible(text) == text


@pytest.mark.parametrize("joint", JOINERS)
def test_a_joint_that_joins_nothing_is_left_out(joint: str) -> None:
    assert without_invisible(f"a{joint}b {joint}👩") == "ab 👩"
    assert without_invisible(f"👩{joint}{joint}{joint}🍳").count(joint) <= 1


@given(st.text())
def test_what_is_shown_once_is_shown_so_again(text: str) -> None:
    assert without_invisible(without_invisible(text)) == without_invisible(text)


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("[8 May 2023] Alice: I like tea.", "Alice"),
        ("Mary Ann: I like tea.", "Mary Ann"),
        ("[2023-05-08 10:00] It rained.", ""),
        ("Note: Alice likes tea.", ""),
        ("[8 May 2023] Note: Alice likes tea.", ""),
        ("Reminder: buy tea", ""),
        ("Alice likes tea.", ""),
        ("[laughs] I like tea.", ""),
        ("", ""),
    ],
)
def test_the_speaker_is_the_name_that_leads(text: str, speaker: str) -> None:
    assert speaker_in(text) == speaker
