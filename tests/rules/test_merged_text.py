"""A draft of one text in the place of two."""

import pytest

from memory_app.rules.merged_text import merged_text


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        ("Oat milk, please.", "Oat milk, please.", "Oat milk, please."),
        (
            "Alice takes oat milk.",
            "Alice takes oat milk in her coffee.",
            "Alice takes oat milk in her coffee.",
        ),
        (
            "Alice takes oat milk in her coffee. She drinks two cups.",
            "Alice takes oat milk",
            "Alice takes oat milk in her coffee. She drinks two cups.",
        ),
        (
            "Alice prefers oat milk",
            "Alice likes her coffee with oat milk",
            "Alice prefers oat milk. Alice likes her coffee with oat milk",
        ),
        ("", "Alice takes oat milk.", "Alice takes oat milk."),
        ("Alice takes oat milk.", "", "Alice takes oat milk."),
        ("", "", ""),
    ],
)
def test_the_draft_says_what_both_say_and_nothing_twice(old: str, new: str, both: str) -> None:
    assert merged_text(old, new) == both
