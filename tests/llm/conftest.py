"""A model behind a real server, for tests of what it is asked and what is believed of its answers."""

from collections.abc import Iterator

import pytest

from memory_app.llm.model import Model
from memory_app.llm.providers import ModelAddress, openai
from memory_app.llm.remote import RemoteModel
from tests.model_server import ModelServer, model_server


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def model(server: ModelServer) -> Model:
    address = ModelAddress(f"{server.url}/v1", "", "small")
    return RemoteModel("openai:small", lambda: openai.provider(address), sleep=lambda seconds: None)
