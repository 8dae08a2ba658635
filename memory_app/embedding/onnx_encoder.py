"""A prepared model run by onnxruntime and `tokenizers`: no torch, a tenth of the start, a fifth of the memory.

Which texts go through the model together.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from memory_app.embedding.model_files import GRAPH_FILE, INT8_GRAPH_FILE, TOKENIZER_FILE, ModelSpec
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors, to_unit_length

# More threads gain nothing on a sentence of 20 tokens, and would take the cores from other requests.
MAX_THREADS = 4
# Texts tokenised at once: enough to sort by length, few enough that their tokens stay small in memory.
TOKENISE_BATCH = 512


class OnnxEncoder(Encoder):
    """Vectors from a graph that holds the whole model: transformer, pooling, any dense layer and normalisation.

    Queries may have a graph of their own, whose vectors are compared with those of documents all the same.
    """

    def __init__(self, model_spec: ModelSpec, session: Any, tokenizer: Tokenizer, query_session: Any = None) -> None:
        self._model_spec, self._session, self._tokenizer = model_spec, session, tokenizer
        self._query_session = query_session or session
        self._inputs = {node.name for node in session.get_inputs()}
        self._max_tokens = model_spec.max_tokens - tokenizer.num_special_tokens_to_add(False)
        self._window = self._max_tokens - len(self.token_spans(model_spec.document_prompt))

    @classmethod
    def load(cls, folder: Path, model_spec: ModelSpec, *, int8_queries: bool = False) -> Self:
        """int8_queries: whether queries use weights of 8 bits, where the model's files have them."""
        queries = _session(folder / INT8_GRAPH_FILE) if int8_queries and INT8_GRAPH_FILE in model_spec.files else None
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        return cls(model_spec, _session(folder / GRAPH_FILE), tokenizer, queries)

    @property
    def name(self) -> str:
        return self._model_spec.name

    @property
    def dimensions(self) -> int:
        return self._model_spec.dimensions

    @property
    def window(self) -> int:
        return self._window

    def documents(self, texts: Sequence[str]) -> Vectors:
        """What exceeds the window is not read: `served` gives long texts in pieces."""
        return self._encode(texts, self._model_spec.document_prompt, self._session)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode(texts, self._model_spec.query_prompt, self._query_session)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self._tokenizer.encode(text, add_special_tokens=False).offsets

    def _encode(self, texts: Sequence[str], prompt: str, session: Any) -> Vectors:
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), TOKENISE_BATCH):
            encodings = self._tokenise([prompt + text for text in texts[start : start + TOKENISE_BATCH]])
            for batch in batches([len(tokens) for tokens in encodings]):
                rows[[start + index for index in batch]] = self._run([encodings[index] for index in batch], session)
        return to_unit_length(rows, self.dimensions)

    def _tokenise(self, texts: list[str]) -> list[Encoding]:
        """Truncated first and framed by special tokens after, as the tokenizer itself would; but it keeps no state."""
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        for encoding in encodings:
            encoding.truncate(self._max_tokens)
        return [self._tokenizer.post_process(encoding) for encoding in encodings]

    def _run(self, encodings: list[Encoding], session: Any) -> NDArray[np.float32]:
        shape = (len(encodings), max(len(encoding) for encoding in encodings))
        feed = {
            "input_ids": np.full(shape, self._model_spec.pad_id, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
        }
        for row, encoding in enumerate(encodings):
            feed["input_ids"][row, : len(encoding)] = encoding.ids
            feed["attention_mask"][row, : len(encoding)] = 1
            feed["token_type_ids"][row, : len(encoding)] = encoding.type_ids
        vectors: NDArray[np.float32] = session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
        return vectors


def _session(graph: Path) -> Any:
    return onnxruntime.InferenceSession(str(graph), _session_options(), providers=["CPUExecutionProvider"])


def _session_options() -> Any:
    """On two cores, two threads without spinning: as quick as one under load, and twice as quick in batches.

    Spinning threads answered a lone query 20 % sooner, and took more than twice the processor from everyone else.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(MAX_THREADS, len(os.sched_getaffinity(0)))
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


# Padded tokens a batch may hold. Measured on two cores over 2,048 turns of 32 tokens: 8.9 s of processor and 80 MB more
# at 512, as quick as 256; 10.3 s and 150 MB at 2,048; 12.7 s and 260 MB at 4,096 (what is batched leaves the caches).
TOKENS_PER_BATCH = 512


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
