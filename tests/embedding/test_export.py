import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from memory_app.embedding.encoder import load
from memory_app.embedding.errors import ModelUnavailable
from memory_app.embedding.prepare import EXPORT, ROOT, prepare
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.recipe import GRAPH, WEIGHTS, Recipe, folder_of
from memory_app.embedding.source import source
from tests.embedding import models_on_disk

TEXTS = ["Alice likes tea.", "which blue tile", "", "the tea " * 50]


def _exporting(model: Path, data: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", EXPORT, str(model), str(data)],
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
    encoder = load(str(tiny), tiny_data)
    _, recipe = prepare(str(tiny), tiny_data)
    assert (recipe.runtime, recipe.reason) == ("onnx", "")
    assert (encoder.dimensions, encoder.window) == (12, 28)  # 32 less [CLS], [SEP], "passage", ":"
    assert encoder.name.startswith("tiny@")
    _assert_same(encoder, SentenceTransformer(str(tiny), device="cpu"))


def test_a_model_that_a_graph_gets_wrong_stays_with_sentence_transformers(tmp_path: Path) -> None:
    model = models_on_disk.without_prompt_in_the_mean(tmp_path / "masked")
    folder, recipe = prepare(str(model), tmp_path / "data")
    assert recipe.runtime == "sentence-transformers"
    assert "cosine" in recipe.reason
    assert not (folder / GRAPH).exists()
    _assert_same(load(str(model), tmp_path / "data"), SentenceTransformer(str(model), device="cpu"))


def test_a_folder_that_holds_no_model_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnavailable, match=r"embedding model .*empty could not be prepared"):
        prepare(str(tmp_path / "empty"), tmp_path / "data")


def test_an_export_killed_half_way_leaves_nothing_that_is_trusted_and_two_at_once_make_it_good(
    tiny: Path, tiny_data: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny_data / "models", tmp_path / "models")
    folder = folder_of(source(str(tiny)).name, tmp_path)
    (folder / WEIGHTS).write_bytes(b"")  # damaged: it will be made again
    _kill_half_way(_exporting(tiny, tmp_path), folder.with_name(folder.name + ".partial"))
    assert Recipe.read(folder) is None
    racing = [_exporting(tiny, tmp_path) for _ in range(2)]
    said = [process.communicate()[0] for process in racing]
    assert [process.returncode for process in racing] == [0, 0], said
    assert load(str(tiny), tmp_path).query("tea").shape == (12,)
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == [folder.name, folder.name + ".lock"]


def _kill_half_way(process: "subprocess.Popen[str]", partial: Path) -> None:
    """Ends the export once it has begun to write, and proves that it was not through."""
    while not partial.exists():
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.005)
    process.kill()
    process.communicate()
    assert partial.exists()
