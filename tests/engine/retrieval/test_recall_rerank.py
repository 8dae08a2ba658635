"""The best of what was found is read again by a model, where one is set; whatever it does, nothing found is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.embedding.cross_encoders import random_cross_encoder
from tests.model_server import ModelServer, Reply, answers, fails, hangs_up, model_server, never, resets, says

pytestmark = pytest.mark.django_db

TILES = [f"the tile of the {room} is {colour}" for room, colour in zip(
    ("bath", "kitchen", "hall", "cellar"), ("blue", "green", "grey", "brown"), strict=True)]  # fmt: skip
QUESTION = "which tile has the hall?"


@pytest.fixture
def server(settings: object) -> Iterator[ModelServer]:
    with model_server() as server:
        settings.KEEPSAKE_RERANKER = "llm"  # type: ignore[attr-defined]
        settings.KEEPSAKE_RERANK_SECONDS = 30.0  # type: ignore[attr-defined]
        settings.KEEPSAKE_LLM = "openai:small"  # type: ignore[attr-defined]
        settings.KEEPSAKE_LLM_BASE_URL = f"{server.url}/v1"  # type: ignore[attr-defined]
        settings.KEEPSAKE_LLM_API_KEY = "test"  # type: ignore[attr-defined]
        yield server


@pytest.fixture(autouse=True)
def kept(api: Api) -> None:
    for tile in TILES:
        api.remember("alice", tile)


def found(api: Api, **fields: object) -> dict:  # type: ignore[type-arg]
    answer = api.post("/search", {"person": "alice", "query": QUESTION, "explain": True, **fields})
    assert answer.status_code == 200, answer.content
    told: dict = answer.json()  # type: ignore[type-arg]
    return told


def contents(told: dict) -> list[str]:  # type: ignore[type-arg]
    return [result["memory"]["content"] for result in told["results"]]


def test_the_language_model_reranks_the_top_results(api: Api, server: ModelServer) -> None:
    fused = found(api, rerank=False)
    assert fused["search_method"] == "hybrid"
    server.will(answers({"order": [3, 1, 4, 2]}))
    told = found(api)
    assert told["search_method"] == "hybrid+rerank"
    assert contents(told) == [contents(fused)[place] for place in (2, 0, 3, 1)]
    assert [result["score"] for result in told["results"]] == [result["score"] for result in fused["results"]]
    first = told["results"][0]
    assert first["because"].endswith("placed by the reranker")
    assert (first["why"][-1]["signal"], first["why"][-1]["rank"]) == ("rerank", 1)
    assert sum(share["share"] for share in first["why"]) == pytest.approx(1, abs=0.001)


def test_more_results_are_reranked_than_requested(api: Api, server: ModelServer) -> None:
    last = contents(found(api, rerank=False))[3]
    server.will(answers({"order": [4]}))
    assert contents(found(api, limit=1)) == [last]


@pytest.mark.parametrize(
    "reply", [fails(500), fails(400), says(b"no JSON at all"), answers({"order": "first the second"}), resets, hangs_up]
)
def test_without_a_good_answer_the_fused_order_stands(api: Api, server: ModelServer, reply: Reply) -> None:
    fused = found(api, rerank=False)
    server.will(reply)
    told = found(api)
    assert (told["search_method"], told["results"]) == ("hybrid", fused["results"])


def test_a_slow_answer_is_not_waited_for(api: Api, server: ModelServer, settings: object) -> None:
    settings.KEEPSAKE_RERANK_SECONDS = 0.05  # type: ignore[attr-defined]
    fused = found(api, rerank=False)
    server.will(never)
    told = found(api)
    assert (told["search_method"], told["results"]) == ("hybrid", fused["results"])


def test_sensitive_rows_are_not_sent_to_the_language_model(api: Api, server: ModelServer) -> None:
    api.remember("alice", "the tile of the hall hides my password: correct-horse-7")
    with every_space():
        Memory.objects.filter(content__contains="password").update(sensitive=True)
    fused = contents(found(api, rerank=False))
    server.will(answers({"order": [4, 3, 2, 1]}))
    told = contents(found(api))
    assert "horse" not in server.texts[0]
    [place] = [place for place, text in enumerate(fused) if "password" in text]
    assert told[place] == fused[place]
    assert told[:place] + told[place + 1 :] == [text for text in reversed(fused) if "password" not in text]


def test_other_methods_are_not_reranked(api: Api, server: ModelServer) -> None:
    assert found(api, method="text")["search_method"] == "text"
    assert server.requests == []


def test_a_language_model_alone_reranks_where_it_is_asked_to(api: Api, server: ModelServer, settings: object) -> None:
    settings.KEEPSAKE_RERANKER = ""  # type: ignore[attr-defined]
    server.will(answers({"order": [2, 1]}))
    assert found(api)["search_method"] == "hybrid"
    assert found(api, rerank=True)["search_method"] == "hybrid+rerank"


def test_a_cross_encoder_reranks_with_the_query(api: Api, settings: object, tmp_path: Path) -> None:
    settings.KEEPSAKE_RERANK_SECONDS = 60.0  # type: ignore[attr-defined]
    fused = contents(found(api))
    settings.KEEPSAKE_RERANKER = str(random_cross_encoder(tmp_path / "model", seed=3))  # type: ignore[attr-defined]
    told = found(api)
    assert told["search_method"] == "hybrid+rerank"
    assert sorted(contents(told)) == sorted(fused)


def test_a_missing_cross_encoder_changes_nothing(api: Api, settings: object, tmp_path: Path) -> None:
    settings.KEEPSAKE_RERANK_SECONDS = 60.0  # type: ignore[attr-defined]
    fused = contents(found(api))
    settings.KEEPSAKE_RERANKER = str(tmp_path / "nothing")  # type: ignore[attr-defined]
    told = found(api)
    assert (told["search_method"], contents(told)) == ("hybrid", fused)
