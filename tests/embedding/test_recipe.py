from pathlib import Path

import pytest

from memory_app.embedding.recipe import RECIPE, Recipe, folder_of


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    (tmp_path / "model.onnx").write_bytes(b"graph")
    made = Recipe("a", "b", "onnx", 384, 256, files={"model.onnx": 5})
    made.write(tmp_path)
    return made


def test_a_recipe_is_read_as_it_was_written(tmp_path: Path, recipe: Recipe) -> None:
    assert Recipe.read(tmp_path) == recipe


def test_a_folder_without_a_recipe_is_not_trusted(tmp_path: Path, recipe: Recipe) -> None:
    (tmp_path / RECIPE).unlink()
    assert Recipe.read(tmp_path) is None


def test_a_folder_with_a_torn_recipe_is_not_trusted(tmp_path: Path, recipe: Recipe) -> None:
    whole = (tmp_path / RECIPE).read_bytes()
    (tmp_path / RECIPE).write_bytes(whole[: len(whole) // 2])
    assert Recipe.read(tmp_path) is None


@pytest.mark.parametrize("other", ["{}", "[]", "7", '{"unknown": 1}'])
def test_a_recipe_of_another_kind_is_not_trusted(tmp_path: Path, other: str) -> None:
    (tmp_path / RECIPE).write_text(other)
    assert Recipe.read(tmp_path) is None


def test_a_folder_with_a_file_cut_short_or_gone_is_not_trusted(tmp_path: Path, recipe: Recipe) -> None:
    (tmp_path / "model.onnx").write_bytes(b"gra")
    assert Recipe.read(tmp_path) is None
    (tmp_path / "model.onnx").unlink()
    assert Recipe.read(tmp_path) is None


def test_a_name_with_slashes_stays_inside_the_data_folder() -> None:
    assert folder_of("../../etc/x", Path("data")) == Path("data/models/..%2F..%2Fetc%2Fx.1")
