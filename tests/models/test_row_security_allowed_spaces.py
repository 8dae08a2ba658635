"""Row security: which rows the database lets a transaction see and write, whatever the application asks for."""

from pathlib import Path
from uuid import UUID

import pytest
from django.db import ProgrammingError, transaction

from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.models import Channel, Memory
from memory_app.models.row_security import allowed_spaces, every_space, narrow_allowed_spaces
from tests.source import CODE, called, files
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

CALLERS = {
    Path("bench/backfill.py"): "the rows that a measurement gives vectors to",
    Path("bench/dropping.py"): "the log of which a measurement drops a month",
    Path("bench/erasing.py"): "the rows that a measurement erases",
    Path("bench/night.py"): "the rows that a night's jobs are measured on",
    Path("bench/passages.py"): "the turns whose passages a measurement takes away",
    Path("bench/rows.py"): "the rows of strangers that a measurement needs",
    Path("memory_app/api/admin.py"): "the log, for super users",
    Path("memory_app/engine/proposals/consolidate.py"): "a job over everything",
    Path("memory_app/engine/deletion/fade.py"): "a job over everything",
    Path(
        "memory_app/engine/summaries/daily_note.py"
    ): "what of a person's is unread; the days are read in their spaces",
    Path("memory_app/jobs/enrich_entities.py"): "a job over everything",
    Path("memory_app/engine/erasure/erase_memory.py"): "an erasure takes the words from wherever they are",
    Path("memory_app/engine/erasure/traces.py"): "its words are looked for everywhere",
    Path("memory_app/engine/erasure/erase_person.py"): "the same, of a person",
    Path("memory_app/engine/erasure/replay_erasures.py"): "the same, again after a restore",
    Path("memory_app/engine/retrieval/admin_search.py"): "a super user's search over all tiers",
    Path("memory_app/engine/audit/request_log.py"): "each goes to the space of whom it spoke of",
    Path("memory_app/engine/erasure/purge.py"): "a job over everything",
    Path("dashboard/viewer.py"): "pages of super users",
    Path("memory_app/api/entities.py"): "an entity by its id; the grant is asked next",
    Path("memory_app/engine/transfer/import_records.py"): "an import asks whether an id is there already",
    Path("memory_app/engine/imports/read_history.py"): "a job over everything",
    Path("memory_app/jobs/import_history.py"): "a job over everything",
    Path("memory_app/engine/transfer/restore_rows.py"): "the same, of what is no memory",
    Path("memory_app/engine/transfer/id_map.py"): "an import asks whether someone else holds an id",
    Path("memory_app/engine/proposals/review.py"): "a job over everything",
    Path("memory_app/management/commands/status.py"): "how many memories there are",
    Path("memory_app/engine/conflicts/answer.py"): "a conflict by its id; the grant is asked next",
    Path("memory_app/engine/deletion/fade.py"): "a job over everything",
    Path("memory_app/engine/proposals/model_input.py"): "a run by its id, where its person was merged into another",
    Path("memory_app/engine/conversations/turns.py"): "the same, to read it",
    Path("memory_app/engine/conversations/add_turns.py"): "a conversation by its id; the grant is asked next",
    Path("memory_app/engine/documents/documents.py"): "a document by its id; the grant is asked next",
    Path("memory_app/engine/summaries/notes.py"): "a note by its id; the grant is asked next",
    Path("memory_app/engine/memories/find.py"): "an id alone does not tell its space; the grant is asked next",
    Path("memory_app/engine/people/overview.py"): "how much there is of each person; the grant narrows it",
    Path("memory_app/engine/retrieval/narrow.py"): "a search by its id; the key is asked with it",
    Path("memory_app/engine/retrieval/receipts.py"): "the same, of a receipt",
    Path("memory_app/jobs/embed_rows.py"): "a job over everything",
    Path("memory_app/engine/retrieval/pack.py"): "a job over everything",
    Path("memory_app/jobs/embed_items.py"): "a job over everything",
    Path("memory_app/engine/proposals/accept_proposal.py"): "a proposal by its id; the grant is asked next",
    Path("memory_app/engine/conversations/read_turns.py"): "a job over everything",
    Path("memory_app/health.py"): "whether any vector is of another model",
    Path("memory_app/metrics.py"): "how many memories and proposals there are of each status",
}
"""Every file that may look into all spaces at once, and why."""


@pytest.fixture
def alice() -> VenueContext:
    return resolve_venue(person="alice", place=VenueNames("kitchen"))


@pytest.fixture
def bob() -> VenueContext:
    return resolve_venue(person="bob", place=VenueNames("garage"))


@pytest.fixture
def rows(alice: VenueContext, bob: VenueContext) -> dict[str, Memory]:
    """One memory of each, in their spaces."""
    memories = {"soup": _said(alice, "Soup is on Tuesdays"), "saw": _said(bob, "The saw is blunt")}
    for venue_context, memory in zip((alice, bob), memories.values(), strict=True):
        with allowed_spaces(venue_context.venue.spaces):
            memory.save(force_insert=True)
    return memories


def _said(venue_context: VenueContext, text: str) -> Memory:
    return build_memory(venue_context, MemoryInput(content=text), NOON).memory


def _seen() -> set[str]:
    return set(Memory.objects.values_list("content", flat=True))


def _space(venue_context: VenueContext) -> UUID:
    assert venue_context.venue.space is not None
    return venue_context.venue.space


