import numpy as np

from memory_app.embedding.cached_encoder import MAX_CACHED_TEXT, VectorCache

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
