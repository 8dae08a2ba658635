"""The language model of this process, if one is configured. The one place from which others take what they need of it.

A provider's package costs up to a second to import, so it is imported by name at the first question, and only there.

Ask a model while someone waits: for so many seconds at most, and by so many at once.

The call runs on a thread of its own, so that whoever waits is released on time whatever the network does. Few may wait
at once, for each takes one of the few threads that serve requests: a model that is slow must not stop the service.
Whoever asks holds no transaction meanwhile.
"""

import importlib
import time
from collections.abc import Callable
from functools import lru_cache
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from typing import TypeVar

from django.conf import settings

from memory_app.llm.protocol import (
    Answer,
    AnswerSource,
    AnswerTooLong,
    BadAnswer,
    CircuitOpen,
    ConfigurationRejected,
    Model,
    ModelError,
    ModelTimeout,
    NotInstalled,
    NotSent,
    Prompt,
    Provider,
    RateLimited,
    Refused,
    T,
    TooManyCalls,
    Unreachable,
)
from memory_app.llm.providers import PROVIDERS, ModelAddress
from memory_app.llm.remote import RemoteModel

__all__ = [
    "Answer",
    "AnswerSource",
    "AnswerTooLong",
    "BadAnswer",
    "CircuitOpen",
    "ConfigurationRejected",
    "Model",
    "ModelError",
    "ModelTimeout",
    "NotInstalled",
    "NotSent",
    "Prompt",
    "RateLimited",
    "Refused",
    "Unreachable",
    "configured_model",
    "model_for_request",
]


def configured_model() -> Model | None:
    """The model that the settings name, always the same object for the same settings; None: no model is ever called."""
    if not settings.KEEPSAKE_LLM:
        return None
    return _model(settings.KEEPSAKE_LLM, settings.KEEPSAKE_LLM_BASE_URL, settings.KEEPSAKE_LLM_API_KEY.strip())


def model_for_request() -> Model | None:
    """The same for a request that is waited for, from now on for KEEPSAKE_LLM_SECONDS. None: nobody waits for one."""
    model, seconds = configured_model(), settings.KEEPSAKE_LLM_SECONDS
    return TimeLimitedModel(model, seconds) if model and seconds else None


# Kept so that the whole process shares one circuit breaker.
@lru_cache(maxsize=4)
def _model(name: str, base_url: str, key: str) -> Model:
    return RemoteModel(name, lambda: load_provider(name, base_url, key))


def load_provider(name: str, base_url: str, key: str) -> Provider:
    """Who answers for "provider:model". Imports the provider's package. Raises NotInstalled, ConfigurationRejected."""
    kind, _, model = name.partition(":")
    provider_kind = PROVIDERS[kind]
    if not (key or base_url or provider_kind.keyless):
        raise ConfigurationRejected(f"{kind} needs a key: set KEEPSAKE_LLM_API_KEY.")
    address = ModelAddress(
        base_url or provider_kind.base_url, key, model, official=not base_url and not provider_kind.keyless
    )
    try:
        module = importlib.import_module(f"memory_app.llm.providers.{provider_kind.protocol_module}")
    except ImportError as error:
        raise NotInstalled(f"KEEPSAKE_LLM={name} needs a package: pip install -e '.[llm]' ({error}).") from None
    provider: Provider = module.provider(address)
    return provider


MAX_WAITING_CALLS = 2
"""Of the four threads that serve requests (`serving/gateway.py`), as many as leave half of them for all others."""

V = TypeVar("V")

_slots = BoundedSemaphore(MAX_WAITING_CALLS)


def with_timeout(act: Callable[[], V], seconds: float, slots: BoundedSemaphore = _slots) -> V:
    """What `act` returns or raises. Raises Busy where too many are under way, Timeout where it takes longer; then it
    goes on by itself, keeps its place until it ends, and its answer is dropped."""
    if not slots.acquire(blocking=False):
        raise TooManyCalls("Too many wait for the language model already.")
    results: SimpleQueue[tuple[V | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        result: V | None = None
        failed: BaseException | None = None
        try:
            result = act()
        except BaseException as error:  # whatever it is, it is raised where it is waited for
            failed = error
        finally:
            slots.release()
            results.put((result, failed))

    Thread(target=run, daemon=True, name="model in time").start()
    try:
        value, error = results.get(timeout=max(seconds, 0.0))
    except Empty:
        raise ModelTimeout(f"No answer within {seconds:g} s.") from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


class TimeLimitedModel(Model):
    """A model for one request: all that it is asked takes no more than so many seconds together."""

    def __init__(self, model: Model, seconds: float) -> None:
        self._model, self._ends = model, time.monotonic() + seconds

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, prompt: Prompt, schema: type[T], seconds: float | None = None) -> Answer[T]:
        """See `Model`."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise ModelTimeout("The time to wait for the language model is over.")
        return with_timeout(lambda: self._model.ask(prompt, schema, left), left)
