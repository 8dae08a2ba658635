"""A circuit breaker: after several failures in a row no calls are made for a while, then one to see."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from memory_app.llm.errors import CircuitOpen, ModelError

MAX_FAILURES = 5
"""Failures in a row. With two attempts a call: the third call that fails is the last for now."""

COOLDOWN_SECONDS = 60.0
"""For how long no calls are made: the worker asks each minute."""


class CircuitBreaker:
    """Closed (calls go through), open (none do), half-open (one does, to see). Safe to share between threads."""

    def __init__(
        self,
        *,
        max_failures: int = MAX_FAILURES,
        cooldown: float = COOLDOWN_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_failures, self._cooldown, self._clock = max_failures, cooldown, clock
        self._lock = Lock()
        self._failures = 0
        self._open_until = 0.0

    def seconds_until_allowed(self) -> float:
        """Seconds for which no call may be made; after 0, `record_success` or `record_failure` must follow."""
        with self._lock:
            if self._failures < self._max_failures:
                return 0.0
            now = self._clock()
            if now < self._open_until:
                return self._open_until - now
            # Half-open. The others wait as long as after a failure: if this one call never reports back, another one
            # is allowed after that.
            self._open_until = now + self._cooldown
            return 0.0

    @contextmanager
    def call(self, what: str) -> Iterator[None]:
        """For one call. Raises CircuitOpen while no call may be made. A `ModelError` that is not `ailing` is an answer
        of the provider, so no failure of it."""
        if seconds := self.seconds_until_allowed():
            raise CircuitOpen(f"Not asked: the {what} failed too often; next try in {seconds:.0f} s.", seconds)
        try:
            yield
        except Exception as error:
            is_failure = error.ailing if isinstance(error, ModelError) else True
            (self.record_failure if is_failure else self.record_success)()
            raise
        self.record_success()

    def record_success(self) -> None:
        """The call was answered."""
        with self._lock:
            self._failures = 0

    def record_failure(self) -> None:
        """The call was not answered."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._max_failures:
                self._open_until = self._clock() + self._cooldown
