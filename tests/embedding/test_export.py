import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from memory_app.embedding.encoder import load_encoder
from memory_app.embedding.model_files import (
    EXPORT_MODULE,
    GRAPH_FILE,
    ROOT,
    WEIGHTS_FILE,
    ModelSpec,
    model_folder,
    model_source,
    prepare_model,
)
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import ModelUnavailable
from tests.embedding import models_on_disk
from tests.embedding.conftest import export_here

TEXTS = ["Alice likes tea.", "which blue tile", "", "the tea " * 50]


def _exporting(model: Path, data: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", EXPORT_MODULE, str(model), str(data)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def _assert_same(encoder: Encoder, model: SentenceTransformer) -> None:
    documents = model.encode_document(TEXTS, normalize_embeddings=True)
    queries = model.encode_query(TEXTS, normalize_embeddings=True)
    assert ((encoder.queries(TEXTS) * queries).sum(axis=1) > 0.9999).all()
    # The last is longer than the window of 32: it counts whole, unlike in sentence-transformers.
    assert ((encoder.documents(TEXTS) * documents).sum(axis=1)[:3] > 0.9999).all()
    assert np.abs(queries[0] - documents[0]).max() > 0.1  # or the prompts would prove nothing


def test_a_model_in_a_folder_keeps_its_own_pooling_layers_and_prompts(tiny: Path, tiny_data: Path) -> None:
    encoder = load_encoder(str(tiny), tiny_data)
    _, model_spec = prepare_model(str(tiny), tiny_data)
    assert (model_spec.runtime, model_spec.reason) == ("onnx", "")
    assert (encoder.dimensions, encoder.window) == (12, 28)  # 32 less [CLS], [SEP], "passage", ":"
    assert encoder.name.startswith("tiny@")
    _assert_same(encoder, SentenceTransformer(str(tiny), device="cpu"))


def test_a_model_that_a_graph_gets_wrong_stays_with_sentence_transformers(tmp_path: Path) -> None:
    model = models_on_disk.without_prompt_in_the_mean(tmp_path / "masked")
    export_here(model, tmp_path / "data")
    folder, model_spec = prepare_model(str(model), tmp_path / "data")
    assert model_spec.runtime == "sentence-transformers"
    assert "cosine" in model_spec.reason
    assert not (folder / GRAPH_FILE).exists()
    _assert_same(load_encoder(str(model), tmp_path / "data"), SentenceTransformer(str(model), device="cpu"))


def test_a_folder_that_holds_no_model_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnavailable, match=r"embedding model .*empty could not be prepared"):
        prepare_model(str(tmp_path / "empty"), tmp_path / "data")


def test_an_export_killed_half_way_leaves_nothing_that_is_trusted_and_two_at_once_make_it_good(
    tiny: Path, tiny_data: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny_data / "models", tmp_path / "models")
    folder = model_folder(model_source(str(tiny)).name, tmp_path)
    (folder / WEIGHTS_FILE).write_bytes(b"")  # damaged: it will be made again
    shutil.copytree(folder, folder.with_suffix(".1"))  # of an earlier version: it goes
    _kill_half_way(_exporting(tiny, tmp_path), folder.with_name(folder.name + ".partial"))
    assert ModelSpec.read(folder) is None
    with ThreadPoolExecutor(2) as pool:  # a lock on a file holds between threads as between processes
        racing = [pool.submit(export_here, tiny, tmp_path) for _ in range(2)]
    assert [thread.result() for thread in racing] == [folder, folder]
    assert load_encoder(str(tiny), tmp_path).query("tea").shape == (12,)
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == [folder.name, folder.name + ".lock"]


def _kill_half_way(process: "subprocess.Popen[str]", partial: Path) -> None:
    """Ends the export once it has begun to write, and proves that it was not through."""
    while not partial.exists():
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.005)
    process.kill()
    process.communicate()
    assert partial.exists()
