"""The HTTP client given to the providers' SDKs: it bounds what is read and for how long, and follows no redirects.

Their own clients read an answer of any length for as long as it trickles in, errors included.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import httpx2

from memory_app.llm.failures import TooLarge

LOOPBACK = ("localhost", "127.0.0.1", "::1")

# At their lower levels these write whole requests into the log.
_TALKATIVE = ("openai", "anthropic", "httpx2", "httpcore2")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may take. `answer_seconds` runs from the question to the end of the answer.

    A minute and a half: reasoning models think that long. 64 kB is several times what the longest prompt asks for.
    """

    connect_seconds: float = 5.0
    answer_seconds: float = 90.0
    most_bytes: int = 65_536

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
        for name in _TALKATIVE:
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
        ends = time.monotonic() + self._limits.answer_seconds
        response = super().send(request, stream=True, **options)
        try:
            body = b"".join(self._bounded(response, ends))
        finally:
            response.close()
        headers = [(name, value) for name, value in response.headers.items() if name.lower() != "content-encoding"]
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)

    def _bounded(self, response: httpx2.Response, ends: float) -> Iterator[bytes]:
        size = 0
        for chunk in response.iter_raw():
            size += len(chunk)
            if size > self._limits.most_bytes:
                raise TooLarge(f"The answer is longer than {self._limits.most_bytes} bytes.")
            if time.monotonic() > ends:
                raise httpx2.ReadTimeout("the answer takes too long", request=response.request)
            yield chunk
