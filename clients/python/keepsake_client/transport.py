"""How a call is made: as a request, repeated where that is safe, and read as an answer or an error.

Both clients share all of it but the waiting.
"""

import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from keepsake_client.errors import KeepsakeError, api_error

DEFAULT_TIMEOUT = 30.0
"""Seconds. The end of a conversation may wait 8 for a language model."""

DEFAULT_RETRIES = 3
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds between two tries; each pause is about twice the one before."""

REPEATABLE = frozenset({"GET", "HEAD", "PUT", "POST"})
"""POST with its Idempotency-Key: the same request again gives the same answer, and no second row."""

NOTHING_HAPPENED = frozenset({429, 503})
PASSING = frozenset({408, 429, 502, 503, 504})
"""Statuses after which another try may succeed; of the first two nothing was done."""

IN_FLIGHT = 409
"""With `Retry-After`: an earlier try of this call is still being answered."""

LONGEST_IN_FLIGHT = 300.0
"""Seconds to wait for its answer in all: the server gives a request up after as many."""


@dataclass(frozen=True)
class Call:
    """One call of the API, below /api/v1. text: a body that is not JSON, and its type."""

    method: str
    path: str
    json: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    text: tuple[str, str] | None = None


@dataclass
class Attempts:
    """The tries of one call. key: its Idempotency-Key, the same for each. waited: seconds, for the answer to an earlier
    try."""

    call: Call
    retries: int
    made: int = 0
    waited: float = 0.0
    key: str = field(default_factory=lambda: str(uuid.uuid4()))

    def pause_after(self, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Seconds to wait before another try; None where there is to be none."""
        if isinstance(outcome, httpx.Response) and self._is_in_flight(outcome):
            return self._pause_in_flight(outcome)
        self.made += 1
        if self.made > self.retries or not self._may_repeat(outcome):
            return None
        pause = FIRST_PAUSE * 2 ** (self.made - 1) * random.uniform(0.75, 1.25)
        if isinstance(outcome, httpx.Response):
            pause = max(pause, _retry_after(outcome))
        return pause if pause <= LONGEST_PAUSE else None

    def _is_in_flight(self, response: httpx.Response) -> bool:
        """Whether an earlier try that got no answer is still worked on."""
        return self.made > 0 and response.status_code == IN_FLIGHT and "Retry-After" in response.headers

    def _pause_in_flight(self, response: httpx.Response) -> float | None:
        pause = min(max(FIRST_PAUSE, _retry_after(response), self.waited / 4), LONGEST_PAUSE)
        self.waited += pause
        return pause if self.waited <= LONGEST_IN_FLIGHT else None

    def _may_repeat(self, outcome: httpx.Response | httpx.TransportError) -> bool:
        repeatable = self.call.method in REPEATABLE
        if isinstance(outcome, httpx.Response):
            return outcome.status_code in PASSING and (repeatable or outcome.status_code in NOTHING_HAPPENED)
        return repeatable or isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout)


def _retry_after(response: httpx.Response) -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdigit() else 0.0


def build_request(client: httpx.Client | httpx.AsyncClient, attempts: Attempts) -> httpx.Request:
    """The request of one try."""
    call = attempts.call
    headers = dict(call.headers)
    if call.method == "POST":
        headers["Idempotency-Key"] = attempts.key
    params = {name: value for name, value in call.params.items() if value is not None}
    if call.text is not None:
        content, headers["Content-Type"] = call.text
        return client.build_request(call.method, call.path, params=params, headers=headers, content=content.encode())
    return client.build_request(call.method, call.path, params=params, headers=headers, json=call.json)


def read_answer(response: httpx.Response) -> Any:
    """The JSON of an answer, its text where it is none, None where there is nothing. Raises ApiError."""
    is_json = "json" in response.headers.get("Content-Type", "")
    try:
        document = response.json() if is_json and response.content else None
    except ValueError as error:
        raise KeepsakeError(f"The server answered something that is no JSON: {error}") from error
    if response.is_error:
        raise api_error(response.status_code, document, response.headers.get("X-Request-Id", ""))
    return document if is_json else (response.text or None)


def http_settings(url: str, key: str, timeout: float) -> dict[str, Any]:
    """What both kinds of httpx client are made with."""
    return {
        "base_url": f"{url.rstrip('/')}/api/v1",
        "headers": {"Authorization": f"Bearer {key}", "User-Agent": "keepsake-client/0.1.0"},
        "timeout": timeout,
    }
