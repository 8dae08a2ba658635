"""The figures that are measured, and the one table of them: each set, each half, and what is to be reached."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.understanding.cases import HALVES, Case
from bench.understanding.simulated_person import SimulatedPerson


@dataclass(frozen=True)
class Figure:
    """A share of what was judged, or the number of faults. at_least, at_most: what is to be reached, if that is set."""

    what: str
    at_least: float | None = None
    at_most: float | None = None
    counted: bool = False

    @property
    def goal(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}"

    def of(self, marks: Sequence[bool]) -> float:
        return sum(marks) if self.counted else sum(marks) / max(1, len(marks))

    def reached(self, marks: Sequence[bool]) -> bool:
        value = self.of(marks)
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    def shown(self, marks: Sequence[bool]) -> str:
        value = f"{self.of(marks):.0f}" if self.counted else f"{self.of(marks):.2f}"
        return f"{value} ({sum(marks)} of {len(marks)})"


@dataclass
class Outcome:
    """What became of one case: for each figure one mark for each thing judged, and what went wrong, in words."""

    marks: dict[Figure, list[bool]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def mark(self, figure: Figure, value: bool) -> bool:
        self.marks.setdefault(figure, []).append(value)
        return value

    def fault(self, text: str) -> None:
        self.faults.append(text)


@dataclass(frozen=True)
class CaseSet:
    """A set of cases: its figures in the order of the table, and how one case is judged, by someone of its own."""

    name: str
    figures: Sequence[Figure]
    measure: Callable[[Case, SimulatedPerson], Outcome]


Measured = Mapping[str, Sequence[Outcome]]
"""The outcomes of a set, by half."""

HEAD = ("set", "what", *HALVES, "to reach", "")


def table_rows(of: CaseSet, measured: Measured) -> list[tuple[str, ...]]:
    """The lines of one set."""
    found = []
    for figure in of.figures:
        marks = {half: _marks(figure, measured.get(half, ())) for half in HALVES}
        cells = [figure.shown(marks[half]) if half in measured else "" for half in HALVES]
        found.append((of.name, figure.what, *cells, figure.goal, _judgement(figure, measured, marks)))
    return found


def table(lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    every = [HEAD, *lines]
    widths = [max(len(line[n]) for line in every) for n in range(len(HEAD))]
    every.insert(1, tuple("-" * width for width in widths))
    return "\n".join(f"| {' | '.join(map(str.ljust, line, widths))} |" for line in every)


def _marks(figure: Figure, outcomes: Sequence[Outcome]) -> list[bool]:
    return [mark for outcome in outcomes for mark in outcome.marks.get(figure, ())]


def _judgement(figure: Figure, measured: Measured, marks: Mapping[str, Sequence[bool]]) -> str:
    if not figure.goal:
        return ""
    short = [half for half in measured if not figure.reached(marks[half])]
    return f"short ({', '.join(short)})" if short else "ok"
