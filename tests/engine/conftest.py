"""A language model that is set, behind a real server of its own, and that nobody waits for."""

from collections.abc import Iterator

import pytest

from tests.model_server import ModelServer, model_server


@pytest.fixture
def server(settings: object) -> Iterator[ModelServer]:
    with model_server() as server:
        settings.KEEPSAKE_LLM = "openai:small"  # type: ignore[attr-defined]
        settings.KEEPSAKE_LLM_BASE_URL = f"{server.url}/v1"  # type: ignore[attr-defined]
        settings.KEEPSAKE_LLM_API_KEY = "test"  # type: ignore[attr-defined]
        settings.KEEPSAKE_LLM_SECONDS = 0.0  # type: ignore[attr-defined]
        yield server
