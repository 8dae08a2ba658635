"""Job: what the worker may do by itself, and how it tells how much that was."""

from collections.abc import Callable
from dataclasses import dataclass

from memory_app.engine.running.carry_out import Report
from memory_app.engine.running.queue import MODELS
from memory_app.llm.model import configured
from memory_app.models import Person


@dataclass(frozen=True, slots=True)
class Job:
    """A job: what it runs, and when (cron, UTC), if by itself.

    one: runs it for one person alone, where that can be; its second argument is whether to leave nothing behind.
    asks_model: whether a language model, where one is set, is asked: then it waits for that one's worker.
    """

    run: Callable[[Report], str]
    about: str
    cron: str = ""
    one: Callable[[Person, bool], str] | None = None
    asks_model: bool = False

    @property
    def cluster(self) -> str | None:
        """Whose queue it waits in; None: everyone's."""
        return MODELS if self.asks_model and configured() else None


def counted(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
