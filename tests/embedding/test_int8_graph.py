"""Weights of 8 bits for queries: near to those of 32, and never used for what is stored."""

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest
from django.conf import settings

from memory_app.embedding import export
from memory_app.embedding.encoder import load_encoder
from memory_app.embedding.export import find_slowness, write_model_files
from memory_app.embedding.int8_graph import BLOCK, ZERO, quantise
from memory_app.embedding.model_files import INT8_GRAPH_FILE, ModelSpec, model_source, prepare_model
from memory_app.embedding.onnx_encoder import OnnxEncoder
from memory_app.embedding.protocol import Encoder

QUESTIONS = [
    "Which tile did we choose?",
    "What is Charlie allergic to, and who told us?",
    "Wann zieht Bob nach Lissabon?",
    "When did she get it for?",
]


@pytest.fixture(scope="module")
def int8() -> Encoder:
    return load_encoder("", settings.KEEPSAKE_DATA, int8_queries=True)


def test_a_matrix_is_its_steps_times_its_scales() -> None:
    matrix = np.random.default_rng(7).standard_normal((BLOCK + 3, 5)).astype(np.float32)
    matrix[:BLOCK, 2] = 0  # a block of nothing
    steps, scales = quantise(matrix)
    assert (steps.shape, scales.shape) == ((5, 2, BLOCK), (5, 2))
    back = ((steps.astype(np.float32) - ZERO) * scales[:, :, None]).reshape(5, -1).T
    assert np.abs(back[: BLOCK + 3] - matrix).max() <= scales.max() / 2 + 1e-6
    assert not back[BLOCK + 3 :].any()
    assert not back[:BLOCK, 2].any()


def test_queries_are_near_to_those_of_32_bits(int8: Encoder, packaged: Encoder) -> None:
    cosines = (int8.queries(QUESTIONS) * packaged.queries(QUESTIONS)).sum(axis=1)
    assert (cosines > 0.999).all()
    assert (cosines < 0.99999).all()  # or the graph of 32 bits answered


def test_what_is_stored_has_32_bits(int8: Encoder, packaged: Encoder) -> None:
    assert np.array_equal(int8.documents(QUESTIONS), packaged.documents(QUESTIONS))
    assert int8.name == packaged.name


def test_a_query_is_nearest_to_the_document_that_answers_it(int8: Encoder) -> None:
    documents = ["We decided to go with the blue tile.", "Charlie cannot eat peanuts.", "Bob zieht im März um."]
    assert (int8.queries(QUESTIONS[:3]) @ int8.documents(documents).T).argmax(axis=1).tolist() == [0, 1, 2]


def test_all_products_with_weights_are_in_8_bits_and_the_words_are_not_stored_twice(packaged: Encoder) -> None:
    folder, model_spec = prepare_model("", settings.KEEPSAKE_DATA)
    graph = onnx.load(folder / INT8_GRAPH_FILE, load_external_data=False).graph
    assert sum(node.op_type == "MatMulNBits" for node in graph.node) == 36  # six layers of six
    assert model_spec.files[INT8_GRAPH_FILE] < 13_000_000
    assert model_spec.int8_reason == ""


def test_a_model_of_which_8_bits_are_too_far_keeps_32(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MIN_INT8_COSINE", 1.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's tracer warns of its own retirement
        write_model_files(model_source(str(tiny)), tmp_path)
    model_spec = ModelSpec.read(tmp_path)
    assert model_spec is not None
    assert (model_spec.runtime, model_spec.int8_reason[:26]) == ("onnx", "queries in a batch: cosine")
    assert not (tmp_path / INT8_GRAPH_FILE).exists()
    exact, asked = (OnnxEncoder.load(tmp_path, model_spec, int8_queries=int8) for int8 in (False, True))
    assert np.array_equal(asked.queries(["tea"]), exact.queries(["tea"]))


def test_a_processor_on_which_8_bits_are_slower_keeps_32(packaged: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MAX_INT8_TIME", 0)
    assert (find_slowness(packaged, packaged) or "").endswith("times as long")
