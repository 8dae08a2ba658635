"""An edit changes what it names, and takes no key from another memory."""

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.memories.edit import edit
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ConflictError
from memory_app.models import Memory, Version
from memory_app.models.row_security import every_space
from tests.engine.memories.saved_memories import (
    LATER,
    SOMEONE,
    memory_ref,
    operations_of,
    save_memory,
)

pytestmark = pytest.mark.django_db


def test_an_edit_that_changes_nothing_leaves_nothing(home: Memory, encoder: Encoder) -> None:
    same = {"content": "Alice lives in Paris", "tags": []}
    assert edit(at=memory_ref(home), changes=same, author=SOMEONE, now=LATER, encoder=encoder).version == 1
    with every_space():
        assert Version.objects.count() == 0
    assert len(operations_of(home)) == 1


def test_an_edit_to_a_key_that_is_taken_is_in_conflict(home: Memory, alice: VenueContext, encoder: Encoder) -> None:
    other = save_memory(alice, encoder, "The flat is on the third floor", key="flat")
    with pytest.raises(ConflictError, match="home"):
        edit(at=memory_ref(other), changes={"key": "home"}, author=SOMEONE, now=LATER, encoder=encoder)
    changed = edit(at=memory_ref(other), changes={"key": "floor"}, author=SOMEONE, now=LATER, encoder=encoder)
    assert changed.key == "floor"
    edit(at=memory_ref(home), changes={"key": ""}, author=SOMEONE, now=LATER, encoder=encoder)
    assert edit(at=memory_ref(other), changes={"key": "home"}, author=SOMEONE, now=LATER, encoder=encoder).key == "home"
