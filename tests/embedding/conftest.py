"""Real models for these tests, each made and exported once a session."""

import warnings
from pathlib import Path

import pytest
from django.conf import settings
from sentence_transformers import SentenceTransformer

from memory_app.embedding.encoder import load_encoder
from memory_app.embedding.export import export_model
from memory_app.embedding.model_files import packaged_folder
from memory_app.embedding.protocol import Encoder
from tests.embedding import models_on_disk


@pytest.fixture(scope="session")
def packaged() -> Encoder:
    """The packaged model as it is served, in the data folder that all tests of the session share."""
    return load_encoder("", settings.KEEPSAKE_DATA)


@pytest.fixture(scope="session")
def reference() -> SentenceTransformer:
    """The packaged model as sentence-transformers runs it."""
    return SentenceTransformer(str(packaged_folder()), device="cpu")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model in a folder, with CLS pooling, a dense layer, prompts and a window of 32 tokens."""
    return models_on_disk.with_prompts(tmp_path_factory.mktemp("tiny") / "tiny")


@pytest.fixture(scope="session")
def tiny_data(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which `tiny` is prepared: here, where torch is loaded, not by another process."""
    data = tmp_path_factory.mktemp("tiny-data")
    export_here(tiny, data)
    return data


def export_here(model: Path, data: Path) -> Path:
    """As its own process does it; the tracer warns of its own retirement."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return export_model(str(model), data)
