"""A model's files as `recipe` wants them: its graph and weights as ONNX, when that gives the same vectors.

Imports torch, and so is imported by `export` alone, in a process of its own.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import onnx
import torch
from sentence_transformers import SentenceTransformer

from memory_app.embedding.agreement import disagreement
from memory_app.embedding.onnx_encoder import OnnxEncoder
from memory_app.embedding.recipe import GRAPH, TOKENIZER, WEIGHTS, Recipe
from memory_app.embedding.source import Source, verify
from memory_app.embedding.torch_encoder import TorchEncoder

# The first with LayerNormalization as one operator, which onnxruntime runs quicker than its parts.
OPSET = 17
# Modules that tracing carries into the graph whole. Others (routers, bags of words …) keep sentence-transformers.
TRACEABLE = {"Transformer", "Pooling", "Dense", "LayerNorm", "Normalize", "Dropout"}
# Tensors below this many bytes stay in the graph; the rest is mapped from a file, and shared between processes.
SMALL_TENSOR = 1024
SAMPLE = ["A short text.", "A text that is longer, so that the shorter one is padded."]


class Inexpressible(Exception):
    """A model that the exported form cannot stand for; sentence-transformers goes on serving it."""


def write(model: Source, folder: Path) -> None:
    """Everything that a prepared model consists of, the recipe last."""
    verify(model)
    loaded = SentenceTransformer(model.reference, device="cpu").eval()
    tokenizer = _save_tokenizer(loaded, folder)
    recipe = Recipe(
        name=model.name,
        reference=model.reference,
        runtime="sentence-transformers",
        dimensions=_dimensions(loaded),
        max_tokens=loaded.max_seq_length or tokenizer.model_max_length,
        pad_id=tokenizer.pad_token_id or 0,
        query_prompt=_prompt(loaded, "query"),
        document_prompt=_prompt(loaded, "document", "passage", "corpus"),
        files={TOKENIZER: (folder / TOKENIZER).stat().st_size},
    )
    _as_onnx(loaded, folder, recipe).write(folder)


def _as_onnx(loaded: SentenceTransformer, folder: Path, recipe: Recipe) -> Recipe:
    """The recipe for ONNX when that gives the same vectors; else the given one, with the reason."""
    try:
        _refuse_inexpressible(loaded)
        _trace(loaded, folder)
        files = recipe.files | {file: (folder / file).stat().st_size for file in (GRAPH, WEIGHTS)}
        candidate = replace(recipe, runtime="onnx", files=files)
        reference = TorchEncoder.load(folder, recipe)
        reason = disagreement(reference, OnnxEncoder.load(folder, candidate))
    except (OSError, MemoryError):
        raise  # of the machine, not of the model: the next attempt may succeed
    except Exception as error:  # any failure of exporter or runtime has the same answer, told in the recipe
        reason = f"{type(error).__name__}: {error}"[:300]
    if reason is None:
        return candidate
    for file in (GRAPH, WEIGHTS):
        (folder / file).unlink(missing_ok=True)
    return replace(recipe, reason=reason)


def _refuse_inexpressible(loaded: SentenceTransformer) -> None:
    others = [type(module).__name__ for module in loaded if type(module).__name__ not in TRACEABLE]
    if others:
        raise Inexpressible(f"modules {', '.join(others)}")
    if loaded.tokenizer.padding_side != "right":
        raise Inexpressible("it pads on the left")


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
        onnx.load(whole), folder / GRAPH, save_as_external_data=True, location=WEIGHTS, size_threshold=SMALL_TENSOR
    )
    whole.unlink()


def _save_tokenizer(loaded: SentenceTransformer, folder: Path) -> Any:
    """The fast tokenizer's file, without the padding and truncation that it was last used with."""
    tokenizer = loaded.tokenizer
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is None:
        raise Inexpressible(f"its tokenizer, {type(tokenizer).__name__}, has no fast form to count tokens with")
    fast.no_padding()
    fast.no_truncation()
    fast.save(str(folder / TOKENIZER))
    return tokenizer


def _dimensions(loaded: SentenceTransformer) -> int:
    dimensions = loaded.truncate_dim or loaded.get_embedding_dimension()
    if dimensions is None:
        raise Inexpressible("it does not say how many dimensions its vectors have")
    return dimensions


def _prompt(loaded: SentenceTransformer, *names: str) -> str:
    """The first prompt of these names, as sentence-transformers chooses it."""
    return next((loaded.prompts[name] for name in names if name in loaded.prompts), None) or ""
