"""What the pages say has changed between two versions."""

from dashboard.diff import MAX_TOKENS, DiffPiece, diff_versions, diff_words


def test_a_replaced_word_stands_after_the_one_it_replaces() -> None:
    assert diff_words("We chose the red tile.", "We chose the blue tile.") == [
        DiffPiece("same", "We chose the "),
        DiffPiece("removed", "red"),
        DiffPiece("added", "blue"),
        DiffPiece("same", " tile."),
    ]


def test_a_replaced_phrase_is_one_piece() -> None:
    assert diff_words("Dinner on Monday evening at Bob's", "Dinner next week at Bob's") == [
        DiffPiece("same", "Dinner "),
        DiffPiece("removed", "on Monday evening"),
        DiffPiece("added", "next week"),
        DiffPiece("same", " at Bob's"),
    ]


def test_the_same_text_is_one_piece() -> None:
    assert diff_words("Tea.\nNo sugar.", "Tea.\nNo sugar.") == [DiffPiece("same", "Tea.\nNo sugar.")]


def test_nothing_to_something_is_added() -> None:
    assert diff_words("", "Tea") == [DiffPiece("added", "Tea")]


def test_very_long_texts_are_compared_by_lines() -> None:
    long = "word " * MAX_TOKENS
    assert diff_words(f"{long}\nold", f"{long}\nnew") == [
        DiffPiece("same", f"{long}\n"),
        DiffPiece("removed", "old"),
        DiffPiece("added", "new"),
    ]


def test_only_changed_fields_are_listed_in_page_order() -> None:
    before = {"content": "Tea", "tags": ["drink"], "protected": False, "confidence": 1.0, "expires_at": None}
    after = {"content": "Tea", "tags": ["drink", "morning"], "protected": True, "confidence": 1.0, "expires_at": None}
    changes = diff_versions(before, after)
    assert [(change.label, change.pieces) for change in changes] == [
        ("Tags", (DiffPiece("same", "drink"), DiffPiece("added", ", morning"))),
        ("Kept for good", (DiffPiece("removed", "no"), DiffPiece("added", "yes"))),
    ]


def test_values_other_than_text_are_described_in_words() -> None:
    before = {"status": "active", "type": "person", "deleted_at": None, "delete_reason": ""}
    after = {"status": "deleted", "type": "task", "deleted_at": "2026-11-20T12:00:00.5Z", "delete_reason": "asked"}
    assert [(change.label, [piece.text for piece in change.pieces]) for change in diff_versions(before, after)] == [
        ("Kind", ["Someone", "Task"]),
        ("Status", ["current", "forgotten"]),
        ("Forgotten", ["20 November 2026, 12:00 (UTC)"]),
        ("Forgotten because", ["because someone asked"]),
    ]
