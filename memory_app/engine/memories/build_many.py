"""Build many memories from input: while some are read, the next are encoded."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from memory_app.embedding.cached_encoder import encode_documents_cached
from memory_app.embedding.encoder import Encoder
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, build_memory
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import KeepsakeError
from memory_app.models.ids import new_id
from memory_app.nlp.privacy.sensitive import compare_ahead, compared_pieces

PART = 64
"""Texts encoded while as many are read: few enough that reading begins soon, and enough of one length that little is
padded."""


def build_memories(
    venue_context: VenueContext, inputs: Sequence[MemoryInput], now: datetime, encoder: Encoder
) -> list[MemoryDraft | KeepsakeError]:
    """A draft for each input, or why it may not be kept. See `build_memory`. Their ids are in the order of the inputs.

    The encoder leaves Python to others while it works; the thread is its own, and speaks to no database.
    """
    by_length = sorted(range(len(inputs)), key=lambda index: len(inputs[index].content))
    parts = [by_length[start : start + PART] for start in range(0, len(inputs), PART)]
    contents = [[inputs[index].content.strip() for index in part] for part in parts]
    built: dict[int, MemoryDraft | KeepsakeError] = {}
    with ThreadPoolExecutor(1, thread_name_prefix="encode") as thread:
        encoded = thread.map(lambda part: encode_documents_cached(encoder, compared_pieces(part)), contents)
        for part, texts, _ in zip(parts, contents, encoded, strict=True):
            compare_ahead(texts)
            built |= {index: _build_or_error(venue_context, inputs[index], now) for index in part}
    return _in_order([built[index] for index in range(len(inputs))])


def _in_order(built: list[MemoryDraft | KeepsakeError]) -> list[MemoryDraft | KeepsakeError]:
    """With new ids: of two memories of one moment the one that was given later counts as newer, not the longer one."""
    for draft in built:
        if isinstance(draft, MemoryDraft):
            draft.memory.id = new_id()
    return built


def _build_or_error(
    venue_context: VenueContext, memory_input: MemoryInput, now: datetime
) -> MemoryDraft | KeepsakeError:
    try:
        return build_memory(venue_context, memory_input, now)
    except KeepsakeError as error:
        return error
