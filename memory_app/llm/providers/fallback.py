"""A provider asks in one way, and in an older one where the server does not know the first."""

from abc import ABC, abstractmethod

from memory_app.llm.failures import Unacceptable
from memory_app.llm.protocol import Completion, Prompt, Provider, Schema
from memory_app.llm.providers import Address
from memory_app.llm.providers.client import Limits
from memory_app.llm.providers.schema import strict

UNTOLD_KEY = "none"
"""Sent where no key is set: SDKs insist on one, and servers of one's own take any."""


class FallbackProvider(Provider, ABC):
    """What providers share: the newer way is tried first, and not again once the older one was understood instead."""

    def __init__(self, address: Address, limits: Limits) -> None:
        self._address, self._limits = address, limits
        self._older = False

    def complete(self, prompt: Prompt, schema: Schema, seconds: float | None = None) -> Completion:
        """See `Provider`."""
        asked_for, limits = strict(schema), self._limits.within(seconds)
        if not self._older:
            try:
                return self._call(prompt, asked_for, limits, older=False)
            except Unacceptable:
                pass
        completion = self._call(prompt, asked_for, limits, older=True)
        self._older = True
        return completion

    @abstractmethod
    def _call(self, prompt: Prompt, schema: Schema, limits: Limits, older: bool) -> Completion:
        """One request. Raises `ModelError`; Unacceptable where the server does not accept its form."""
