"""What a brief says, read as an assistant reads it: which statements are in it, in what order, and from which day."""

from collections.abc import Sequence
from datetime import datetime

from bench.understanding.cases import normalised

MIN_WORDS = 3
"""Words of a statement by which a line that shows a part of it is known."""

DAY_FORMS = ("%Y-%m-%d", "%-d %B %Y", "%-d %b %Y", "%B %-d, %Y")


def lines_of(brief: str) -> list[str]:
    return [line[2:] for line in brief.splitlines() if line.startswith("- ")]


def statements_in(brief: str, statements: Sequence[str]) -> list[int]:
    """Which statements are in a brief, first to last."""
    found = [
        n for line in lines_of(brief) for n, statement in enumerate(statements) if contains_statement(line, statement)
    ]
    return list(dict.fromkeys(found))


def contains_statement(line: str, statement: str) -> bool:
    """Whether a line tells a statement, in whole or cut."""
    quoted = normalised(line.partition("“")[2].rpartition("”")[0] or line)
    whole = normalised(statement)
    return whole in quoted or (len(quoted.split()) >= MIN_WORDS and quoted in whole)


def shows_day(brief: str, statement: str, at: datetime) -> bool:
    """Whether the line that tells a statement shows the day it was told."""
    days = [at.strftime(form) for form in DAY_FORMS]
    return any(day in line for line in lines_of(brief) if contains_statement(line, statement) for day in days)
