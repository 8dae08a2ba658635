import os
import shutil
from pathlib import Path

import pytest

from memory_app.embedding.model_files import (
    SAMPLE_BYTES,
    SAMPLES,
    SPEC_FILE,
    ModelSource,
    ModelSpec,
    model_folder,
    model_source,
    packaged_folder,
    verify_weights,
)
from memory_app.embedding.vectors import ModelUnavailable


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "my-model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "weights").write_bytes(os.urandom(SAMPLES * SAMPLE_BYTES * 2))
    return folder


@pytest.mark.parametrize("setting", ["", "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_the_packaged_model_needs_no_download(setting: str) -> None:
    assert model_source(setting) == ModelSource("all-MiniLM-L6-v2", str(packaged_folder()), packaged=True)


def test_the_packaged_weights_are_those_published() -> None:
    verify_weights(model_source(""))


def test_altered_packaged_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(ModelUnavailable, match="the packaged weights were altered"):
        verify_weights(ModelSource("all-MiniLM-L6-v2", str(tmp_path), packaged=True))


def test_a_folder_is_named_by_its_files_wherever_it_lies(model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "my-model"
    shutil.copytree(model, copy)
    assert model_source(str(copy)).name == model_source(str(model)).name
    assert model_source(str(model)).name.startswith("my-model@")


def test_other_weights_of_the_same_size_have_another_name(model: Path) -> None:
    before = model_source(str(model)).name
    (model / "weights").write_bytes(os.urandom(SAMPLES * SAMPLE_BYTES * 2))
    assert model_source(str(model)).name != before


def test_another_configuration_has_another_name(model: Path) -> None:
    before = model_source(str(model)).name
    (model / "config.json").write_text("[]")
    assert model_source(str(model)).name != before


def test_anything_else_is_a_name_on_the_hub() -> None:
    assert model_source("BAAI/bge-small-en-v1.5") == ModelSource("BAAI/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5")


def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"nowhere is no folder"):
        model_source(str(tmp_path / "nowhere"))


@pytest.fixture
def model_spec(tmp_path: Path) -> ModelSpec:
    (tmp_path / "model.onnx").write_bytes(b"graph")
    made = ModelSpec("a", "b", "onnx", 384, 256, files={"model.onnx": 5})
    made.write(tmp_path)
    return made


def test_a_recipe_is_read_as_it_was_written(tmp_path: Path, model_spec: ModelSpec) -> None:
    assert ModelSpec.read(tmp_path) == model_spec


def test_a_folder_without_a_recipe_is_not_trusted(tmp_path: Path, model_spec: ModelSpec) -> None:
    (tmp_path / SPEC_FILE).unlink()
    assert ModelSpec.read(tmp_path) is None


def test_a_folder_with_a_torn_recipe_is_not_trusted(tmp_path: Path, model_spec: ModelSpec) -> None:
    whole = (tmp_path / SPEC_FILE).read_bytes()
    (tmp_path / SPEC_FILE).write_bytes(whole[: len(whole) // 2])
    assert ModelSpec.read(tmp_path) is None


@pytest.mark.parametrize("other", ["{}", "[]", "7", '{"unknown": 1}'])
def test_a_recipe_of_another_kind_is_not_trusted(tmp_path: Path, other: str) -> None:
    (tmp_path / SPEC_FILE).write_text(other)
    assert ModelSpec.read(tmp_path) is None


def test_a_folder_with_a_file_cut_short_or_gone_is_not_trusted(tmp_path: Path, model_spec: ModelSpec) -> None:
    (tmp_path / "model.onnx").write_bytes(b"gra")
    assert ModelSpec.read(tmp_path) is None
    (tmp_path / "model.onnx").unlink()
    assert ModelSpec.read(tmp_path) is None


def test_a_name_with_slashes_stays_inside_the_data_folder() -> None:
    assert model_folder("../../etc/x", Path("data")) == Path("data/models/..%2F..%2Fetc%2Fx.2")
