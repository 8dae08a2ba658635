"""The reranker of this process, if one is configured: who reads the best results again, beside the question.

A cross-encoder brings torch, seconds to load and hundreds of megabytes, so it is imported by name when first asked.
Leaves to `engine/recalling/rerank.py` how long anyone waits for it.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Protocol

from django.conf import settings

from memory_app.llm.breaker import Breaker
from memory_app.llm.failures import Resting
from memory_app.llm.model import Model
from memory_app.llm.model import configured as language_model
from memory_app.llm.tasks.rerank import rerank

BY_LANGUAGE_MODEL = "llm"
"""What KEEPSAKE_RERANKER says for the model of KEEPSAKE_LLM; anything else names a cross-encoder."""

FAILS_BEFORE_REST = 2
"""Of a cross-encoder, in a row: a model that is not there would else be looked for at every question."""


class Reranker(Protocol):
    """Puts texts in the order in which they answer a question. outside: whether texts leave this process."""

    name: str
    outside: bool

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        """The places of the texts, from 0, best first. May raise anything, and take its time."""


class ByLanguageModel:
    """Asks the language model once for the order of all."""

    outside = True

    def __init__(self, model: Model) -> None:
        self.name, self._model = model.name, model

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        return rerank(self._model, question, texts)


class ByCrossEncoder:
    """Has a cross-encoder read each text beside the question. scores: loads it, and gives what scores texts."""

    outside = False

    def __init__(self, name: str, scores: Callable[[str], "Scores"] | None = None) -> None:
        self.name, self._load = name, scores or _loaded
        self._lock, self._breaker = Lock(), Breaker(opens_after=FAILS_BEFORE_REST)
        self._scores: Scores | None = None

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        with self._lock:
            if wait := self._breaker.wait():
                raise Resting(f"The cross-encoder failed too often; next try in {wait:.0f} s.", wait)
            try:
                self._scores = self._scores or self._load(self.name)
                scores = self._scores(question, texts)
            except Exception:
                self._breaker.fails()
                raise
            self._breaker.works()
        return sorted(range(len(texts)), key=lambda place: -scores[place])


Scores = Callable[[str, Sequence[str]], Sequence[float]]
"""How well each text answers a question, on any scale."""


def configured(asked: bool | None = None) -> Reranker | None:
    """Who reranks; the same object for the same settings. None: nobody.

    asked: True takes the language model where no reranker is set, False nobody at all.
    """
    if asked is False:
        return None
    if settings.KEEPSAKE_RERANKER not in ("", BY_LANGUAGE_MODEL):
        return _cross_encoder(settings.KEEPSAKE_RERANKER)
    model = language_model() if settings.KEEPSAKE_RERANKER or asked else None
    return ByLanguageModel(model) if model else None


# Kept so that it is loaded once.
@lru_cache(maxsize=2)
def _cross_encoder(name: str) -> Reranker:
    return ByCrossEncoder(name)


def _loaded(name: str) -> Scores:
    module = importlib.import_module("memory_app.llm.cross_encoder")
    scores: Scores = module.load(name)
    return scores
