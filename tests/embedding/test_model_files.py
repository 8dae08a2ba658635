import os
import shutil
from pathlib import Path

import pytest

from memory_app.embedding.model_files import (
    SAMPLE_BYTES,
    SAMPLES,
    ModelSource,
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
