"""What strangers wrote into an export is data: it proposes nothing, changes no setting and no other's memory."""

from pathlib import Path

import pytest

from memory_app.jobs.import_history import read_imported
from memory_app.models import Memory, Person, Proposal
from memory_app.models.row_security import every_space
from tests.engine.imports.bringing import bring, ignore, kept, said
from tests.hostile_texts import HOSTILE
from tests.imports.reading import written
from tests.imports.samples import SPRING, chatgpt_conversation, chatgpt_message

pytestmark = pytest.mark.django_db

SETTINGS = ("timezone", "language", "memory_enabled", "extraction_policy", "sensitive_policy", "display_name")


def _settings() -> list[tuple[object, ...]]:
    return list(Person.objects.order_by("name").values_list("name", *SETTINGS))


def test_hostile_texts_of_an_export_are_words_and_nothing_else(tmp_path: Path) -> None:
    bring(written(tmp_path / "page.json", {"results": [{"id": "b", "memory": "Bob rows", "user_id": "x"}]}), "bob")
    bring(written(tmp_path / "page.json", {"results": [{"id": "a", "memory": "Alice sails", "user_id": "x"}]}))
    before = _settings()
    messages = [
        chatgpt_message(f"m{number}", ("user", "assistant")[number % 2], text, SPRING + number)
        for number, text in enumerate(HOSTILE)
    ]
    bring(written(tmp_path / "conversations.json", [chatgpt_conversation("hostile", *messages)]))
    read_imported(ignore)
    assert len(said()) > len(HOSTILE) / 2
    assert (_settings(), kept("bob")) == (before, ["Bob rows"])
    assert kept() == ["Alice sails"]
    with every_space():
        levels = set(Memory.objects.values_list("visibility", flat=True))
        asked = list(Proposal.objects.filter(person__name="alice").values_list("content", flat=True))
    assert levels == {"private"}
    assert [text for text in asked if "ignore" in text.casefold() or "system" in text.casefold()] == []


def test_hostile_memories_of_an_export_stay_private_to_who_brought_them(tmp_path: Path) -> None:
    results = [{"id": f"m{number}", "memory": text, "user_id": "x"} for number, text in enumerate(HOSTILE)]
    before = bring(written(tmp_path / "page.json", {"results": results}))
    with every_space():
        rows = list(Memory.objects.select_related("person").all())
    assert before.counts["memories"] == len(rows) > 0
    assert {(row.visibility, row.protected, row.person.name) for row in rows} == {("private", False, "alice")}
    assert kept("bob") == []
