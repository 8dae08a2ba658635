"""Put a model's files in place, whole or not at all: `python -m memory_app.embedding.export SETTING DATA`.

Runs as a process of its own (see `prepare`), for it brings torch; no other module imports it. Leaves to `trace` what
the files are.

A model's files as `recipe` wants them: its graph and weights as ONNX, when that gives the same vectors.

Imports torch, and so is imported by `export` alone, in a process of its own.

Whether two encoders give the same vectors, on texts chosen to tell wrong ones apart.
"""

import fcntl
import os
import shutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from timeit import timeit
from typing import Any

import numpy as np
import onnx
import torch
from sentence_transformers import SentenceTransformer

from memory_app.embedding.int8_graph import write_int8_graph
from memory_app.embedding.model_files import (
    FORMAT,
    GRAPH_FILE,
    INT8_GRAPH_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    ModelSource,
    ModelSpec,
    model_folder,
    model_source,
    verify_weights,
)
from memory_app.embedding.onnx_encoder import OnnxEncoder
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.torch_encoder import TorchEncoder


def export_model(setting: str, data: Path) -> Path:
    """The folder of the model, made if it is not there. Safe to run twice at once, and to be killed at any point."""
    model = model_source(setting)
    folder = model_folder(model.name, data)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_name(folder.name + ".lock")):
        if ModelSpec.read(folder) is None:
            partial = folder.with_name(folder.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)  # left by one that was killed: we hold the lock
            shutil.rmtree(folder, ignore_errors=True)  # not whole, or it would have been read
            partial.mkdir()
            write_model_files(model, partial)
            _flush(partial)
            partial.rename(folder)
            _flush_folder(folder.parent)
        for earlier in range(1, FORMAT):  # of versions before this one
            shutil.rmtree(folder.with_suffix(f".{earlier}"), ignore_errors=True)
            folder.with_suffix(f".{earlier}.lock").unlink(missing_ok=True)
    return folder


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Held by one process at a time; the kernel lets go of it when the holder dies."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _flush(folder: Path) -> None:
    """On disk before the rename is: after a power cut a folder under its final name is whole."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    _flush_folder(folder)


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


# The first with LayerNormalization as one operator, which onnxruntime runs quicker than its parts.
OPSET = 17
# Modules that tracing carries into the graph whole. Others (routers, bags of words …) keep sentence-transformers.
TRACEABLE = {"Transformer", "Pooling", "Dense", "LayerNorm", "Normalize", "Dropout"}
# Tensors below this many bytes stay in the graph; the rest is mapped from a file, and shared between processes.
SMALL_TENSOR = 1024
SAMPLE = ["A short text.", "A text that is longer, so that the shorter one is padded."]


class NotExportable(Exception):
    """A model that the exported form cannot stand for; sentence-transformers goes on serving it."""


def write_model_files(model: ModelSource, folder: Path) -> None:
    """Everything that a prepared model consists of, the recipe last."""
    verify_weights(model)
    loaded = SentenceTransformer(model.reference, device="cpu").eval()
    tokenizer = _save_tokenizer(loaded, folder)
    model_spec = ModelSpec(
        name=model.name,
        reference=model.reference,
        runtime="sentence-transformers",
        dimensions=_dimensions(loaded),
        max_tokens=loaded.max_seq_length or tokenizer.model_max_length,
        pad_id=tokenizer.pad_token_id or 0,
        query_prompt=_prompt(loaded, "query"),
        document_prompt=_prompt(loaded, "document", "passage", "corpus"),
        files={TOKENIZER_FILE: (folder / TOKENIZER_FILE).stat().st_size},
    )
    _as_onnx(loaded, folder, model_spec).write(folder)


def _as_onnx(loaded: SentenceTransformer, folder: Path, model_spec: ModelSpec) -> ModelSpec:
    """The recipe for ONNX when that gives the same vectors; else the given one, with the reason."""
    try:
        _check_exportable(loaded)
        _trace(loaded, folder)
        files = model_spec.files | {file: (folder / file).stat().st_size for file in (GRAPH_FILE, WEIGHTS_FILE)}
        candidate = replace(model_spec, runtime="onnx", files=files)
        reference = TorchEncoder.load(folder, model_spec)
        reason = find_disagreement(reference, OnnxEncoder.load(folder, candidate))
    except (OSError, MemoryError):
        raise  # of the machine, not of the model: the next attempt may succeed
    except Exception as error:  # any failure of exporter or runtime has the same answer, told in the recipe
        reason = f"{type(error).__name__}: {error}"[:300]
    if reason is None:
        return _with_int8_queries(folder, candidate)
    for file in (GRAPH_FILE, WEIGHTS_FILE):
        (folder / file).unlink(missing_ok=True)
    return replace(model_spec, reason=reason)


def _with_int8_queries(folder: Path, model_spec: ModelSpec) -> ModelSpec:
    """The recipe with a graph in 8 bits beside the other, where that is near enough and no slower; else the reason."""
    try:
        write_int8_graph(folder)
        size = (folder / INT8_GRAPH_FILE).stat().st_size
        candidate = replace(model_spec, files=model_spec.files | {INT8_GRAPH_FILE: size})
        exact, int8 = (OnnxEncoder.load(folder, candidate, int8_queries=int8) for int8 in (False, True))
        reason = find_disagreement(exact, int8, kinds=("queries",), min_cosine=MIN_INT8_COSINE)
        reason = reason or find_slowness(exact, int8)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # as above: the recipe tells
        reason = f"{type(error).__name__}: {error}"[:300]
    if reason is None:
        return candidate
    (folder / INT8_GRAPH_FILE).unlink(missing_ok=True)
    return replace(model_spec, int8_reason=reason)


def _check_exportable(loaded: SentenceTransformer) -> None:
    others = [type(module).__name__ for module in loaded if type(module).__name__ not in TRACEABLE]
    if others:
        raise NotExportable(f"modules {', '.join(others)}")
    if loaded.tokenizer.padding_side != "right":
        raise NotExportable("it pads on the left")


class _Graph(torch.nn.Module):
    """The whole model, from token ids to sentence vectors, as a function of plain tensors."""

    def __init__(self, model: SentenceTransformer, inputs: list[str]) -> None:
        super().__init__()
        self.model, self.inputs = model, inputs

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        vectors: torch.Tensor = self.model(dict(zip(self.inputs, tensors, strict=True)))["sentence_embedding"]
        return vectors[:, : self.model.truncate_dim]


def _trace(loaded: SentenceTransformer, folder: Path) -> None:
    sample = loaded.tokenizer(SAMPLE, padding=True, return_tensors="pt")
    inputs = list(sample)
    axes = {name: {0: "texts", 1: "tokens"} for name in inputs} | {"vectors": {0: "texts"}}
    whole = folder / "whole.onnx"
    with torch.no_grad():
        torch.onnx.export(
            _Graph(loaded, inputs), tuple(sample[name] for name in inputs), str(whole), dynamo=False,
            input_names=inputs, output_names=["vectors"], dynamic_axes=axes, opset_version=OPSET,
        )  # fmt: skip
    onnx.save_model(
        onnx.load(whole),
        folder / GRAPH_FILE,
        save_as_external_data=True,
        location=WEIGHTS_FILE,
        size_threshold=SMALL_TENSOR,
    )
    whole.unlink()


def _save_tokenizer(loaded: SentenceTransformer, folder: Path) -> Any:
    """The fast tokenizer's file, without the padding and truncation that it was last used with."""
    tokenizer = loaded.tokenizer
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is None:
        raise NotExportable(f"its tokenizer, {type(tokenizer).__name__}, has no fast form to count tokens with")
    fast.no_padding()
    fast.no_truncation()
    fast.save(str(folder / TOKENIZER_FILE))
    return tokenizer


