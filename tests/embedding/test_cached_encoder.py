import numpy as np
import pytest

from memory_app.embedding.cached_encoder import MAX_CACHED_TEXT, CachedEncoder, VectorCache
from tests.embedding.word_encoder import WordEncoder


def test_the_same_query_is_encoded_once() -> None:
    words = WordEncoder()
    encoder = CachedEncoder(words)
    assert encoder.query("alice").tolist() == encoder.query("alice").tolist() == [1.0, 0.0, 0.0, 0.0]
    assert words.asked == ["alice"]


def test_several_queries_keep_their_order_and_only_new_ones_are_encoded() -> None:
    words = WordEncoder()
    encoder = CachedEncoder(words)
    encoder.query("bob")
    rows = encoder.queries(["charlie", "bob", "alice", "charlie"])
    assert rows.tolist() == [[0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]]
    assert words.asked == ["bob", "charlie", "alice"]


def test_more_queries_at_once_than_the_cache_holds_are_all_answered() -> None:
    encoder = CachedEncoder(WordEncoder(), VectorCache(max_size=1))
    assert encoder.queries(["alice", "bob", "charlie"]).argmax(axis=1).tolist() == [0, 1, 2]


def test_what_is_kept_cannot_be_changed_by_a_caller() -> None:
    encoder = CachedEncoder(WordEncoder())
    with pytest.raises(ValueError, match="read-only"):
        encoder.query("alice")[0] = 7
    rows = encoder.queries(["alice"])
    rows[0, 0] = 7
    assert encoder.query("alice").tolist() == [1.0, 0.0, 0.0, 0.0]


def test_documents_are_never_taken_for_queries() -> None:
    words = WordEncoder()
    encoder = CachedEncoder(words)
    encoder.query("alice")
    encoder.documents(["alice"])
    assert words.asked == ["alice", "alice"]


def test_a_long_document_counts_whole() -> None:
    rows = CachedEncoder(WordEncoder(window=1)).documents(["a b"])
    assert np.allclose(rows, [[0.5**0.5, 0.5**0.5, 0, 0]])


def test_the_rest_is_the_runtimes_own() -> None:
    encoder = CachedEncoder(WordEncoder(window=9))
    assert (encoder.name, encoder.dimensions, encoder.window) == ("words", 4, 9)
    assert encoder.count_tokens("Alice and Bob") == 3


VECTOR = np.ones(2, dtype=np.float32)


def test_the_cache_keeps_no_more_than_it_may() -> None:
    cache = VectorCache(max_size=3)
    for number in range(10):
        cache.put(f"question {number}", VECTOR)
    assert len(cache) == 3


def test_the_least_recently_asked_is_forgotten_first() -> None:
    cache = VectorCache(max_size=2)
    cache.put("tea?", VECTOR)
    cache.put("tiles?", VECTOR)
    cache.get("tea?")
    cache.put("timer?", VECTOR)
    assert cache.get("tiles?") is None
    assert cache.get("tea?") is VECTOR


def test_pasted_text_is_not_kept() -> None:
    cache = VectorCache()
    cache.put("x" * MAX_CACHED_TEXT, VECTOR)
    cache.put("x" * (MAX_CACHED_TEXT + 1), VECTOR)
    assert len(cache) == 1
