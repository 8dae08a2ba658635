"""A circuit breaker: after several failures in a row a provider is left alone for a while, then tried once.

Knows nothing of models; `remote` says what a failure is.
"""

import time
from collections.abc import Callable
from threading import Lock

OPENS_AFTER = 5
"""Failures in a row. With two attempts a call: the third call that fails is the last for now."""

RESTS_SECONDS = 60.0
"""How long a provider is left alone: the worker comes by each minute."""


class Breaker:
    """Closed (calls go through), open (none do), half-open (one does, to see). Safe to share between threads."""

    def __init__(
        self,
        *,
        opens_after: int = OPENS_AFTER,
        rests: float = RESTS_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opens_after, self._rests, self._clock = opens_after, rests, clock
        self._lock = Lock()
        self._failures = 0
        self._open_until = 0.0

    def wait(self) -> float:
        """Seconds for which no call may be made; 0 admits one, which must be followed by `works` or `fails`."""
        with self._lock:
            if self._failures < self._opens_after:
                return 0.0
            now = self._clock()
            if now < self._open_until:
                return self._open_until - now
            # Half-open. The others wait on, as long as for a failure: should this one call never report back, another
            # is admitted after that.
            self._open_until = now + self._rests
            return 0.0

    def works(self) -> None:
        """The provider answered."""
        with self._lock:
            self._failures = 0

    def fails(self) -> None:
        """The provider did not answer."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._opens_after:
                self._open_until = self._clock() + self._rests