@pytest.mark.usefixtures("rows")
def test_without_a_scope_no_row_is_seen() -> None:
    assert _seen() == set()
    assert Channel.objects.count() == 0


def test_without_a_scope_no_row_is_written(alice: VenueContext, rows: dict[str, Memory]) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
        _said(alice, "Salad is on Fridays").save(force_insert=True)
    assert Memory.objects.filter(id=rows["soup"].id).update(content="Gone") == 0
    assert Memory.objects.filter(id=rows["soup"].id).delete()[0] == 0


def test_a_scope_shows_its_spaces_and_no_others(
    alice: VenueContext, bob: VenueContext, rows: dict[str, Memory]
) -> None:
    with allowed_spaces([_space(alice)]):
        assert _seen() == {"Soup is on Tuesdays"}
    with allowed_spaces([_space(bob)]):
        assert _seen() == {"The saw is blunt"}
    with allowed_spaces([_space(alice), _space(bob)]):
        assert _seen() == {"Soup is on Tuesdays", "The saw is blunt"}
    with allowed_spaces([]):
        assert _seen() == set()
    with every_space():
        assert _seen() == {"Soup is on Tuesdays", "The saw is blunt"}


def test_a_row_of_another_space_is_neither_changed_nor_deleted(alice: VenueContext, rows: dict[str, Memory]) -> None:
    with allowed_spaces([_space(alice)]):
        assert Memory.objects.filter(id=rows["saw"].id).update(content="Gone") == 0
        assert Memory.objects.filter(id=rows["saw"].id).delete()[0] == 0
    with every_space():
        assert _seen() == {"Soup is on Tuesdays", "The saw is blunt"}


def test_a_row_is_not_written_into_another_space(
    alice: VenueContext, bob: VenueContext, rows: dict[str, Memory]
) -> None:
    with allowed_spaces([_space(alice)]):
        with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
            _said(bob, "The drill is lent").save(force_insert=True)
        with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
            Memory.objects.filter(id=rows["soup"].id).update(space_id=_space(bob))


def test_a_nested_scope_hands_back_its_outer_one(
    alice: VenueContext, bob: VenueContext, rows: dict[str, Memory]
) -> None:
    with allowed_spaces([_space(alice)]):
        with allowed_spaces([_space(bob)]):
            assert _seen() == {"The saw is blunt"}
        assert _seen() == {"Soup is on Tuesdays"}
        with every_space():
            assert len(_seen()) == 2
        assert _seen() == {"Soup is on Tuesdays"}
        with allowed_spaces([_space(alice)]):
            pass
        assert _seen() == {"Soup is on Tuesdays"}
    assert _seen() == set()


@pytest.mark.usefixtures("rows")
def test_an_error_within_a_nested_scope_hands_back_its_outer_one(alice: VenueContext, bob: VenueContext) -> None:
    with allowed_spaces([_space(alice)]):
        for inner in (allowed_spaces([_space(bob)]), every_space()):
            with pytest.raises(ProgrammingError), inner:
                Memory.objects.raw("SELECT nonsense")[0]
            assert _seen() == {"Soup is on Tuesdays"}
    assert _seen() == set()


@pytest.mark.usefixtures("rows")
def test_an_error_in_the_outermost_scope_leaves_none(alice: VenueContext) -> None:
    for scope in (allowed_spaces([_space(alice)]), every_space()):
        with pytest.raises(ValueError, match="oops"), scope:
            raise ValueError("oops")
        assert _seen() == set()


@pytest.mark.django_db(transaction=True)
def test_no_scope_outlives_its_transaction(alice: VenueContext, rows: dict[str, Memory]) -> None:
    """The next request of the same connection starts with nothing."""
    with every_space():
        assert len(_seen()) == 2
    assert _seen() == set()
    with allowed_spaces([_space(alice)]):
        assert len(_seen()) == 1
    assert _seen() == set()


def test_only_the_listed_files_look_into_every_space() -> None:
    found = {path for path in files(*CODE) if any(name.split(".")[-1] == "every_space" for name in called(path))}
    assert found - {Path("memory_app/models/row_security.py")} == set(CALLERS)


def test_only_the_scope_sets_what_row_security_reads() -> None:
    settings = ("app.spaces", "app.every_space")
    found = {path for path in files(*CODE) if any(name in path.read_text() for name in settings)}
    # bench/raw_sql.py asks the same of the database as the application does, without it; a backup holds every space.
    assert found == {
        Path("memory_app/models/row_security.py"),
        Path("memory_app/models/row_security.py"),
        Path("memory_app/migrations/0001_initial.py"),
        Path("memory_app/migrations/0002_items_under_namespaces.py"),
        Path("memory_app/migrations/0004_imports_of_history.py"),
        Path("memory_app/migrations/0005_documents_of_assistants.py"),
        Path("memory_app/migrations/0007_segments.py"),
        Path("memory_app/postgres/dump.py"),
        Path("bench/raw_sql.py"),
    }


@pytest.mark.usefixtures("rows")
def test_a_scope_that_is_narrowed_sees_no_more_from_there_on(alice: VenueContext, bob: VenueContext) -> None:
    with every_space():
        narrow_allowed_spaces([_space(alice)])
        assert _seen() == {"Soup is on Tuesdays"}
        with allowed_spaces([_space(bob)]):
            assert _seen() == {"The saw is blunt"}
        assert _seen() == {"Soup is on Tuesdays"}
    assert _seen() == set()
