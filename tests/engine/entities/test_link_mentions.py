"""Memories are linked to what they name as they are kept: by form, by names known already, within owner and level."""

from uuid import UUID

import pytest
from django.db import connection

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.entities.merge_and_split import split
from memory_app.engine.entities.visible_entities import visible_rows
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.edit import MemoryRef, correct, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember, remember_many
from memory_app.engine.memories.versions import undo_last_change
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.jobs.enrich_entities import enrich_entities
from memory_app.models import Entity, EntityLink, Memory
from memory_app.models.row_security import allowed_spaces, every_space
from tests.postgres.sent_statements import SentStatements
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("key", "tests")


def kept(
    content: str, *, person: str = "alice", place: VenueNames = PRIVATE_VENUE, visibility: str | None = None
) -> Memory:
    memory_input = MemoryInput(content, key="", visibility=visibility)
    venue_context = resolve_venue(person=person, place=place)
    return remember(
        venue_context=venue_context, memory_input=memory_input, author=AUTHOR, now=NOON, encoder=current_encoder()
    ).memory


def named() -> dict[str, set[tuple[str, str]]]:
    """The entities of each memory, as (type, name)."""
    with every_space():
        rows = EntityLink.objects.values_list("memory__content", "entity__type", "entity__name")
        found: dict[str, set[tuple[str, str]]] = {}
        for content, kind, name in rows:
            found.setdefault(content, set()).add((kind, name))
        return found


def test_marked_or_capitalised_names_are_linked() -> None:
    text = "I met Anna in Lisbon; mail anna@example.org or see https://example.org/x about #pottery, says @bob."
    kept(text)
    assert named()[text] >= {
        ("person", "Anna"), ("location", "Lisbon"), ("email", "anna@example.org"), ("url", "https://example.org/x"),
        ("topic", "pottery"), ("person", "bob"),
    }  # fmt: skip


def test_one_name_is_one_entity_however_it_is_written() -> None:
    kept("I met José in Rome.")
    kept("My friend JOSE likes tea, and so does my friend Jose.")
    with every_space():
        entity = Entity.objects.get(normal="jose")
        assert (entity.name, entity.type, entity.links.count()) == ("José", "person", 2)


def test_a_known_name_is_found_in_small_letters() -> None:
    kept("My sister Paulina plays chess.")
    kept("lunch with paulina was good")
    assert named()["lunch with paulina was good"] == {("person", "Paulina")}
    with every_space():
        assert EntityLink.objects.get(memory__content="lunch with paulina was good").source == "known"


def test_an_everyday_word_that_is_a_name_too_is_not_taken_for_one() -> None:
    kept("My friend Will called.")
    kept("tomorrow it will rain again")
    assert "tomorrow it will rain again" not in named()


def test_a_name_of_another_type_is_another_entity() -> None:
    kept("My cousin Georgia called.")
    kept("We flew to Georgia, the country.")
    kept("I work at Jordan Ltd.")
    with every_space():
        assert sorted(Entity.objects.filter(normal="georgia").values_list("type", flat=True)) == ["location", "person"]


def test_an_untyped_entity_takes_a_later_type() -> None:
    kept("The Zorblax was loud.")
    with every_space():
        assert Entity.objects.get(normal="zorblax").type == "other"
    kept("My boss Zorblax was loud again today.")
    with every_space():
        assert Entity.objects.get(normal="zorblax").type == "person"
        assert Entity.objects.get(normal="zorblax").links.count() == 2


def test_owners_and_levels_have_entities_of_their_own() -> None:
    kept("Anna bakes.")
    kept("Anna bakes bread.", visibility="global")
    kept("Anna cooks.", place=VenueNames("kitchen"))
    kept("Anna cooks well.", person="bob", place=VenueNames("kitchen"))
    with every_space():
        rows = Entity.objects.filter(normal="anna").values_list("person__name", "visibility")
        assert sorted(rows) == [("alice", "global"), ("alice", "private"), ("alice", "space"), ("bob", "space")]


def test_entities_of_others_change_nothing() -> None:
    kept("My sister Paulina plays chess.", person="bob")
    kept("lunch with paulina was good")
    assert "lunch with paulina was good" not in named()


def test_a_sensitive_memory_names_nobody() -> None:
    kept("Doctor Anna Kowalski says I have diabetes.")
    kept("My card number is 4111 1111 1111 1111, from Barclays.")
    assert named() == {}


