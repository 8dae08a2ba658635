"""Rows read by id at once are what the ORM reads one by one."""

import pytest

from memory_app.models import Memory, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.postgres.fast.prepared_query import rows_by_id
from tests.worlds import Row, World, store

pytestmark = pytest.mark.django_db

LATER = ("embedding", "tsv")


@pytest.fixture
def world() -> World:
    world = World.build()
    rows = [Row("alice", "private", "private", f"The tile is {colour}", key=colour) for colour in ("blue", "red")]
    rows += [Row("alice", "cooks", "channel", "The tile is grey"), Row("bob", "private", "private", "Hers is green")]
    rows += [Row("alice", "private", "private", "I said blue", said=True)]
    store((row, world.memory(row)) for row in rows)
    return world


@pytest.mark.parametrize("model", [Memory, Turn])
def test_every_field_of_them_is_there(world: World, model: type[Memory] | type[Turn]) -> None:
    venue = world.venue_context["alice", "private"].venue
    with allowed_spaces(venue.spaces):
        if model is Memory:
            Memory.objects.update(attributes={"a": [1, "two"]}, tags=["x", "y"])
        expected = {row.id: row for row in model.objects.all()}
        found = rows_by_id(model, venue.spaces, list(expected), without=LATER)
        assert {row.id for row in found} == set(expected)
        for row in found:
            assert row.get_deferred_fields() == set(LATER)
            for field in model._meta.concrete_fields:
                if field.column and field.name not in LATER:
                    mine, theirs = getattr(row, field.attname), getattr(expected[row.id], field.attname)
                    assert mine == (bytes(theirs) if isinstance(theirs, memoryview) else theirs), field.name
                    assert type(mine) is type(theirs) or isinstance(theirs, memoryview), field.name
            assert row.embedding is not None


def test_what_the_scope_hides_is_not_read(world: World) -> None:
    alice, bob = world.venue_context["alice", "private"].venue, world.venue_context["bob", "private"].venue
    with allowed_spaces(bob.spaces):
        [hers] = Memory.objects.filter(content="Hers is green").values_list("id", flat=True)
    with allowed_spaces(alice.spaces):
        assert rows_by_id(Memory, alice.spaces | bob.spaces, [hers]) == []
