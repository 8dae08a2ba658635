"""What was exported comes back as it was; other records are remembered; a bad one stops none of the others."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID
from weakref import WeakSet

import pytest
from django.apps import apps
from django.db.models import CompositePrimaryKey

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.erasure.erase_person import erase_person
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, confirm, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.memories.versions import replacement_chain
from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.transfer.export import export_person
from memory_app.engine.transfer.import_records import ImportResult, import_records
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.models import Membership, Memory, Operation, Person, Space, SpaceKind
from memory_app.models.ids import id_time
from memory_app.models.row_security import every_space
from memory_app.nlp.documents.records import Record
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("command", "memory import")
LATER = NOON + timedelta(days=3)
COOKS = VenueNames("kitchen", "cooks", restricted=True)


def _keep(encoder: Encoder, content: str, place: VenueNames | None = None, **memory_input: Any) -> MemoryRef:
    venue_context = resolve_venue(person="alice", place=place or VenueNames())
    kept = remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=AUTHOR,
        now=NOON,
        encoder=encoder,
    )
    return MemoryRef(kept.memory.space_id, kept.memory.id)


def _exported(person: str = "alice") -> list[dict[str, Any]]:
    """The export, as it reads from a file."""
    return [json.loads(json.dumps(memory)) for memory in export_person(resolve_venue(person=person, create=False))]


def _carry(records: list[dict[str, Any]], encoder: Encoder, person: str | None = None) -> list[tuple[int, str]]:
    numbered = [Record(number, fields) for number, fields in enumerate(records, 1)]
    carried = import_records(records=numbered, person=person, author=AUTHOR, now=LATER, encoder=encoder)
    return sorted((item.line, item.outcome) for item in carried)


def _faults(records: list[dict[str, Any]], encoder: Encoder, person: str | None = None) -> dict[int, str]:
    numbered = [Record(number, fields) for number, fields in enumerate(records, 1)]
    carried = import_records(records=numbered, person=person, author=AUTHOR, now=LATER, encoder=encoder)
    return {item.line: item.fault for item in carried if item.fault}


def _everything(encoder: Encoder) -> None:
    """Memories of every level and in every state."""
    _keep(encoder, "Alice lives in Paris", key="home", tags=["town"], event_time=NOON, attributes={"a": [1, None]})
    _keep(encoder, "Alice lives in Rome", key="home")
    _keep(encoder, "Alice speaks French and Dutch", visibility="global", confidence=0.6)
    _keep(encoder, "The office is shut on Friday", visibility="everyone", expires_at=LATER)
    _keep(encoder, "Soup is on Tuesdays", VenueNames("kitchen"))
    _keep(encoder, "The secret is nutmeg 🥣", COOKS, protected=True)
    confirm(at=_keep(encoder, "Alice is allergic to bees"), author=AUTHOR, now=NOON)
    delete_memory(at=_keep(encoder, "Alice hums in the bath"), author=AUTHOR, now=NOON)
    cello = _keep(encoder, "Alice plays the cello")
    edit(at=cello, changes={"content": "Alice plays the viola"}, author=AUTHOR, now=NOON, encoder=encoder)


def _empty() -> None:
    """As a fresh installation."""
    with every_space():
        for model in reversed(list(apps.get_app_config("memory_app").get_models())):
            if isinstance(model._meta.pk, CompositePrimaryKey):
                model._base_manager.all().delete()
    Person.objects.all().delete()
    Space.objects.exclude(kind=SpaceKind.COMMONS).delete()


def test_an_export_comes_back_with_nothing_lost(encoder: Encoder) -> None:
    _everything(encoder)
    before = _exported()
    assert {memory["visibility"] for memory in before} == {"private", "global", "everyone", "space", "channel"}
    assert {memory["status"] for memory in before} == {"active", "superseded", "deleted"}
    _empty()
    assert _carry(before, encoder) == [(line, "added") for line in range(1, 10)]
    assert _exported() == before


@pytest.mark.parametrize("microsecond", [0, 1, 456, 1_000, 999_999])
def test_a_time_comes_back_to_the_microsecond(microsecond: int, encoder: Encoder) -> None:
    at = _keep(encoder, "Alice plays the cello")
    told = NOON.replace(microsecond=microsecond)
    with every_space():
        Memory.objects.filter(id=at.id).update(created_at=told, last_accessed_at=told)
    before = _exported()
    _empty()
    _carry(before, encoder)
    assert _exported() == before
    with every_space():
        memory = Memory.objects.get(id=at.id)
    assert (memory.created_at, memory.last_accessed_at) == (told, told)


def test_an_export_carried_in_twice_changes_nothing(encoder: Encoder) -> None:
    _everything(encoder)
    before = _exported()
    for person in (None, "alice"):
        assert _carry(before, encoder, person) == [(line, "there") for line in range(1, 10)]
    assert _exported() == before
    with every_space():
        assert not Operation.objects.filter(name="import").exists()


def test_what_comes_back_is_found(encoder: Encoder) -> None:
    _everything(encoder)
    before = _exported()
    _empty()
    _carry(before, encoder)
    with every_space():
        rows = list(Memory.objects.all())
        assert {row.embedding_model for row in rows} == {encoder.name}
        assert Memory.objects.filter(tsv__isnull=True).count() == 0
        assert Operation.objects.filter(name="import", author="command:memory import").count() == len(rows) == 9


def test_one_whose_key_was_taken_meanwhile_comes_back_without(encoder: Encoder) -> None:
    _keep(encoder, "Alice lives in Paris", key="home")
    before = _exported()
    _empty()
    _keep(encoder, "Alice lives in Rome", key="home")
    assert _carry(before, encoder) == [(1, "added")]
    assert [(memory["content"], memory["key"]) for memory in _exported()] == [
        ("Alice lives in Paris", ""),
        ("Alice lives in Rome", "home"),
    ]


def test_what_was_erased_is_not_brought_back_by_an_old_export(encoder: Encoder) -> None:
    cello = _keep(encoder, "Alice plays the cello")
    _keep(encoder, "Alice lives in Rome")
    before = _exported()
    erase(at=cello, author=AUTHOR, now=NOON)
    assert _carry(before, encoder) == [(1, "refused"), (2, "there")]
    assert _faults(before, encoder) == {1: "this was erased for good; nothing brings it back"}
    assert [memory["content"] for memory in _exported()] == ["Alice lives in Rome"]


def test_nothing_of_an_erased_person_is_brought_back_under_any_name(encoder: Encoder) -> None:
    _everything(encoder)
    before = _exported()
    erase_person(name="alice", author=AUTHOR, now=NOON)
    for person in (None, "alice", "bob"):
        assert _carry(before, encoder, person) == [(line, "refused") for line in range(1, 10)]
    with every_space():
        assert Memory.objects.count() == 0


def test_what_became_sensitive_by_an_edit_comes_back(encoder: Encoder) -> None:
    at = _keep(encoder, "Alice has a bank card")
    with every_space():
        Memory.objects.filter(id=at.id).update(source_type="extracted")
    changes = {"content": "Alice's card is 4111 1111 1111 1111"}
    edit(at=at, changes=changes, author=AUTHOR, now=NOON, encoder=encoder)
    before = _exported()
    assert (before[0]["sensitive"], before[0]["source_type"]) == (True, "extracted")
    _empty()
    assert _carry(before, encoder) == [(1, "added")]
    assert _exported() == before


TOLD: list[dict[str, Any]] = [
    {"content": "Alice plays the cello", "type": "fact", "tags": ["music"], "confidence": 0.8},
    {"content": "Soup is on Tuesdays", "visibility": "space", "space": "kitchen"},
    {"content": "The secret is nutmeg", "visibility": "channel", "space": "kitchen", "channel": "cooks"},
    {"content": "Alice lives in Paris", "key": "home"},
    {"content": "Alice lives in Rome", "key": "home"},
    {"content": "alice plays the CELLO!"},
    {"content": "Alice met Anna", "event_time": "2026-03-15T09:00:00+01:00", "id": 5, "made_by": "others"},
]


def test_records_of_others_are_remembered(encoder: Encoder) -> None:
    outcomes = _carry(TOLD, encoder, "alice")
    assert [outcome for _, outcome in outcomes] == [*["added"] * 4, "superseded", "duplicate", "added"]
    memories = {memory["content"]: memory for memory in _exported()}
    assert len(memories) == 6
    cello = memories["Alice plays the cello"]
    assert (cello["tags"], cello["confidence"], cello["source_count"]) == (["music"], 0.8, 1)
    assert cello["source_type"] == "migration"
    assert memories["The secret is nutmeg"]["channel"] == "cooks"
    assert memories["Alice lives in Paris"]["status"] == "superseded"
    assert memories["Alice met Anna"]["event_time"] == "2026-03-15T08:00:00Z"


def test_records_of_others_carried_in_twice_change_nothing(encoder: Encoder) -> None:
    _carry(TOLD, encoder, "alice")
    before = _exported()
    with every_space():
        operations = Operation.objects.count()
    assert {outcome for _, outcome in _carry(TOLD, encoder, "alice")} == {"there"}
    assert _exported() == before
    with every_space():
        assert Operation.objects.count() == operations


def test_the_same_text_of_another_or_elsewhere_is_kept(encoder: Encoder) -> None:
    text = {"content": "Soup is on Tuesdays"}
    assert _carry([text], encoder, "alice") == [(1, "added")]
    assert _carry([text], encoder, "bob") == [(1, "added")]
    assert _carry([{**text, "visibility": "space", "space": "kitchen"}], encoder, "alice") == [(1, "added")]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "nobody": ({"content": "x", "person": None}, "no person"),
    "no content": ({}, "content"),
    "an empty content": ({"content": "  "}, "content"),
    "a content that is a number": ({"content": 5}, "content"),
    "NUL": ({"content": "a\x00b"}, "NUL"),
    "NUL in a tag": ({"content": "x", "tags": ["\x00"]}, "NUL"),
    "half a surrogate pair": ({"content": "a\ud800"}, "content"),
    "a name too long": ({"content": "x", "person": "p" * 201}, "person"),
    "an unknown type": ({"content": "x", "type": "opinion"}, "type"),
    "an unknown level": ({"content": "x", "visibility": "public"}, "visibility"),
    "a key too long": ({"content": "x", "key": "k" * 101}, "key"),
    "a confidence of 7": ({"content": "x", "confidence": 7}, "confidence"),
    "a confidence of NaN": ({"content": "x", "confidence": float("nan")}, "confidence"),
    "keywords that are a number": ({"content": "x", "keywords": 5}, "keywords"),
    "a time without an offset": ({"content": "x", "event_time": "2026-03-15T09:00:00"}, "event_time"),
    "a space of no name": ({"content": "x", "visibility": "space"}, "space"),
    "a channel of no space": ({"content": "x", "visibility": "channel", "channel": "cooks"}, "space"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_record_is_told_by_its_line_and_the_rest_goes_in(case: str, encoder: Encoder) -> None:
    bad, what = BAD[case]
    good = [{"person": "alice", "content": "Alice sings"}, {"person": "alice", "content": "Bob grows tomatoes"}]
    faults = _faults([good[0], {"person": "alice", **bad}, good[1]], encoder)
    assert list(faults) == [2]
    assert what in faults[2]
    assert sorted(memory["content"] for memory in _exported()) == ["Alice sings", "Bob grows tomatoes"]


SPOILT: dict[str, dict[str, Any]] = {
    "an id that is none": {"id": "x"},
    "an id that is a number": {"id": 5},
    "a time that is none": {"created_at": "yesterday"},
    "no time": {"created_at": None},
    "an unknown status": {"status": "lost"},
    "a negative count": {"access_count": -1},
    "turns that are a number": {"source_turns": 5},
    "NUL in attributes": {"attributes": {"a": "\x00"}},
    "NaN in attributes": {"attributes": {"a": float("nan")}},
    "a decay of many": {"decay_rate": "fast"},
    "no content": {"content": ""},
}


@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_record_of_an_export_is_told_by_its_line(case: str, encoder: Encoder) -> None:
    for text in ("Alice plays the cello", "Anna is Alice's sister", "Soup is on Tuesdays"):
        _keep(encoder, text)
    before = _exported()
    _empty()
    spoilt = [before[0], {**before[1], **SPOILT[case]}, before[2]]
    faults = _faults(spoilt, encoder)
    assert list(faults) == [2]
    assert _exported() == [before[0], before[2]]


def test_a_link_to_what_another_said_leads_nowhere(encoder: Encoder) -> None:
    """Bob's words in a restricted channel of the same space are not seen through a link to them."""
    cooks = resolve_venue(person="bob", place=COOKS)
    memory_input = MemoryInput("The secret is nutmeg")
    secret = remember(venue_context=cooks, memory_input=memory_input, author=AUTHOR, now=NOON, encoder=encoder).memory
    _keep(encoder, "Soup is on Tuesdays", VenueNames("kitchen"))
    before = _exported()
    _remove(before[0]["id"])
    assert _carry([{**before[0], "supersedes": str(secret.id)}], encoder) == [(1, "added")]
    with every_space():
        soup = Memory.objects.select_related("person", "space", "channel").get(id=before[0]["id"])
    assert soup.supersedes == secret.id
    assert [link.content for link in replacement_chain(soup)] == ["Soup is on Tuesdays"]


