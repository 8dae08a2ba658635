"""Who acts: written on every version and operation."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Author:
    """A key, a signed-in user, a job, a command or a language model; `request` ties together what one request did, and
    `run` what one reading of a conversation did, within a request or not."""

    kind: Literal["key", "user", "job", "command", "model"]
    name: str
    request: str = ""
    run: str = ""

    @property
    def label(self) -> str:
        return f"{self.kind}:{self.name}"