def test_editing_relinks_the_entities() -> None:
    memory = kept("I met Anna in Lisbon.")
    at = MemoryRef(memory.space_id, memory.id)
    edit(at=at, changes={"content": "I met Paulina in Lisbon."}, author=AUTHOR, now=NOON, encoder=current_encoder())
    assert named() == {"I met Paulina in Lisbon.": {("person", "Paulina"), ("location", "Lisbon")}}
    with every_space():
        assert not Entity.objects.filter(normal="anna").exists()
    undo_last_change(space=memory.space_id, memory=memory.id, author=AUTHOR, now=NOON)
    assert named() == {"I met Anna in Lisbon.": {("person", "Anna"), ("location", "Lisbon")}}


def parted(boss: Memory, name: str = "") -> Entity:
    """Someone said by hand that the Anna of this memory is another than the one of the others."""
    venue_context = resolve_venue(person="alice")
    with allowed_spaces(venue_context.venue.spaces):
        seen = visible_rows(venue_context, NOON)
        anna = Entity.objects.get(normal="anna", apart=0)
        other = split(
            seen=seen,
            person=venue_context.person.id,
            entity=anna.id,
            memories=[boss.id],
            name=name,
            author=AUTHOR,
            now=NOON,
        )  # fmt: skip
        return Entity.objects.get(id=other)


def who(memory: UUID) -> set[UUID]:
    """The entities of the name Anna that a memory speaks of."""
    with every_space():
        links = EntityLink.objects.filter(memory_id=memory, surface__icontains="anna")
        return set(links.values_list("entity_id", flat=True))


def said_of(memory: Memory, content: str) -> None:
    at = MemoryRef(memory.space_id, memory.id)
    edit(at=at, changes={"content": content}, author=AUTHOR, now=NOON, encoder=current_encoder())


@pytest.mark.parametrize("name", ["", "Anna Berg"])
def test_a_manual_link_stays_while_the_name_is_in_the_text(name: str) -> None:
    kept("My sister Anna bakes.")
    boss = kept("My boss Anna is loud.")
    other = parted(boss, name)
    for content in ("My boss Anna is very loud.", "Anna's office is loud.", "my boss anna has a loud voice"):
        said_of(boss, content)
        assert who(boss.id) == {other.id}
    said_of(boss, "My boss Paul is loud.")
    assert who(boss.id) == set()


def test_a_manual_link_survives_correction_and_enrichment() -> None:
    kept("My sister Anna bakes.")
    boss = kept("My boss Anna is loud.")
    other = parted(boss)
    at, venue_context = MemoryRef(boss.space_id, boss.id), resolve_venue(person="alice")
    new = correct(
        venue_context=venue_context,
        at=at,
        content="My boss Anna is quiet.",
        author=AUTHOR,
        now=NOON,
        encoder=current_encoder(),
    )
    assert who(new.id) == {other.id}
    enrich_entities(reader=None, report=lambda done, total: None)
    assert who(new.id) == {other.id}
    paul = correct(
        venue_context=venue_context,
        at=MemoryRef(new.space_id, new.id),
        content="Paul is quiet.",
        author=AUTHOR,
        now=NOON,
        encoder=current_encoder(),
    )
    assert who(paul.id) == set()


def test_erasing_removes_entities_no_other_memory_names() -> None:
    memory = kept("I met Anna in Lisbon.")
    kept("We flew to Lisbon.")
    receipt = erase(at=MemoryRef(memory.space_id, memory.id), author=AUTHOR, now=NOON)
    assert (receipt.removed["entity_link"], receipt.removed["entity"]) == (2, 1)
    assert named() == {"We flew to Lisbon.": {("location", "Lisbon")}}


def test_a_batch_is_linked_in_as_many_statements_as_one_memory() -> None:
    def statements(number: int) -> int:
        inputs = [MemoryInput(f"Anna{n} met Bob{n} in Rome, they say.", key="") for n in range(number)]
        with connection.execute_wrapper(sent := SentStatements()):
            remember_many(
                venue_context=resolve_venue(person=f"p{number}"),
                inputs=inputs,
                author=AUTHOR,
                now=NOON,
                encoder=current_encoder(),
            )
        return sum('"entity' in statement for statement in sent.statements)

    assert statements(1) == statements(30) == 3


def test_a_merged_name_links_to_the_target() -> None:
    kept("My friend Robert Smith called.")
    kept("My friend Bobby called back.")
    with every_space():
        whole, short = Entity.objects.get(normal="robert smith"), Entity.objects.get(normal="bobby")
        Entity.objects.filter(id=short.id).update(merged_into=whole.id, by_hand=True)
    kept("Bobby, my friend, sings.")
    assert ("person", "Robert Smith") in named()["Bobby, my friend, sings."]
