from pathlib import Path

import pytest

from memory_app.embedding.model_files import SPEC_FILE, ModelSpec, model_folder


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
    assert model_folder("../../etc/x", Path("data")) == Path("data/models/..%2F..%2Fetc%2Fx.1")
