"""Ask a model while someone waits: for so many seconds at most, and by so many at once.

The call runs on a thread of its own, so that whoever waits is released on time whatever the network does. Few may wait
at once, for each takes one of the few threads that serve requests: a model that is slow must not stop the service.
Whoever asks holds no transaction meanwhile.
"""

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from typing import TypeVar

from memory_app.llm.failures import Busy, Timeout
from memory_app.llm.protocol import Answer, Model, Prompt, T

AT_ONCE = 2
"""Of the four threads that serve requests (`serving/front.py`), as many as leave half of them for all others."""

V = TypeVar("V")

_places = BoundedSemaphore(AT_ONCE)


def in_time(act: Callable[[], V], seconds: float, places: BoundedSemaphore = _places) -> V:
    """What `act` returns or raises. Raises Busy where too many are under way, Timeout where it takes longer; then it
    goes on by itself, keeps its place until it ends, and its answer is dropped."""
    if not places.acquire(blocking=False):
        raise Busy("Too many wait for the language model already.")
    answered: SimpleQueue[tuple[V | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        result: V | None = None
        failed: BaseException | None = None
        try:
            result = act()
        except BaseException as error:  # whatever it is, it is raised where it is waited for
            failed = error
        finally:
            places.release()
            answered.put((result, failed))

    Thread(target=run, daemon=True, name="model in time").start()
    try:
        value, error = answered.get(timeout=max(seconds, 0.0))
    except Empty:
        raise Timeout(f"No answer within {seconds:g} s.") from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


class ModelInTime(Model):
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
            raise Timeout("The time to wait for the language model is over.")
        return in_time(lambda: self._model.ask(prompt, schema, left), left)
