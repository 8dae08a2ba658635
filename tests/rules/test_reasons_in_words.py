"""Why something was recalled, in plain words."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.queries.question import read_question
from memory_app.rules.candidate_signals import Signals, Statistics
from memory_app.rules.reasons_in_words import explain

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ROW = Signals(
    id=1, cosine=0.5, bare_cosine=0.5, matched=0, words=8, session=None, position=0,
    speaker_named=False, from_wanted_role=True, said_at=datetime(2026, 3, 15, tzinfo=UTC),
)  # fmt: skip


def why(question: str, row: Signals) -> str:
    read = read_question(question, at=NOW, timezone=ZoneInfo("UTC"))
    stop = {"which", "did", "we", "what", "in", "the", "is"}
    counts = [word.casefold() not in stop for word in read.words]
    statistics = Statistics(10, [1.0] * len(counts), counts, [word in read.names for word in read.words])
    return explain(row, statistics, read, now=NOW, timezone=ZoneInfo("UTC"))


@pytest.mark.parametrize(
    ("question", "changed", "told"),
    [
        ("which blue tile did we choose?", {"matched": 0b110}, "says “blue tile” · close in meaning"),
        ("what did Anna choose?", {"matched": 0b100}, "mentions Anna · close in meaning"),
        ("what did Anna choose?", {"matched": 0b100, "speaker_named": True}, "said by Anna · close in meaning"),
        ("what did we choose in March?", {}, "close in meaning · from 15 March"),
        ("which tile?", {"cosine": 0.78}, "very close in meaning"),
        ("which tile?", {"cosine": 0.01, "superseded": True}, "replaced since"),
        ("which tile?", {"cosine": None}, "the nearest there is"),
    ],
)
def test_a_result_says_why_it_is_there(question: str, changed: dict[str, object], told: str) -> None:
    assert why(question, ROW._replace(**changed)) == told  # type: ignore[arg-type]
