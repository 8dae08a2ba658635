"""The reranker of this process, if one is configured: who reads the best results again, beside the question.

A cross-encoder brings torch, seconds to load and hundreds of megabytes, so it is imported by name when first asked.
Leaves to `engine/retrieval/recall.py` how long anyone waits for it.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Protocol

from django.conf import settings

from memory_app.llm.model import Model
from memory_app.llm.model import configured_model as language_model
from memory_app.llm.prompts.rerank import rerank
from memory_app.llm.remote import CircuitBreaker

LANGUAGE_MODEL = "llm"
"""What KEEPSAKE_RERANKER says for the model of KEEPSAKE_LLM; anything else names a cross-encoder."""

MAX_FAILURES = 2
"""Of a cross-encoder, in a row: a model that is not there would else be looked for at every question."""


class Reranker(Protocol):
    """Puts texts in the order in which they answer a question. is_remote: whether texts leave this process."""

    name: str
    is_remote: bool

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        """The places of the texts, from 0, best first. May raise anything, and take its time."""


class LanguageModelReranker:
    """Asks the language model once for the order of all."""

    is_remote = True

    def __init__(self, model: Model) -> None:
        self.name, self._model = model.name, model

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        return rerank(self._model, question, texts)


class CrossEncoderReranker:
    """Has a cross-encoder read each text beside the question. scores: loads it, and gives what scores texts."""

    is_remote = False

    def __init__(self, name: str, scores: Callable[[str], "Scores"] | None = None) -> None:
        self.name, self._load = name, scores or _load_scorer
        self._lock, self._breaker = Lock(), CircuitBreaker(max_failures=MAX_FAILURES)
        self._scores: Scores | None = None

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        with self._lock, self._breaker.call("cross-encoder"):
            self._scores = self._scores or self._load(self.name)
            scores = self._scores(question, texts)
        return sorted(range(len(texts)), key=lambda place: -scores[place])


Scores = Callable[[str, Sequence[str]], Sequence[float]]
"""How well each text answers a question, on any scale."""


def configured_reranker(requested: bool | None = None) -> Reranker | None:
    """Who reranks; the same object for the same settings. None: nobody.

    requested: True takes the language model where no reranker is set, False nobody at all.
    """
    if requested is False:
        return None
    if settings.KEEPSAKE_RERANKER not in ("", LANGUAGE_MODEL):
        return _cross_encoder(settings.KEEPSAKE_RERANKER)
    model = language_model() if settings.KEEPSAKE_RERANKER or requested else None
    return LanguageModelReranker(model) if model else None


# Kept so that it is loaded once.
@lru_cache(maxsize=2)
def _cross_encoder(name: str) -> Reranker:
    return CrossEncoderReranker(name)


def _load_scorer(name: str) -> Scores:
    module = importlib.import_module("memory_app.llm.cross_encoder")
    scores: Scores = module.load(name)
    return scores
