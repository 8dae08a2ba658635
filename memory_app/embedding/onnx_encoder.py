"""A prepared model run by onnxruntime and `tokenizers`: no torch, a tenth of the start, a fifth of the memory."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from memory_app.embedding.batches import batches
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.recipe import GRAPH, TOKENIZER, Recipe
from memory_app.embedding.vectors import Vectors, unit

# More threads gain nothing on a sentence of 20 tokens, and would take the cores from other requests.
MOST_THREADS = 4
# Texts tokenised at once: enough to sort by length, few enough that their tokens stay small in memory.
SLAB = 512


class OnnxEncoder(Encoder):
    """Vectors from a graph that holds the whole model: transformer, pooling, any dense layer and normalisation."""

    def __init__(self, recipe: Recipe, session: Any, tokenizer: Tokenizer) -> None:
        self._recipe, self._session, self._tokenizer = recipe, session, tokenizer
        self._inputs = {node.name for node in session.get_inputs()}
        self._room = recipe.max_tokens - tokenizer.num_special_tokens_to_add(False)
        self._window = self._room - len(self.token_spans(recipe.document_prompt))

    @classmethod
    def load(cls, folder: Path, recipe: Recipe) -> Self:
        session = onnxruntime.InferenceSession(
            str(folder / GRAPH), _session_options(), providers=["CPUExecutionProvider"]
        )
        return cls(recipe, session, Tokenizer.from_file(str(folder / TOKENIZER)))

    @property
    def name(self) -> str:
        return self._recipe.name

    @property
    def dimensions(self) -> int:
        return self._recipe.dimensions

    @property
    def window(self) -> int:
        return self._window

    def documents(self, texts: Sequence[str]) -> Vectors:
        """What exceeds the window is not read: `served` gives long texts in pieces."""
        return self._encode(texts, self._recipe.document_prompt)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode(texts, self._recipe.query_prompt)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self._tokenizer.encode(text, add_special_tokens=False).offsets

    def _encode(self, texts: Sequence[str], prompt: str) -> Vectors:
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), SLAB):
            slab = self._tokenise([prompt + text for text in texts[start : start + SLAB]])
            for batch in batches([len(tokens) for tokens in slab]):
                rows[[start + index for index in batch]] = self._run([slab[index] for index in batch])
        return unit(rows, self.dimensions)

    def _tokenise(self, texts: list[str]) -> list[Encoding]:
        """Truncated first and framed by special tokens after, as the tokenizer itself would; but it keeps no state."""
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        for encoding in encodings:
            encoding.truncate(self._room)
        return [self._tokenizer.post_process(encoding) for encoding in encodings]

    def _run(self, encodings: list[Encoding]) -> NDArray[np.float32]:
        shape = (len(encodings), max(len(encoding) for encoding in encodings))
        feed = {
            "input_ids": np.full(shape, self._recipe.pad_id, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
        }
        for row, encoding in enumerate(encodings):
            feed["input_ids"][row, : len(encoding)] = encoding.ids
            feed["attention_mask"][row, : len(encoding)] = 1
            feed["token_type_ids"][row, : len(encoding)] = encoding.type_ids
        vectors: NDArray[np.float32] = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
        return vectors


def _session_options() -> Any:
    """On two cores, two threads without spinning: as quick as one under load, and twice as quick in batches.

    Spinning threads answered a lone query 20 % sooner, and took more than twice the processor from everyone else.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(MOST_THREADS, len(os.sched_getaffinity(0)))
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
