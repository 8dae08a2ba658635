"""What other products export comes in once, whole, at the times it was said, whatever is broken or stops it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.erasure.erase_person import erase_person
from memory_app.engine.imports import run_import
from memory_app.engine.imports.run_import import run_file
from memory_app.engine.imports.undo_import import undo_import
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import ConflictError, Invalid
from memory_app.models import Conversation, HistoryImport, ImportPart, Memory, Person, Turn
from memory_app.models.row_security import every_space
from tests.engine.imports.bringing import begun, bring, expected, ignore, kept, said
from tests.imports.reading import written
from tests.imports.samples import SPRING, chatgpt_message, garden_talk, zip_of
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("user", "alice")
TEN = datetime(2024, 5, 1, 10, tzinfo=UTC)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    return zip_of(
        tmp_path / "chatgpt.zip", {"conversations.json": [garden_talk("one"), garden_talk("two", SPRING + 900)]}
    )


def _mem0(own_id: str, memory: str, user: str = "x") -> dict[str, str]:
    return {"id": own_id, "memory": memory, "user_id": user}


def test_conversations_come_in_as_turns_at_the_times_they_were_said(export: Path) -> None:
    report = bring(export)
    assert report.counts == {"conversations": 2, "turns": 8, "memories": 1, "known_memories": 1}
    assert said()[:2] == [
        (
            "chatgpt:one",
            "user",
            "I moved to Ghent last week and I am a vegetarian.",
            datetime(2024, 5, 1, 10, tzinfo=UTC),
        ),
        (
            "chatgpt:one",
            "assistant",
            "Welcome to Ghent! What do you like to cook?",
            datetime(2024, 5, 1, 10, 0, 10, tzinfo=UTC),
        ),
    ]
    assert kept() == ["alice lives in Ghent."]
    with every_space():
        talk = Conversation.objects.get(external_id="chatgpt:one")
        memory = Memory.objects.get()
    assert (talk.started_at, talk.turn_count, talk.user_turns_unread) == (TEN, 4, 2)
    assert talk.ended_at == TEN + timedelta(seconds=30)
    assert (memory.visibility, memory.source_type, memory.attributes["imported_from"]) == (
        "private",
        "migration",
        "chatgpt",
    )
    assert memory.created_at == memory.valid_from == TEN + timedelta(seconds=11)


def test_the_same_file_again_changes_nothing(export: Path) -> None:
    first = expected(export)
    bring(export)
    before = (said(), kept())
    again = bring(export, now=NOON + timedelta(days=1))
    assert first == {"conversations": 2, "turns": 8, "memories": 2}
    assert again.counts == {"known_conversations": 2, "known_turns": 8, "known_memories": 2}
    assert (said(), kept()) == before


def test_a_later_export_brings_what_was_said_since(tmp_path: Path) -> None:
    talk = garden_talk("one")
    bring(written(tmp_path / "conversations.json", [talk]))
    talk["mapping"]["new"] = {
        "message": chatgpt_message("new", "user", "And I planted figs.", SPRING + 99),
        "parent": "one-6",
        "children": [],
    }
    report = bring(written(tmp_path / "conversations.json", [{**talk, "current_node": "new"}]))
    counts = {"known_conversations": 1, "known_turns": 4, "turns": 1, "added_turns": 1, "known_memories": 1}
    assert report.counts == counts
    assert [words for _, _, words, _ in said()][-1] == "And I planted figs."


def test_an_import_that_is_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: Encoder
) -> None:
    path = written(tmp_path / "conversations.json", [garden_talk(f"t{n}", SPRING + 900 * n) for n in range(6)])
    monkeypatch.setattr(run_import, "BATCH_ENTRIES", 2)
    row = begun(path)

    def stop(done: int, total: int) -> None:
        if done >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_file(row=row, path=path, author=AUTHOR, now=NOON, encoder=encoder, report=stop)
    halfway = len(said())
    with every_space():
        fresh = HistoryImport.objects.select_related("person", "space").get(id=row.id)
    assert 0 < halfway < 24
    assert fresh.done == 6
    report = run_file(row=fresh, path=path, author=AUTHOR, now=NOON, encoder=encoder, report=ignore)
    assert len(said()) == 24
    assert (report.counts["conversations"], report.counts["turns"]) == (6, 24)


def test_a_broken_entry_is_told_and_the_rest_goes_in(tmp_path: Path) -> None:
    path = written(
        tmp_path / "conversations.json", [garden_talk("one"), {"mapping": 3, "id": "torn"}, garden_talk("two")]
    )
    report = bring(path)
    assert [(fault.place, fault.reason) for fault in report.faults] == [
        ("conversations.json, entry 2 (torn)", "its mapping is not an object")
    ]
    assert {name for name, *_ in said()} == {"chatgpt:one", "chatgpt:two"}


def test_sensitive_text_comes_in_private_and_marked_unless_its_person_refuses_it(tmp_path: Path) -> None:
    page = {"results": [{"id": "m1", "memory": "My doctor says I have diabetes", "user_id": "x"}]}
    path = written(tmp_path / "page.json", page)
    bring(path)
    with every_space():
        [memory] = Memory.objects.all()
    assert (memory.sensitive, memory.visibility) == (True, "private")
    resolve_venue(person="bob")
    Person.objects.filter(name="bob").update(sensitive_policy="refused")
    report = bring(path, "bob")
    assert report.counts == {"faults": 1}
    assert "sensitive" in report.faults[0].reason
    assert "diabetes" not in json.dumps(report.as_json())
    assert kept("bob") == []


def test_nothing_comes_in_while_memory_is_paused(export: Path) -> None:
    row = begun(export)
    Person.objects.filter(name="alice").update(memory_enabled=False)
    with pytest.raises(ConflictError, match="paused"):
        run_file(row=row, path=export, author=AUTHOR, now=NOON, encoder=None, report=ignore)  # type: ignore[arg-type]
    assert said() == []


def test_several_people_in_a_file_are_told_apart(tmp_path: Path) -> None:
    results = [
        {"id": "m1", "memory": "Likes figs", "user_id": "alice"},
        {"id": "m2", "memory": "Rows", "user_id": "nils"},
    ]
    report = bring(written(tmp_path / "page.json", {"results": results}))
    assert kept() == ["Likes figs"]
    assert report.skipped == {"memories of other people": 1}


def test_another_person_s_import_of_the_same_file_is_theirs(export: Path) -> None:
    bring(export)
    assert bring(export, "bob").counts["turns"] == 8
    assert len(said("alice")) == len(said("bob")) == 8


def test_what_was_forgotten_or_erased_does_not_come_back(tmp_path: Path) -> None:
    results = [
        {"id": "m1", "memory": "Likes figs", "user_id": "x"},
        {"id": "m2", "memory": "Rows daily", "user_id": "x"},
    ]
    path = written(tmp_path / "page.json", {"results": results})
    bring(path)
    with every_space():
        figs, rows = (MemoryRef(one.space_id, one.id) for one in Memory.objects.order_by("content"))
    delete_memory(at=figs, author=AUTHOR, now=NOON)
    erase(at=rows, author=AUTHOR, now=NOON)
    report = bring(path)
    assert report.counts == {"known_memories": 1, "erased": 1}
    assert kept() == []


def test_erasing_a_person_takes_all_that_came_in(export: Path) -> None:
    bring(export)
    begun(export)
    erase_person(name="alice", author=AUTHOR, now=NOON)
    with every_space():
        left = [model.objects.count() for model in (HistoryImport, ImportPart, Conversation, Turn, Memory)]
    assert left == [0, 0, 0, 0, 0]


def test_undone_it_is_gone_and_imported_again_it_is_back(export: Path) -> None:
    bring(export)
    before = (said(), kept())
    with every_space():
        row = HistoryImport.objects.get()
    undone = undo_import(row=row, author=AUTHOR, now=NOON)
    assert (undone.memories, undone.conversations, undone.left) == (1, 2, 0)
    assert (said(), kept()) == ([], [])
    with pytest.raises(ConflictError):
        undo_import(row=row, author=AUTHOR, now=NOON)
    bring(export, now=NOON + timedelta(hours=1))
    assert (said(), kept()) == before


def test_whoever_goes_on_with_an_imported_conversation_is_in_one_that_follows(export: Path) -> None:
    bring(export)
    venue_context = resolve_venue(person="alice", create=False)
    talk, new = find_or_open_conversation(venue_context=venue_context, external_id="chatgpt:one", now=NOON)
    listened = add_turns(conversation=talk.id, turns=[TurnInput("user", "Hello again")], now=NOON)
    assert not new
    assert (listened.conversation.follows, listened.conversation.import_id) == (talk.id, None)


def test_a_file_of_no_known_format_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="none of the formats"):
        begun(written(tmp_path / "some.json", {"hello": 1}))
