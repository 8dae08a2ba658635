"""Who reranks by the settings, and that a cross-encoder which fails is left alone for a while."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from sentence_transformers import CrossEncoder
from torch.nn import Identity

from memory_app.llm.cross_encoder import load
from memory_app.llm.protocol import CircuitOpen
from memory_app.llm.reranker import CrossEncoderReranker, LanguageModelReranker, configured_reranker
from tests.embedding.cross_encoders import random_cross_encoder

TEXTS = ["the tile is blue", "Bob likes tea", "a new kitchen", "the car is due for inspection"]


@pytest.mark.parametrize(
    ("reranker", "llm", "asked", "kind"),
    [
        ("", "", None, type(None)),
        ("", "", True, type(None)),
        ("", "ollama:small", None, type(None)),
        ("", "ollama:small", True, LanguageModelReranker),
        ("llm", "ollama:small", None, LanguageModelReranker),
        ("llm", "ollama:small", False, type(None)),
        ("a/cross-encoder", "ollama:small", None, CrossEncoderReranker),
        ("a/cross-encoder", "", False, type(None)),
    ],
)
def test_the_settings_say_who_reranks(
    reranker: str, llm: str, asked: bool | None, kind: type, settings: object
) -> None:
    settings.KEEPSAKE_RERANKER, settings.KEEPSAKE_LLM = reranker, llm  # type: ignore[attr-defined]
    assert type(configured_reranker(asked)) is kind
    assert kind is not CrossEncoderReranker or configured_reranker(asked) is configured_reranker(asked)


def test_texts_are_ordered_by_the_scores_of_the_model(tmp_path: Path) -> None:
    folder = random_cross_encoder(tmp_path / "model")
    order = CrossEncoderReranker(str(folder)).order("which tile?", TEXTS)
    scores = CrossEncoder(str(folder), device="cpu").predict(
        [("which tile?", text) for text in TEXTS], activation_fn=Identity(), show_progress_bar=False
    )
    assert [float(scores[place]) for place in order] == sorted(map(float, scores), reverse=True)
    assert len(set(map(float, scores))) == len(TEXTS)


def test_a_model_of_several_numbers_cannot_rank(tmp_path: Path) -> None:
    folder = random_cross_encoder(tmp_path / "model", labels=3)
    with pytest.raises(ValueError, match="gives 3 numbers for a pair"):
        load(str(folder))


def test_one_that_cannot_be_loaded_is_left_alone_for_a_while() -> None:
    tried = []

    def broken(name: str) -> object:
        tried.append(name)
        raise OSError("no such model")

    reranker = CrossEncoderReranker("a/model", broken)  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(OSError, match="no such model"):
            reranker.order("which tile?", TEXTS)
    with pytest.raises(CircuitOpen):
        reranker.order("which tile?", TEXTS)
    assert tried == ["a/model", "a/model"]


def test_it_is_loaded_once() -> None:
    loaded = []

    def scores(question: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]

    reranker = CrossEncoderReranker("a/model", lambda name: loaded.append(name) or scores)  # type: ignore[func-returns-value]
    assert [reranker.order("which?", TEXTS) for _ in range(2)] == [[3, 0, 1, 2]] * 2
    assert loaded == ["a/model"]
