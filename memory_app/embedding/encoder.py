"""The encoder of this process: loaded at first use, once, and never carried over a fork.

Leaves to `prepare` the making of what is loaded, and to `protocol` what an encoder can do.
"""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from django.conf import settings

from memory_app.embedding.onnx_encoder import OnnxEncoder
from memory_app.embedding.prepare import prepare
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.served import ServedEncoder
from memory_app.embedding.source import source

__all__ = ["Encoder", "current", "expected_name", "load", "using"]


class _Process:
    """What this process has loaded. `abandoned` keeps a parent's encoder from being torn down in a forked child."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.encoder: Encoder | None = None
        self.abandoned: list[Encoder] = []

    def forked(self) -> None:
        """In a child the runtime's threads do not exist: start anew, and leave the parent's session untouched."""
        self.lock = Lock()
        if self.encoder is not None:
            self.abandoned.append(self.encoder)
            self.encoder = None


_process = _Process()
os.register_at_fork(after_in_child=_process.forked)


def current() -> Encoder:
    """The configured model, ready to encode, with a cache of query vectors. Loads (and prepares) it at first use."""
    if _process.encoder is None:
        with _process.lock:
            if _process.encoder is None:
                _process.encoder = load(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA)
    return _process.encoder


def expected_name() -> str:
    """The name that rows of the configured model carry. Loads nothing: milliseconds."""
    encoder = _process.encoder
    return encoder.name if encoder is not None else source(settings.KEEPSAKE_EMBEDDING_MODEL).name


def load(setting: str, data: Path) -> Encoder:
    """The model that the setting means, with its cache: a fresh one at each call."""
    folder, recipe = prepare(setting, data)
    if recipe.runtime == "onnx":
        return ServedEncoder(OnnxEncoder.load(folder, recipe))
    # Imported by name and only here: it brings torch, which a process that serves ONNX must never pay for.
    torch_encoder = importlib.import_module("memory_app.embedding.torch_encoder")
    return ServedEncoder(torch_encoder.TorchEncoder.load(folder, recipe))


@contextmanager
def using(encoder: Encoder) -> Iterator[Encoder]:
    """Within the block, `current()` and `expected_name()` are this encoder's: for tests and measurements."""
    before, _process.encoder = _process.encoder, encoder
    try:
        yield encoder
    finally:
        _process.encoder = before
