"""Enriching: at night better readers look again where few names were seen, each once."""

from collections.abc import Sequence

import pytest

from memory_app.jobs.enrich_entities import enrich_entities
from memory_app.llm.model import ModelError, Unreachable
from memory_app.llm.name_reader import NamesByText
from memory_app.models import EntityLink, Memory
from memory_app.models.row_security import every_space
from memory_app.nlp.entities.find_entities import Entity as Named
from memory_app.progress import ReportProgress
from tests.engine.entities.test_link_mentions import kept, named

pytestmark = pytest.mark.django_db

QUIET: ReportProgress = lambda done, total: None  # noqa: E731


class Knows:
    """A reader that knows some names, whatever letters they are written in."""

    name = "knows-1"

    def __init__(self, **names: str) -> None:
        self.names, self.texts = names, list[str]()

    def read(self, texts: Sequence[str]) -> NamesByText:
        self.texts += texts
        return [
            tuple(
                Named(name, name.title(), kind, 0.85, (text.index(name), text.index(name) + len(name)))
                for name, kind in self.names.items()
                if name in text
            )
            for text in texts
        ]


class Down:
    name = "down-1"

    def read(self, texts: Sequence[str]) -> NamesByText:
        raise Unreachable("nobody answers")


def test_names_that_form_alone_does_not_tell_are_linked() -> None:
    kept("lunch with paulina")
    assert enrich_entities(reader=Knows(paulina="person"), report=QUIET) == 1
    assert named() == {"lunch with paulina": {("person", "Paulina")}}
    with every_space():
        assert EntityLink.objects.get().source == "reader"


def test_each_memory_is_read_once_by_each_reader() -> None:
    kept("lunch with paulina")
    first, second = Knows(paulina="person"), Knows()
    second.name = "knows-2"
    assert [enrich_entities(reader=reader, report=QUIET) for reader in (first, first, second)] == [1, 0, 1]


def test_where_names_enough_were_seen_nobody_looks_again() -> None:
    kept("I met my friend Anna in Lisbon with my boss Carla.")
    reader = Knows()
    assert enrich_entities(reader=reader, report=QUIET) == 0
    assert reader.texts == []


def test_what_is_sensitive_or_forgotten_is_not_read() -> None:
    kept("My card number is 4111 1111 1111 1111.")
    with every_space():
        gone = kept("lunch with paulina")
        Memory.objects.filter(id=gone.id).update(deleted_at=gone.created_at, status="deleted")
    reader = Knows(paulina="person")
    enrich_entities(reader=reader, report=QUIET)
    assert reader.texts == []


def test_without_a_reader_names_known_since_are_found() -> None:
    kept("lunch with paulina")
    kept("My sister Paulina plays the cello.")
    enrich_entities(reader=None, report=QUIET)
    assert named()["lunch with paulina"] == {("person", "Paulina")}


def test_a_reader_that_is_down_leaves_all_for_the_next_night() -> None:
    kept("lunch with paulina")
    assert enrich_entities(reader=Down(), report=QUIET) == 0
    assert enrich_entities(reader=Knows(paulina="person"), report=QUIET) == 1
    assert issubclass(Unreachable, ModelError)


def test_many_are_read_in_batches_and_told_of() -> None:
    for number in range(45):
        kept(f"sheep number {number * 7919} said nothing at all today")
    told: list[tuple[int, int]] = []
    assert enrich_entities(reader=Knows(), report=lambda done, total: told.append((done, total))) == 45
    assert told == [(20, 45), (40, 45), (45, 45)]