def _remove(memory: str) -> None:
    with every_space():
        Memory.objects.filter(id=memory).delete()


def test_a_space_that_may_not_be_entered_fails_its_records_alone(encoder: Encoder) -> None:
    _keep(encoder, "Soup is on Tuesdays", VenueNames("kitchen"))
    Membership.objects.update(left_at=NOON)
    records = [
        {"person": "alice", "content": "Salad is on Fridays", "visibility": "space", "space": "kitchen"},
        {"person": "alice", "content": "Alice plays the cello"},
    ]
    assert _carry(records, encoder) == [(1, "failed"), (2, "added")]


def test_an_export_carried_in_as_anothers_is_theirs_too_under_ids_of_its_own(encoder: Encoder) -> None:
    _everything(encoder)
    before = _exported()
    assert _carry(before, encoder, "bob") == [(line, "added") for line in range(1, 10)]
    assert _exported() == before
    theirs = {one["content"]: one for one in _exported("bob")}
    ids = {one["id"]: theirs[one["content"]]["id"] for one in before}
    assert not set(ids) & set(ids.values())
    assert len(set(ids.values())) == len(theirs) == 9
    for one in before:
        mine = theirs[one["content"]]
        assert (mine["supersedes"], mine["superseded_by"]) == (
            ids.get(one["supersedes"]),
            ids.get(one["superseded_by"]),
        )
        assert len(mine["versions"]) == len(one["versions"])
    assert _carry(before, encoder, "bob") == [(line, "there") for line in range(1, 10)]
    assert {one["content"]: one for one in _exported("bob")} == theirs


