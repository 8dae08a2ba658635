import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory_app.embedding.chunks import chunks, encode_long_documents
from tests.embedding.word_encoder import WordEncoder


def test_a_text_within_the_window_stays_as_it_is() -> None:
    assert chunks(" Alice likes  tea. ", WordEncoder(window=3)) == [" Alice likes  tea. "]


def test_a_long_text_is_cut_between_sentences() -> None:
    text = "Alice likes blue tiles. Bob does not. Charlie has never seen one."
    assert chunks(text, WordEncoder(window=7)) == [
        "Alice likes blue tiles. Bob does not.",
        "Charlie has never seen one.",
    ]


def test_pieces_are_of_about_the_same_length() -> None:
    text = "One two. Three four. Five six. Seven eight."
    assert chunks(text, WordEncoder(window=7)) == ["One two. Three four.", "Five six. Seven eight."]


def test_a_new_line_and_a_quoted_sentence_are_boundaries() -> None:
    assert chunks("first line here\nsecond line there", WordEncoder(window=4)) == [
        "first line here",
        "second line there",
    ]
    assert chunks("“I did it!” Bob said so.", WordEncoder(window=4)) == ["“I did it!”", "Bob said so."]


def test_a_sentence_longer_than_the_window_is_cut_between_words() -> None:
    assert chunks("a b c d e f g", WordEncoder(window=3)) == ["a b c", "d e", "f g"]


def test_an_empty_text_is_one_empty_piece() -> None:
    assert chunks("", WordEncoder()) == [""]


@given(st.lists(st.sampled_from(["word", "end.", "Why?", "\n", "x!”", "さ。"]), max_size=60), st.integers(1, 9))
def test_no_word_is_lost_and_every_piece_fits(words: list[str], window: int) -> None:
    text = " ".join(words)
    encoder = WordEncoder(window=window)
    pieces = chunks(text, encoder)
    assert " ".join(pieces).split() == text.split()
    assert all(encoder.count_tokens(piece) <= window for piece in pieces)


def test_a_long_document_is_the_mean_of_its_pieces_by_length() -> None:
    encoder = WordEncoder(window=2)
    rows = encode_long_documents(["aa aa bb", "cc"], encoder)
    assert encoder.asked == ["aa aa", "bb", "cc"]
    length = np.sqrt(5**2 + 2**2)  # five characters of a, two of b
    assert np.allclose(rows, [[5 / length, 2 / length, 0, 0], [0, 0, 1, 0]])


def test_no_documents_give_no_vectors() -> None:
    assert encode_long_documents([], WordEncoder()).shape == (0, 4)
