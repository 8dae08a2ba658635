"""The HTTP client given to the providers' SDKs: it bounds what is read and for how long, and follows no redirects.

Their own clients read an answer of any length for as long as it trickles in, errors included.

A provider asks in one way, and in an older one where the server does not know the first.

JSON schemas in the form that structured outputs accept: every property required, no other allowed.

What an SDK's error means here. Both SDKs name their errors alike, and share no class: they are told by shape.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx2

from memory_app.llm.protocol import (
    AnswerTooLong,
    Completion,
    ConfigurationRejected,
    ModelError,
    ModelTimeout,
    Prompt,
    Provider,
    RateLimited,
    Schema,
    Unreachable,
    UnsupportedRequest,
)
from memory_app.llm.providers import ModelAddress

LOOPBACK = ("localhost", "127.0.0.1", "::1")

# At their lower levels these write whole requests into the log.
_VERBOSE_LOGGERS = ("openai", "anthropic", "httpx2", "httpcore2")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may take. `answer_seconds` runs from the question to the end of the answer.

    A minute and a half: reasoning models think that long. 64 kB is several times what the longest prompt asks for.
    """

    connect_seconds: float = 5.0
    answer_seconds: float = 90.0
    max_bytes: int = 65_536

    def within(self, seconds: float | None) -> "Limits":
        """The same, in no more than so many seconds."""
        if seconds is None:
            return self
        return replace(
            self, connect_seconds=min(self.connect_seconds, seconds), answer_seconds=min(self.answer_seconds, seconds)
        )


class BoundedClient(httpx2.Client):
    """An HTTP client for one call."""

    def __init__(self, base_url: str, limits: Limits) -> None:
        for name in _VERBOSE_LOGGERS:
            logging.getLogger(name).setLevel(logging.WARNING)
        self._limits = limits
        super().__init__(
            timeout=httpx2.Timeout(limits.answer_seconds, connect=limits.connect_seconds),
            # Compressed, a small answer may become a huge one.
            headers={"Accept-Encoding": "identity"},
            follow_redirects=False,
            # A proxy from the environment cannot reach this machine's own servers.
            trust_env=urlsplit(base_url).hostname not in LOOPBACK,
        )

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """The whole response, read within the limits. Raises TooLarge, httpx2.TimeoutException."""
        deadline = time.monotonic() + self._limits.answer_seconds
        response = super().send(request, stream=True, **options)
        try:
            body = b"".join(self._bounded(response, deadline))
        finally:
            response.close()
        headers = [(name, value) for name, value in response.headers.items() if name.lower() != "content-encoding"]
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)

    def _bounded(self, response: httpx2.Response, deadline: float) -> Iterator[bytes]:
        size = 0
        for chunk in response.iter_raw():
            size += len(chunk)
            if size > self._limits.max_bytes:
                raise AnswerTooLong(f"The answer is longer than {self._limits.max_bytes} bytes.")
            if time.monotonic() > deadline:
                raise httpx2.ReadTimeout("the answer takes too long", request=response.request)
            yield chunk


PLACEHOLDER_KEY = "none"
"""Sent where no key is set: SDKs insist on one, and servers of one's own take any."""


class FallbackProvider(Provider, ABC):
    """What providers share: the newer way is tried first, and not again once the older one was understood instead."""

    def __init__(self, address: ModelAddress, limits: Limits) -> None:
        self._address, self._limits = address, limits
        self._use_fallback = False

    def complete(self, prompt: Prompt, schema: Schema, seconds: float | None = None) -> Completion:
        """See `Provider`."""
        strict_form, limits = strict_schema(schema), self._limits.within(seconds)
        if not self._use_fallback:
            try:
                return self._call(prompt, strict_form, limits, use_fallback=False)
            except UnsupportedRequest:
                pass
        completion = self._call(prompt, strict_form, limits, use_fallback=True)
        self._use_fallback = True
        return completion

    @abstractmethod
    def _call(self, prompt: Prompt, schema: Schema, limits: Limits, use_fallback: bool) -> Completion:
        """One request. Raises `ModelError`; Unacceptable where the server does not accept its form."""


_REMOVED_KEYS = ("default", "title")


def strict_schema(schema: Schema) -> Schema:
    """The same schema without defaults and titles, closed, in all its parts."""
    strict = {key: value for key, value in schema.items() if key not in _REMOVED_KEYS}
    for parts in ("properties", "$defs"):
        if parts in strict:
            strict[parts] = {name: strict_schema(part) for name, part in strict[parts].items()}
    if "items" in strict:
        strict["items"] = strict_schema(strict["items"])
    if "anyOf" in strict:
        strict["anyOf"] = [strict_schema(part) for part in strict["anyOf"]]
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def model_error(error: Exception) -> ModelError:
    """The failure behind an error that an SDK raised. Its own message is left out: it may repeat the prompt or key."""
    # One SDK wraps what our own client raises.
    if isinstance(error.__cause__, ModelError):
        return error.__cause__
    response = getattr(error, "response", None)
    if response is not None:
        return error_of_status(response.status_code, response.headers)
    if "Timeout" in type(error).__name__:
        return ModelTimeout("The language model did not answer in time.")
    return Unreachable(f"The language model cannot be reached ({type(error.__cause__ or error).__name__}).")


def error_of_status(status: int, headers: Mapping[str, str]) -> ModelError:
    """The failure that an HTTP status other than success stands for."""
    wait_seconds = retry_after(headers)
    match status:
        case 401 | 402 | 403:
            return ConfigurationRejected(f"The provider does not accept the key (status {status}).")
        case 404:
            return ConfigurationRejected("The provider knows no such model, or the address is not right (status 404).")
        case 408:
            return ModelTimeout("The provider gave up waiting (status 408).", wait_seconds)
        case 429:
            return RateLimited("The provider wants fewer calls (status 429).", wait_seconds)
        case _ if 400 <= status < 500:
            return UnsupportedRequest(f"The provider does not accept the request (status {status}).")
        case _:
            return Unreachable(f"The provider answers with status {status}.", wait_seconds)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that `Retry-After` asks for, also where it names a time: then counted from the answer's own Date."""
    header = headers.get("retry-after", "")
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        return max(
            (parsedate_to_datetime(header) - parsedate_to_datetime(headers.get("date", ""))).total_seconds(), 0.0
        )
    except (ValueError, TypeError):
        return None