def _dimensions(loaded: SentenceTransformer) -> int:
    dimensions = loaded.truncate_dim or loaded.get_embedding_dimension()
    if dimensions is None:
        raise NotExportable("it does not say how many dimensions its vectors have")
    return dimensions


def _prompt(loaded: SentenceTransformer, *names: str) -> str:
    """The first prompt of these names, as sentence-transformers chooses it."""
    return next((loaded.prompts[name] for name in names if name in loaded.prompts), None) or ""


# float32 sums in another order differ in the seventh digit; a wrong pooling, mask or prompt in the second.
MIN_COSINE = 0.9999
# Weights of 8 bits give .998 on the worst of these texts; a kernel that overflows far less.
MIN_INT8_COSINE = 0.99
# Where a processor lacks the instructions, products in 8 bits take four times as long; where it has them, two thirds.
MAX_INT8_TIME, TIMED_ROUNDS = 1.5, 7
_PARAGRAPH = "We walked along the river, and she told me about the blue tile, the new kitchen and the long winter. "
TEST_TEXTS = (
    "Which tile did we choose?",
    "",
    " ",
    "?",
    "a",
    "UPPER CASE, lower case, Ünïcödé and naïve façades",
    "Das Mädchen isst Äpfel. La réunion est à 9 h. ¿Dónde está la biblioteca?",
    "日本語の短い文です。今日は天気がいい。",
    "Это длинное предложение о погоде, доме и саде. " * 3,
    "مرحبا بالعالم 🙂👍🏽 \u200b\n\ttabs and\r\nlines",
    "word " * 200,
    _PARAGRAPH * 40,
    "x" * 5000,
)


def find_disagreement(
    reference: Encoder,
    candidate: Encoder,
    *,
    kinds: Sequence[str] = ("documents", "queries"),
    min_cosine: float = MIN_COSINE,
) -> str | None:
    """Where the candidate's vectors differ from the reference's, or None: each text alone, and all as one batch."""
    for kind in kinds:
        expected = getattr(reference, kind)(TEST_TEXTS)
        batched = getattr(candidate, kind)(TEST_TEXTS)
        alone = np.vstack([getattr(candidate, kind)([text]) for text in TEST_TEXTS])
        for how, found in (("in a batch", batched), ("alone", alone)):
            if found.shape != expected.shape:
                return f"{kind} {how}: shape {found.shape}, not {expected.shape}"
            cosines = (found * expected).sum(axis=1)
            worst = int(np.argmin(cosines))
            if cosines[worst] < min_cosine:
                return f"{kind} {how}: cosine {cosines[worst]:.4f} on {TEST_TEXTS[worst][:40]!r}"
    return None


def find_slowness(reference: Encoder, candidate: Encoder) -> str | None:
    """Why the candidate is no gain on a query, or None: the best time of each counts, for others use the machine."""
    query = TEST_TEXTS[:1]
    times = [[timeit(partial(encoder.queries, query), number=1) for encoder in (reference, candidate)]
             for _ in range(TIMED_ROUNDS)]  # fmt: skip
    usual, found = (min(column) for column in zip(*times, strict=True))
    return f"it takes {found / usual:.1f} times as long" if found > usual * MAX_INT8_TIME else None


def main(setting: str, data: str) -> int:
    warnings.simplefilter("ignore")  # torch's tracer warns of its own retirement and of each constant it folds
    try:
        export_model(setting, Path(data))
    except Exception as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
