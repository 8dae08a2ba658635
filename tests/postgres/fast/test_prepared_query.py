"""A read that is written once finds what the QuerySet it was written from would, whatever its parameters."""

from uuid import UUID

import pytest
from django.db.models import F

from memory_app.engine.conversations.add_turns import find_or_open_conversation
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.models import ApiKey, Conversation, Person
from memory_app.models.row_security import allowed_spaces
from memory_app.postgres.fast.prepared_query import PreparedQuery
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

ANY = UUID(int=0)


def by_id(*related: str, annotations: tuple[str, ...] = (), suffix: str = "") -> PreparedQuery[Conversation]:
    rows = Conversation.objects.filter(id=ANY, visibility__in=["private", "channel"]).annotate(
        twice=F("turn_count") * 2
    )
    return PreparedQuery(rows, {"id": ANY}, related=related, annotations=annotations, suffix=suffix)


def talk(person: str, place: VenueNames) -> tuple[Conversation, list[UUID]]:
    venue_context = resolve_venue(person=person, place=place)
    conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id="", now=NOON)
    spaces = list(venue_context.venue.spaces)
    with allowed_spaces(spaces):
        Conversation.objects.filter(id=conversation.id).update(turn_count=3)
    return conversation, spaces


def test_one_statement_serves_every_parameter() -> None:
    written = by_id()
    for person in ("alice", "bob"):
        made, spaces = talk(person, VenueNames())
        with allowed_spaces(spaces):
            found = written.first(id=made.id)
        assert found is not None
        assert (found.id, found.person_id, found.started_at) == (made.id, made.person_id, NOON)
        assert not found._state.adding


def test_nothing_is_found_where_nothing_is() -> None:
    made, spaces = talk("alice", VenueNames())
    assert by_id().first(id=made.id) is None  # no scope
    with allowed_spaces(spaces):
        assert by_id().first(id=UUID(int=1)) is None


def test_what_it_refers_to_is_read_with_it(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    made, spaces = talk("alice", VenueNames("kitchen", "cooks", restricted=True))
    with allowed_spaces(spaces):
        found = by_id("person", "space", "channel", suffix=" FOR UPDATE OF conversation").first(id=made.id)
    assert found is not None
    with django_assert_num_queries(0):
        assert (found.person.name, found.space.name) == ("alice", "kitchen")
        assert found.channel is not None
        assert found.channel.name == "cooks"


def test_what_it_refers_to_may_be_missing() -> None:
    made, spaces = talk("alice", VenueNames())
    with allowed_spaces(spaces):
        found = by_id("channel", "person").first(id=made.id)
        assert found is not None
        assert found.channel is None
        assert found.person.name == "alice"
        assert found.space_id == made.space_id


def test_annotations_become_attributes() -> None:
    made, spaces = talk("alice", VenueNames())
    with allowed_spaces(spaces):
        found = by_id(annotations=("twice",)).first(id=made.id)
    assert found is not None
    assert found.twice == 6  # type: ignore[attr-defined]


def test_values_that_are_no_parameters_stay_in_the_statement() -> None:
    Person.objects.filter(name="50% off").delete()
    resolve_venue(person="50% off")
    rows = Person.objects.filter(name="50% off", display_name="any")
    assert PreparedQuery(rows, {"shown": "any"}).first(shown="") is not None
    assert PreparedQuery(rows, {"shown": "any"}).first(shown="Other") is None


def test_bytes_are_a_parameter_too() -> None:
    _, token = ApiKey.issue("one", scopes=["read"])
    ApiKey.issue("two", scopes=["read"])
    found = ApiKey.objects.by_token(token, NOON)
    assert found is not None
    assert (found.name, found.scopes, found.people) == ("one", ["read"], [])
    assert ApiKey.objects.by_token(token + "x", NOON) is None
