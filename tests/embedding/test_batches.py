from hypothesis import given
from hypothesis import strategies as st

from memory_app.embedding.onnx_encoder import batches


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
