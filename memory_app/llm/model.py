"""The language model of this process, if one is configured. The one place from which others take what they need of it.

A provider's package costs up to a second to import, so it is imported by name at the first question, and only there.
"""

import importlib
from functools import lru_cache

from django.conf import settings

from memory_app.llm.failures import (
    BadAnswer,
    ModelError,
    NotAccepted,
    NotInstalled,
    RateLimited,
    Refused,
    Resting,
    Timeout,
    TooLarge,
    Unreachable,
    Withheld,
)
from memory_app.llm.in_time import ModelInTime
from memory_app.llm.protocol import Answer, Made, Model, Prompt, Provider
from memory_app.llm.providers import PROVIDERS, Address
from memory_app.llm.remote import RemoteModel

__all__ = [
    "Answer",
    "BadAnswer",
    "Made",
    "Model",
    "ModelError",
    "NotAccepted",
    "NotInstalled",
    "Prompt",
    "RateLimited",
    "Refused",
    "Resting",
    "Timeout",
    "TooLarge",
    "Unreachable",
    "Withheld",
    "configured",
    "configured_in_time",
]


def configured() -> Model | None:
    """The model that the settings name, always the same object for the same settings; None: no model is ever called."""
    if not settings.KEEPSAKE_LLM:
        return None
    return _model(settings.KEEPSAKE_LLM, settings.KEEPSAKE_LLM_BASE_URL, settings.KEEPSAKE_LLM_API_KEY.strip())


def configured_in_time() -> Model | None:
    """The same for a request that is waited for, from now on for KEEPSAKE_LLM_SECONDS. None: nobody waits for one."""
    model, seconds = configured(), settings.KEEPSAKE_LLM_SECONDS
    return ModelInTime(model, seconds) if model and seconds else None


# Kept so that the whole process shares one circuit breaker.
@lru_cache(maxsize=4)
def _model(name: str, base_url: str, key: str) -> Model:
    return RemoteModel(name, lambda: provider(name, base_url, key))


def provider(name: str, base_url: str, key: str) -> Provider:
    """Who answers for "provider:model". Imports the provider's package. Raises NotInstalled, NotAccepted."""
    kind, _, model = name.partition(":")
    about = PROVIDERS[kind]
    if not (key or base_url or about.keyless):
        raise NotAccepted(f"{kind} needs a key: set KEEPSAKE_LLM_API_KEY.")
    address = Address(base_url or about.base_url, key, model, official=not base_url and not about.keyless)
    try:
        module = importlib.import_module(f"memory_app.llm.providers.{about.speaks}")
    except ImportError as error:
        raise NotInstalled(f"KEEPSAKE_LLM={name} needs a package: pip install -e '.[llm]' ({error}).") from None
    made: Provider = module.provider(address)
    return made
