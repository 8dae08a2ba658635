"""The history of a memory tells of each version what may be told of that version."""

import pytest

from memory_app.models import ApiKey, Memory
from memory_app.models.row_security import every_space
from tests.compat.conftest import Compat
from tests.compat.mem0.test_mem0_other_calls import keep

pytestmark = pytest.mark.django_db

ALICE = {"user_id": "alice"}


def test_each_version_is_told_with_the_metadata_it_had(mem0: Compat) -> None:
    path = f"/v1/memories/{keep(mem0, 'I like green tea', **ALICE, metadata={'cup': 1}, run_id='r1')}/"
    mem0.call("PUT", path, {"text": "I like black tea", "metadata": {"cup": 2}})
    told = mem0.call("GET", f"{path}history/")
    assert [(one["new_memory"], one["metadata"], one["run_id"]) for one in told] == [
        ("I like green tea", {"cup": 1}, "r1"),
        ("I like black tea", {"cup": 2}, "r1"),
    ]


def test_of_what_is_masked_neither_metadata_nor_ids_are_told(mem0: Compat) -> None:
    kept = keep(mem0, "I like green tea", **ALICE, metadata={"secret": "heliotrope"}, run_id="r-heliotrope")
    with every_space():
        Memory.objects.filter(id=kept).update(sensitive=True)
    other = Compat(ApiKey.issue("other", scopes=["read"])[1])
    for path in (f"/v1/memories/{kept}/history/", f"/memories/{kept}/history"):
        [told] = other.call("GET", path)
        assert "heliotrope" not in str(told)
        assert (told["metadata"], told["run_id"], told["user_id"]) == ({}, None, "alice")