def test_which_new_ids_they_have_is_told(encoder: Encoder) -> None:
    at = _keep(encoder, "Alice plays the cello")
    records = [Record(number, fields) for number, fields in enumerate(_exported(), 1)]
    [carried] = import_records(records=records, person="bob", author=AUTHOR, now=LATER, encoder=encoder)
    [theirs] = _exported("bob")
    assert carried.renamed == (at.id, UUID(theirs["id"]))
    assert id_time(UUID(theirs["id"])) == id_time(at.id)
    [again] = import_records(records=records, person="alice", author=AUTHOR, now=LATER, encoder=encoder)
    assert (again.outcome, again.renamed) == ("there", None)


@pytest.mark.parametrize("named", ["alice", "bob"])
def test_whether_someone_else_holds_an_id_is_not_told(named: str, encoder: Encoder) -> None:
    """The same file, once beside the Alice it came from, and once where nobody has any of it."""
    _everything(encoder)
    records = [Record(line, {**one, "person": named}) for line, one in enumerate(_exported(), 1)]

    def carried() -> tuple[list[ImportResult], list[dict[str, Any]]]:
        answers = list(import_records(records=records, person="bob", author=AUTHOR, now=LATER, encoder=encoder))
        return answers, sorted(_exported("bob"), key=lambda one: str(one["content"]))

    beside, theirs = carried()
    _empty()
    alone, same = carried()
    assert [answer.outcome for answer in beside] == [answer.outcome for answer in alone]
    # What was Bob's own has another id only where someone else holds that: who imports it is told, for it is theirs.
    assert beside == alone or named == "bob"
    assert {answer.outcome for answer in beside} == {"added"}
    if named == "alice":
        assert theirs == same
    else:
        assert [one["content"] for one in theirs] == [one["content"] for one in same]


