"""Lines of a brief: subject by subject, and the newest of a subject first."""

from datetime import UTC, datetime

from memory_app.rules.brief_order import by_subject

DAYS = {name: datetime(2026, 1, day, tzinfo=UTC) for name, day in {"ghent": 1, "cat": 2, "lyon": 3, "nice": 4}.items()}


def test_the_newest_of_a_subject_stands_first_and_the_most_relevant_subject_before_others() -> None:
    pairs = [("ghent", "lyon"), ("lyon", "nice"), ("ghent", "elsewhere")]
    assert by_subject(["ghent", "cat", "lyon", "nice"], pairs, DAYS) == ["nice", "lyon", "ghent", "cat"]
    assert by_subject(["cat", "ghent", "lyon"], [], DAYS) == ["cat", "ghent", "lyon"]
    assert by_subject([], [], {}) == []
