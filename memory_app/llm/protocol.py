"""What a language model is to the rest of Keepsake: something that answers one prompt with one checked value.

Leaves to `remote` how it is asked, to `providers` who is asked, to `prompts` and `tasks` what it is asked.
"""

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

T = TypeVar("T", bound=BaseModel)

Schema = dict[str, Any]
"""A JSON schema."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. `id` names the prompt file and its version, such as "extract-2"; rows store it with what it made.

    `system` holds the rules, which are ours alone; `text` the material, which others wrote.
    """

    id: str
    system: str
    text: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """What made an answer and what it cost, every attempt counted."""

    prompt: str
    model: str
    tokens_in: int
    tokens_out: int
    milliseconds: int

    @property
    def extractor(self) -> str:
        """The prompt and the model in one name, as rows store it."""
        return f"{self.prompt} {self.model}"


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A value of the schema asked for, and how it came about."""

    value: T
    source: AnswerSource


class Model(Protocol):
    """A language model, whoever runs it."""

    @property
    def name(self) -> str:
        """The provider and its model, such as "openai:gpt-5-mini"."""

    def ask(self, prompt: Prompt, schema: type[T], seconds: float | None = None) -> Answer[T]:
        """The answer, checked against `schema`. It takes seconds to minutes, for the worker; a request passes the
        seconds that it may take (`with_timeout`). Raises `ModelError`."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a provider sent back, unchecked. `stopped` is "length" or "refusal" where the answer is not whole."""

    text: str
    tokens_in: int
    tokens_out: int
    stopped: str = ""


class Provider(Protocol):
    """One kind of server that runs models."""

    def complete(self, prompt: Prompt, schema: Schema, seconds: float | None = None) -> Completion:
        """One call, of at most so many seconds where they are given. Raises `ModelError`."""


class ModelError(Exception):
    """No answer that can be used.

    `tokens_in` and `tokens_out` are what the attempts cost all the same; `retry_after` is the pause in seconds that
    the provider asked for.
    """

    again = False
    """Whether asking once more may help."""

    later = False
    """Whether it tells of this moment only: asked some minutes later, the model may well answer."""

    ailing = False
    """Whether it tells of the provider, not of this one prompt: only that opens the circuit breaker, or one person's
    conversation could switch the model off for all."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.tokens_in = 0
        self.tokens_out = 0


class ModelTimeout(ModelError):
    """No whole answer within the time allowed."""

    again = later = ailing = True


class Unreachable(ModelError):
    """No connection, a broken one, or a server that answers with an error of its own."""

    again = later = ailing = True


class CircuitOpen(Unreachable):
    """Not asked: the circuit breaker is open. `retry_after` says for how long."""

    again = ailing = False


class TooManyCalls(Unreachable):
    """Not asked: as many wait for an answer as may."""

    again = ailing = False


class RateLimited(ModelError):
    """The provider wants fewer calls."""

    again = later = ailing = True


class Refused(ModelError):
    """The model declines to answer, or the provider to ask it; the same prompt would be declined again."""


class UnsupportedRequest(Refused):
    """The provider does not accept this form of request."""


class ConfigurationRejected(Refused):
    """The key, the model's name or the address is not right: no prompt would get through."""

    ailing = True


class BadAnswer(ModelError):
    """An answer that is not what was asked for: no JSON, another schema, or one that fails its checks."""

    again = True


class AnswerTooLong(ModelError):
    """An answer longer than is read, or cut off at the most tokens allowed."""


class NotSent(ModelError):
    """Not asked: the text is sensitive, or there is nothing to ask about."""


class NotInstalled(ModelError):
    """The provider's package is missing."""