def test_that_an_own_id_is_held_by_someone_else_is_told(encoder: Encoder) -> None:
    _everything(encoder)
    mine = _exported()
    records = [Record(line, {**one, "person": "bob"}) for line, one in enumerate(mine, 1)]
    answers = list(import_records(records=records, person=None, author=AUTHOR, now=LATER, encoder=encoder))
    theirs = {one["content"]: UUID(one["id"]) for one in _exported("bob")}
    told = {answer.line: answer.renamed for answer in answers}
    assert told == {line: (UUID(one["id"]), theirs[one["content"]]) for line, one in enumerate(mine, 1)}


def test_what_refers_to_something_later_in_the_file_refers_to_its_new_id(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although no two records are held at once."""
    monkeypatch.setattr("memory_app.engine.transfer.import_records.BATCH_SIZE", 1)
    monkeypatch.setattr("memory_app.engine.transfer.id_map.RECORDS_AT_ONCE", 1)
    first, second = _keep(encoder, "Alice plays the cello"), _keep(encoder, "Soup is on Tuesdays")
    before = {one["id"]: one for one in _exported()}
    records = [{**before[str(first.id)], "superseded_by": str(second.id)}, before[str(second.id)]]
    assert _carry(records, encoder, "bob") == [(1, "added"), (2, "added")]
    theirs = {one["content"]: one for one in _exported("bob")}
    assert theirs["Alice plays the cello"]["superseded_by"] == theirs["Soup is on Tuesdays"]["id"]


class Streamed:
    """Records that are never there all at once: how many of them are alive is counted."""

    def __init__(self, number: int) -> None:
        self.number, self.most = number, 0
        self.alive: WeakSet[Record] = WeakSet()

    def __iter__(self) -> Iterator[Record]:
        for line in range(1, self.number + 1):
            record = Held(line, {"person": "alice", "content": f"Tile number {line} is blue", "kind": "memory"})
            self.alive.add(record)
            self.most = max(self.most, len(self.alive))
            yield record


class Held(Record):
    """A record that can be told to be gone."""

    __slots__ = ("__weakref__",)
    __hash__ = object.__hash__


def test_an_import_is_never_held_whole(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_app.engine.transfer.import_records.BATCH_SIZE", 5)
    monkeypatch.setattr("memory_app.engine.transfer.id_map.RECORDS_AT_ONCE", 5)
    records = Streamed(40)
    answers = list(import_records(records=records, person="bob", author=AUTHOR, now=LATER, encoder=encoder))
    assert len(answers) == 40
    assert records.most <= 15


def test_what_was_erased_of_the_copy_does_not_come_back_with_the_original(encoder: Encoder) -> None:
    _keep(encoder, "Alice plays the cello")
    before = _exported()
    _carry(before, encoder, "bob")
    [theirs] = _exported("bob")
    with every_space():
        copy = Memory.objects.get(id=theirs["id"])
    erase(at=MemoryRef(copy.space_id, copy.id), author=AUTHOR, now=NOON)
    assert _carry(before, encoder, "bob") == [(1, "refused")]
    assert _exported() == before


def test_what_a_person_was_given_by_a_merge_is_theirs_under_whatever_name(encoder: Encoder) -> None:
    _keep(encoder, "Alice plays the cello")
    before = _exported()
    merge_people(person=resolve_venue(person="alice"), into=resolve_venue(person="bob"), author=AUTHOR, now=NOON)
    assert _carry(before, encoder, "bob") == [(1, "there")]
    assert [one["id"] for one in _exported("bob")] == [before[0]["id"]]
