"""The encoder of this process: loaded at first use, once, and never carried over a fork."""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from django.conf import settings

from memory_app.embedding.cached_encoder import CachedEncoder
from memory_app.embedding.model_files import model_source, prepare_model
from memory_app.embedding.protocol import Encoder

__all__ = ["Encoder", "current_encoder", "current_model_name", "load_encoder", "use_encoder"]


class _ProcessEncoder:
    """What this process has loaded. `abandoned` keeps a parent's encoder from being torn down in a forked child."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.encoder: Encoder | None = None
        self.abandoned: list[Encoder] = []

    def reset_after_fork(self) -> None:
        """In a child the runtime's threads do not exist: start anew, and leave the parent's session untouched."""
        self.lock = Lock()
        if self.encoder is not None:
            self.abandoned.append(self.encoder)
            self.encoder = None


_process = _ProcessEncoder()
os.register_at_fork(after_in_child=_process.reset_after_fork)


def current_encoder() -> Encoder:
    """The configured model, ready to encode, with a cache of query vectors. Loads (and prepares) it at first use."""
    if _process.encoder is None:
        with _process.lock:
            if _process.encoder is None:
                _process.encoder = load_encoder(
                    settings.KEEPSAKE_EMBEDDING_MODEL,
                    settings.KEEPSAKE_DATA,
                    int8_queries=settings.KEEPSAKE_QUERY_INT8,
                )
    return _process.encoder


def current_model_name() -> str:
    """The name that rows of the configured model carry. Loads nothing: milliseconds."""
    encoder = _process.encoder
    return encoder.name if encoder is not None else model_source(settings.KEEPSAKE_EMBEDDING_MODEL).name


def load_encoder(setting: str, data: Path, *, int8_queries: bool = False) -> Encoder:
    """The model that the setting means, with its cache: a fresh one at each call.

    int8_queries: whether queries use weights of 8 bits, where these were found to give nearly the same vectors. What is
    stored never does.
    """
    folder, model_spec = prepare_model(setting, data)
    # Imported by name and only here: no process loads a runtime that it does not use.
    if model_spec.runtime == "onnx":
        onnx_encoder = importlib.import_module("memory_app.embedding.onnx_encoder")
        return CachedEncoder(onnx_encoder.OnnxEncoder.load(folder, model_spec, int8_queries=int8_queries))
    torch_encoder = importlib.import_module("memory_app.embedding.torch_encoder")
    return CachedEncoder(torch_encoder.TorchEncoder.load(folder, model_spec))


@contextmanager
def use_encoder(encoder: Encoder) -> Iterator[Encoder]:
    """Within the block, this is the process's encoder: for tests and benchmarks."""
    before, _process.encoder = _process.encoder, encoder
    try:
        yield encoder
    finally:
        _process.encoder = before
