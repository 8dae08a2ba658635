"""Ask a model over the network: through a circuit breaker, with one retry after a pause, and check the answer.

The call itself is made by a provider, which is loaded at the first question.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from pydantic import BaseModel, ValidationError

from memory_app.llm.protocol import (
    Answer,
    AnswerSource,
    AnswerTooLong,
    BadAnswer,
    CircuitOpen,
    Completion,
    Model,
    ModelError,
    Prompt,
    Provider,
    Refused,
    T,
)

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
    def call(self, action: str) -> Iterator[None]:
        """For one call. Raises CircuitOpen while no call may be made. A `ModelError` that is not `ailing` is an answer
        of the provider, so no failure of it."""
        if seconds := self.seconds_until_allowed():
            raise CircuitOpen(f"Not asked: the {action} failed too often; next try in {seconds:.0f} s.", seconds)
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


RETRY_PAUSE_SECONDS = 1.0
"""Before the second attempt, half of it at least: what fails for a moment (a restart, a burst) is over by then."""

MIN_CALL_SECONDS = 0.05
"""What a call is given where its time is all but over: no time at all would mean none to wait to a socket."""

MAX_PAUSE_SECONDS = 20.0
"""What a provider may ask to wait. Longer, and the worker has other things to do: a later run asks again."""


@dataclass
class _TokenCount:
    """What one question has cost so far."""

    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, completion: Completion) -> None:
        self.tokens_in += completion.tokens_in
        self.tokens_out += completion.tokens_out


class RemoteModel(Model):
    """A model behind a provider. `load` makes the provider; `pause` and `longest_pause` are seconds, as for `sleep`."""

    def __init__(
        self,
        name: str,
        load: Callable[[], Provider],
        *,
        breaker: CircuitBreaker | None = None,
        pause: float = RETRY_PAUSE_SECONDS,
        longest_pause: float = MAX_PAUSE_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._name, self._load = name, load
        self._breaker = breaker or CircuitBreaker()
        self._pause, self._longest_pause, self._sleep = pause, longest_pause, sleep

    @property
    def name(self) -> str:
        return self._name

    @cached_property
    def _provider(self) -> Provider:
        return self._load()

    def ask(self, prompt: Prompt, schema: type[T], seconds: float | None = None) -> Answer[T]:
        """See `Model`. Two attempts at most; the second only where there is time for it."""
        started, token_count = time.monotonic(), _TokenCount()
        deadline = None if seconds is None else started + seconds
        try:
            value = self._ask_with_retry(prompt, schema, token_count, deadline)
        except ModelError as error:
            error.tokens_in, error.tokens_out = token_count.tokens_in, token_count.tokens_out
            raise
        milliseconds = int((time.monotonic() - started) * 1000)
        return Answer(
            value, AnswerSource(prompt.id, self.name, token_count.tokens_in, token_count.tokens_out, milliseconds)
        )

    def _ask_with_retry(self, prompt: Prompt, schema: type[T], token_count: _TokenCount, deadline: float | None) -> T:
        try:
            return self._attempt(prompt, schema, token_count, deadline)
        except ModelError as error:
            pause = max(self._pause * random.uniform(0.5, 1.5), error.retry_after or 0.0)
            if not error.again or pause > (self._longest_pause if deadline is None else deadline - time.monotonic()):
                raise
        self._sleep(pause)
        return self._attempt(prompt, schema, token_count, deadline)

    def _attempt(self, prompt: Prompt, schema: type[T], token_count: _TokenCount, deadline: float | None) -> T:
        completion = self._complete(prompt, schema, deadline)
        token_count.add(completion)
        if completion.stopped == "length":
            raise AnswerTooLong(f"The answer did not fit in {prompt.max_tokens} tokens.")
        if completion.stopped:
            raise Refused("The language model declined to answer.")
        return parse_answer(completion.text, schema)

    def _complete(self, prompt: Prompt, schema: type[BaseModel], deadline: float | None) -> Completion:
        provider = self._provider
        with self._breaker.call("language model"):
            left = None if deadline is None else max(deadline - time.monotonic(), MIN_CALL_SECONDS)
            return provider.complete(prompt, schema.model_json_schema(), left)


def parse_answer(text: str, schema: type[T]) -> T:
    """The JSON object in an answer, fenced or with words around it, as a value of `schema`. Raises BadAnswer."""
    try:
        return schema.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
    except ValidationError as error:
        # Only where and what: the input itself may be private.
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))
        problem = "is no JSON" if first["type"] == "json_invalid" else f"has a fault at {where}: {first['type']}"
        raise BadAnswer(f"The language model's answer {problem}.") from None
