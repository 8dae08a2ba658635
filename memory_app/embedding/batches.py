"""Which texts go through the model together."""

from collections.abc import Iterator, Sequence

# Padded tokens a batch may hold. Texts of like length waste little padding, and small batches stay in the cache
# and keep the memory of attention (12 heads x n x 256 x 256 floats) low.
TOKENS_PER_BATCH = 1024


def batches(lengths: Sequence[int], tokens: int = TOKENS_PER_BATCH) -> Iterator[list[int]]:
    """Indices of texts, shortest first: count x longest of a batch is within `tokens`, or it holds one text."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
