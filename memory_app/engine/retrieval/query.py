"""What is asked of recall, and one thing that it finds: for those who ask, and for each step on the way."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Generic, Literal, TypeVar, cast

from memory_app.models import Document, Memory, Note, Turn
from memory_app.nlp.passages import split_passages
from memory_app.rules.candidate_signals import Signals
from memory_app.rules.filters import NO_FILTERS, Filters, can_pass
from memory_app.rules.fusion import Share

Kind = Literal["memory", "turn", "note", "document"]
Method = Literal["hybrid", "vector", "text", "entity", "rrf"]

DEFAULT_LIMIT = 20


@dataclass(frozen=True)
class RecallQuery:
    """A question, and what the answer is narrowed to. as_of: what held at that time, whatever replaced it since.
    rerank: whether by a reranker too; None where one is set. sides: of each side of a life that is asked of, the words
    it is told by (`nlp/query_expansion.py`)."""

    text: str
    limit: int = DEFAULT_LIMIT
    kinds: tuple[Kind, ...] = ("memory",)
    filters: Filters = NO_FILTERS
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    method: Method = "hybrid"
    rerank: bool | None = None
    sides: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def searchable_kinds(self) -> tuple[Kind, ...]:
        """The kinds that can pass the filters."""
        return tuple(kind for kind in self.kinds if can_pass(kind, self.filters))


SearchedRow = Memory | Turn | Note | Document
Row = TypeVar("Row", bound=SearchedRow, covariant=True)


@dataclass(frozen=True, slots=True)
class ResultOf(Generic[Row]):
    """One thing found: its score, what each signal contributed, and the signals themselves. relevant: whether it has to
    do with the query at all (`rules/gate.py`)."""

    row: Row
    score: float
    why: tuple[Share, ...]
    signals: Signals
    relevant: bool = True

    @property
    def passage(self) -> str:
        """The part of a long text by which it was found; "" where the whole speaks for itself, or there is no such part
        any more: the text was changed since it was found, or was cut in other places when it was embedded."""
        part = self.signals.part
        text = self.row.searched_text if isinstance(self.row, Document) else self.row.content
        return next(iter(split_passages(text)[part - 1 : part]), "") if part else ""

    @property
    def short_text(self: "ResultOf[Memory]") -> str:
        """A memory in short: its summary, and of a long one the passage that was found, which the summary may lack."""
        summary, passage = self.row.summary, self.passage
        if passage in summary or summary in passage:
            return max(summary, passage, key=len)
        return f"{summary} … {passage}"


Result = ResultOf[SearchedRow]
MemoryResult = ResultOf[Memory]


def memory_results(results: Iterable[Result]) -> list[MemoryResult]:
    """Those of the results that are memories."""
    return [cast(MemoryResult, result) for result in results if isinstance(result.row, Memory)]
