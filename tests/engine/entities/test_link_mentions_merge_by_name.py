"""First names, relations and legal forms: what names alone tell to be one, before and after it is told."""

import pytest

from memory_app.embedding.encoder import current_encoder
from memory_app.embedding.protocol import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.entities.merge_and_split import merge, split, unmerge
from memory_app.engine.entities.visible_entities import entity_list, visible_rows
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.models import Entity
from memory_app.models.row_security import allowed_spaces, every_space
from tests.engine.entities.test_link_mentions import AUTHOR, kept
from tests.worlds import NOON

pytestmark = pytest.mark.django_db


def entities_of(person: str = "alice", *, place: VenueNames | None = None) -> dict[str, int]:
    """The entities that someone sees, each with how many memories speak of it."""
    venue_context = resolve_venue(person=person, place=place or PRIVATE_VENUE)
    with allowed_spaces(venue_context.venue.spaces):
        return {one.name: one.mentions for one in entity_list(visible_rows(venue_context, NOON), limit=50)}


def all_of(*texts: str) -> dict[str, int]:
    for text in texts:
        kept(text)
    return entities_of()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Maria called about the rota.", "Maria Lopez is my boss."], {"Maria Lopez": 2}),
        (["Maria Lopez is my boss.", "Maria called about the rota."], {"Maria Lopez": 2}),
        (
            ["Maria Lopez plays chess.", "Maria Stone sings.", "Maria called about the rota."],
            {"Maria Lopez": 1, "Maria Stone": 1, "Maria": 1},
        ),
        (
            ["Maria Lopez plays chess.", "Maria called about the rota.", "Maria Stone sings."],
            {"Maria Lopez": 1, "Maria Stone": 1, "Maria": 1},
        ),
        (["Maria Lopez sings.", "Maria plays chess.", "lunch with maria was good"], {"Maria Lopez": 3}),
        (["Mum called.", "My mother Ruth bakes bread.", "Ruth sings."], {"Ruth": 3}),
        (["My mum is called Ruth.", "Dinner with my mother was good."], {"Ruth": 2}),
        (["Ruth, my mother, bakes bread.", "Mum rang in the morning."], {"Ruth": 2}),
        (["My mother Ruth bakes.", "Ruth Cole sings.", "Mum called."], {"Ruth Cole": 3}),
        (
            ["My boss Carla is loud.", "My boss Peter is new.", "My boss called."],
            {"my boss": 3, "Carla": 1, "Peter": 1},
        ),
        (["My friend's mum is Ruth.", "My mother-in-law paints."], {"Ruth": 1}),
        (["I work at Acme.", "Acme Ltd. sent the invoice.", "ACME GmbH sent another."], {"Acme": 3}),
        (["Acme Ltd. sent the invoice.", "ACME GmbH sent another."], {"Acme Ltd": 2}),
    ],
)
def test_matching_names_are_merged(texts: list[str], expected: dict[str, int]) -> None:
    assert all_of(*texts) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["I work at St. Mary's.", "St Mary's Hospital is large."], {"St Mary's Hospital": 2}),
        (
            ["I work at St. Mary's.", "St Mary's Hospital is large.", "St Mary's College is small."],
            {"St. Mary's": 1, "St Mary's Hospital": 1, "St Mary's College": 1},
        ),
    ],
)
def test_a_company_merges_with_its_only_longer_name(
    real_encoder: Encoder, texts: list[str], expected: dict[str, int]
) -> None:
    """With the packaged model: for one that knows words alone a hospital is a sign of health, and sensitive."""
    assert all_of(*texts) == expected


def test_a_first_name_means_another_for_each_owner_and_level() -> None:
    kitchen = VenueNames("kitchen")
    kept("Maria called about the rota.", person="bob", place=kitchen)
    kept("Maria called in the morning.")
    kept("Maria Lopez is my boss.", place=kitchen)
    kept("Maria Stone sings.", person="bob")
    assert entities_of("alice") == {"Maria": 1, "Maria Lopez": 1}
    assert entities_of("bob") == {"Maria Stone": 1, "Maria": 1}
    assert entities_of("bob", place=kitchen)["Maria"] == 1


def test_in_a_shared_space_my_mother_is_not_linked() -> None:
    kitchen = VenueNames("kitchen")
    kept("My mother bakes bread.", place=kitchen)
    kept("My mother Ruth sings.", person="bob", place=kitchen)
    assert entities_of("alice", place=kitchen) == {"Ruth": 1}


def test_a_manually_removed_link_is_not_made_again() -> None:
    kept("Maria Lopez is a vet.")
    kept("Maria called about the rota.")
    venue_context = resolve_venue(person="alice")
    with allowed_spaces(venue_context.venue.spaces):
        maria = Entity.objects.get(normal="maria")
        unmerge(
            seen=visible_rows(venue_context, NOON),
            person=venue_context.person.id,
            entity=maria.id,
            author=AUTHOR,
            now=NOON,
        )
    assert all_of("Maria sings.") == {"Maria Lopez": 1, "Maria": 2}


def test_a_manual_merge_stays() -> None:
    kept("Maria plays chess.")
    kept("Mizzi sings.")
    kept("My friend Mizzi bakes.")
    venue_context = resolve_venue(person="alice")
    with allowed_spaces(venue_context.venue.spaces):
        maria, mizzi = Entity.objects.get(normal="maria"), Entity.objects.get(normal="mizzi")
        seen = visible_rows(venue_context, NOON)
        merge(seen=seen, person=venue_context.person.id, entity=mizzi.id, into=maria.id, author=AUTHOR, now=NOON)
    assert all_of("Maria Lopez is a vet.") == {"Maria Lopez": 3}
    assert all_of("Maria Stone is a nurse.") == {"Maria": 2, "Maria Lopez": 1, "Maria Stone": 1}


def test_a_name_split_by_hand_is_nobody_elses_short_name() -> None:
    kept("Maria plays chess.")
    other = kept("Maria is loud at work.")
    venue_context = resolve_venue(person="alice")
    with allowed_spaces(venue_context.venue.spaces):
        seen, maria = visible_rows(venue_context, NOON), Entity.objects.get(normal="maria")
        split(
            seen=seen, person=venue_context.person.id, entity=maria.id, memories=[other.id], name="Maria Berg",
            author=Author("key", "tests"), now=NOON,
        )  # fmt: skip
    assert all_of("Maria sings.") == {"Maria": 2, "Maria Berg": 1}


def test_an_alias_from_an_erased_memory_links_no_longer() -> None:
    kept("Maria called about the rota.")
    kept("Mum called.")
    told = kept("Maria Lopez is a vet, and my mother Ruth sings.")
    assert set(entities_of()) == {"Maria Lopez", "Ruth"}
    erase(at=MemoryRef(told.space_id, told.id), author=AUTHOR, now=NOON)
    assert entities_of() == {"Maria": 1, "my mother": 1}
    with every_space():
        assert not Entity.objects.filter(normal__in=["maria lopez", "ruth"]).exists()


def test_an_alias_edited_out_links_no_longer() -> None:
    kept("Mum called.")
    told = kept("My mother Ruth sings.")
    at = MemoryRef(told.space_id, told.id)
    edit(at=at, changes={"content": "My neighbour Ruth sings."}, author=AUTHOR, now=NOON, encoder=current_encoder())
    assert entities_of() == {"my mother": 1, "Ruth": 1}
