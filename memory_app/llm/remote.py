"""Ask a model over the network: a breaker before each attempt, one retry after a pause, and the answer checked.

Leaves the call itself to a provider, which is loaded at the first question.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel, ValidationError

from memory_app.llm.breaker import Breaker
from memory_app.llm.failures import BadAnswer, ModelError, Refused, Resting, TooLarge
from memory_app.llm.protocol import Answer, Completion, Made, Model, Prompt, Provider, T

PAUSE_SECONDS = 1.0
"""Before the second attempt, half of it at least: what fails for a moment (a restart, a burst) is over by then."""

LEAST_SECONDS = 0.05
"""What a call is given where its time is all but over: no time at all would mean none to wait to a socket."""

LONGEST_PAUSE_SECONDS = 20.0
"""What a provider may ask to wait. Longer, and the worker has other things to do: a later run asks again."""


@dataclass
class _Tally:
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
        breaker: Breaker | None = None,
        pause: float = PAUSE_SECONDS,
        longest_pause: float = LONGEST_PAUSE_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._name, self._load = name, load
        self._breaker = breaker or Breaker()
        self._pause, self._longest_pause, self._sleep = pause, longest_pause, sleep

    @property
    def name(self) -> str:
        return self._name

    @cached_property
    def _provider(self) -> Provider:
        return self._load()

    def ask(self, prompt: Prompt, schema: type[T], seconds: float | None = None) -> Answer[T]:
        """See `Model`. Two attempts at most; the second only where there is time for it."""
        started, tally = time.monotonic(), _Tally()
        ends = None if seconds is None else started + seconds
        try:
            value = self._asked(prompt, schema, tally, ends)
        except ModelError as error:
            error.tokens_in, error.tokens_out = tally.tokens_in, tally.tokens_out
            raise
        milliseconds = int((time.monotonic() - started) * 1000)
        return Answer(value, Made(prompt.id, self.name, tally.tokens_in, tally.tokens_out, milliseconds))

    def _asked(self, prompt: Prompt, schema: type[T], tally: _Tally, ends: float | None) -> T:
        try:
            return self._attempt(prompt, schema, tally, ends)
        except ModelError as error:
            pause = max(self._pause * random.uniform(0.5, 1.5), error.retry_after or 0.0)
            if not error.again or pause > (self._longest_pause if ends is None else ends - time.monotonic()):
                raise
        self._sleep(pause)
        return self._attempt(prompt, schema, tally, ends)

    def _attempt(self, prompt: Prompt, schema: type[T], tally: _Tally, ends: float | None) -> T:
        completion = self._completed(prompt, schema, ends)
        tally.add(completion)
        if completion.stopped == "length":
            raise TooLarge(f"The answer did not fit in {prompt.most_tokens} tokens.")
        if completion.stopped:
            raise Refused("The language model declined to answer.")
        return read(completion.text, schema)

    def _completed(self, prompt: Prompt, schema: type[BaseModel], ends: float | None) -> Completion:
        provider = self._provider
        if wait := self._breaker.wait():
            raise Resting(f"Not asked: the language model failed too often; next try in {wait:.0f} s.", wait)
        try:
            left = None if ends is None else max(ends - time.monotonic(), LEAST_SECONDS)
            completion = provider.complete(prompt, schema.model_json_schema(), left)
        except ModelError as error:
            (self._breaker.fails if error.ailing else self._breaker.works)()
            raise
        self._breaker.works()
        return completion


def read(text: str, schema: type[T]) -> T:
    """The JSON object in an answer, fenced or with words around it, as a value of `schema`. Raises BadAnswer."""
    try:
        return schema.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
    except ValidationError as error:
        # Only where and what: the input itself may be private.
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))
        problem = "is no JSON" if first["type"] == "json_invalid" else f"has a fault at {where}: {first['type']}"
        raise BadAnswer(f"The language model's answer {problem}.") from None
