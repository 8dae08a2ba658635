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
