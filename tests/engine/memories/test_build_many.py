"""Memories that come together are of one moment: which is newer is said by the order in which they were given."""

import pytest

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

CONTENTS = ["The wall beside the stairs is painted grey", "The tile is blue", "Alice plays the cello", "Soup"]


def test_ids_are_in_the_order_in_which_memories_were_given(api: Api) -> None:
    items = [{"person": "alice", "content": content} for content in CONTENTS]
    kept = api.post("/memories/batch", {"items": items}).json()["items"]
    assert [item["memory"]["content"] for item in kept] == CONTENTS
    with every_space():
        assert [memory.content for memory in Memory.objects.order_by("id")] == CONTENTS
