import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer

from memory_app.embedding.cached_encoder import CachedEncoder
from memory_app.embedding.onnx_encoder import OnnxEncoder, batches
from memory_app.embedding.protocol import Encoder

TEXTS = [
    "We decided to go with the blue tile.",
    "Charlie is allergic to peanuts; ask Alice before baking.",
    "",
    "MEIN HUND HEISST BELLO, et ma fille s'appelle Zoé 🐶",
    "会議は来週の火曜日です。",
    "tea " * 100,
    "Bob moved to Lisbon in March. " * 30,
]


@pytest.fixture
def runtime(packaged: Encoder) -> Encoder:
    assert isinstance(packaged, CachedEncoder)
    assert isinstance(packaged.runtime, OnnxEncoder)
    return packaged.runtime


def test_vectors_are_those_of_sentence_transformers(runtime: Encoder, reference: SentenceTransformer) -> None:
    expected = reference.encode(TEXTS)
    for found in (runtime.documents(TEXTS), runtime.queries(TEXTS)):
        assert ((found * expected).sum(axis=1) > 0.9999).all()


def test_a_text_has_the_same_vector_alone_and_among_others(runtime: Encoder) -> None:
    together = runtime.documents(TEXTS * 20)
    alone = np.vstack([runtime.documents([text]) for text in TEXTS])
    assert np.allclose(together, np.tile(alone, (20, 1)), atol=1e-4)


def test_vectors_are_float32_of_unit_length(packaged: Encoder) -> None:
    rows = packaged.documents(TEXTS)
    assert rows.shape == (7, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert packaged.query("tea?").shape == (384,)


def test_no_texts_have_no_vectors(packaged: Encoder) -> None:
    assert packaged.documents([]).shape == (0, 384)
    assert packaged.queries([]).shape == (0, 384)


def test_the_nearest_document_answers_the_question(packaged: Encoder) -> None:
    scores = packaged.documents(TEXTS) @ packaged.query("which tile did we choose?")
    assert TEXTS[int(scores.argmax())] == "We decided to go with the blue tile."


def test_the_end_of_a_long_document_counts(packaged: Encoder) -> None:
    weather = "It rained all day and the wind blew from the west. " * 30
    rows = packaged.documents([weather, weather + "Alice bought a red bicycle. " * 30])
    near = rows @ packaged.query("Who bought a bicycle?")
    assert near[1] > near[0] + 0.15


def test_tokens_are_the_models_own(packaged: Encoder) -> None:
    assert packaged.count_tokens("gobbledygook tiles") == 6  # go ##bble ##dy ##go ##ok tiles
    assert packaged.count_tokens("") == 0
    assert packaged.count_tokens("tea " * 1000) == 1000
    assert packaged.cut("gobbledygook tiles are blue", 6) == "gobbledygook tiles"


def test_the_window_leaves_room_for_special_tokens(packaged: Encoder) -> None:
    assert packaged.window == 254


def test_texts_of_like_length_go_together_within_the_tokens() -> None:
    assert list(batches([9, 2, 10, 3, 3], tokens=20)) == [[1, 3, 4], [0, 2]]


def test_a_text_longer_than_the_tokens_goes_alone() -> None:
    assert list(batches([50, 1, 60], tokens=20)) == [[1], [0], [2]]


def test_no_texts_make_no_batch() -> None:
    assert list(batches([])) == []


@given(st.lists(st.integers(0, 300)), st.integers(1, 2000))
def test_every_text_is_in_one_batch(lengths: list[int], tokens: int) -> None:
    found = list(batches(lengths, tokens))
    assert sorted(index for batch in found for index in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= tokens for batch in found)
