"""What strangers wrote into an export is data: it proposes nothing, changes no setting and no other's memory."""

from datetime import UTC, datetime
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


def test_a_time_before_1970_is_kept_and_ends_no_import(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    for day in ("1945-05-08", "0001-01-01", "9999-12-31"):
        written(vault / f"{day}.md", f"- Bells rang on day {day[:4]}\n")
    report = bring(vault)
    assert (report.counts["memories"], report.faults) == (3, [])
    with every_space():
        bells = Memory.objects.get(content__contains="1945")
    assert bells.valid_from == datetime(1945, 5, 8, 12, tzinfo=UTC)
    assert bring(vault).counts == {"known_memories": 3}


def test_a_source_that_says_year_1_where_it_knows_no_time_loses_nothing(tmp_path: Path) -> None:
    times = ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+05:00", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z")
    memories = ("Likes figs", "Rows daily", "Sails a dinghy", "Bakes rye bread")
    results = [
        {"id": memory, "memory": memory, "user_id": "x", "created_at": at}
        for memory, at in zip(memories, times, strict=True)
    ]
    bring(written(tmp_path / "page.json", {"results": results}))
    assert kept() == sorted(memories)


def test_messages_from_before_1970_come_in_at_their_times(tmp_path: Path) -> None:
    message = chatgpt_message("old", "user", "Hello from the past", -86_400.0)
    talk = chatgpt_conversation("old", message, create_time=-62_135_596_800.0)
    bring(written(tmp_path / "conversations.json", [talk]))
    assert said() == [("chatgpt:old", "user", "Hello from the past", datetime(1969, 12, 31, tzinfo=UTC))]


def test_an_entry_whose_id_cannot_be_stored_is_told_of_and_the_rest_goes_in(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    written(vault / "caf\udce9.md", "- Closed on Mondays\n")
    written(vault / "boat.md", "- The mast is oak\n")
    report = bring(vault)
    assert [fault.place for fault in report.faults] == ["caf?.md, part 1"]
    assert kept() == ["The mast is oak"]
