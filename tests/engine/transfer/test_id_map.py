"""Pairs of ids on disk: each person's own, however many are asked for at once."""

from uuid import UUID

import pytest

from memory_app.engine.transfer.id_map import SQLITE_IDS_PER_QUERY, IdPairs


@pytest.mark.parametrize("number", [1, SQLITE_IDS_PER_QUERY, 2 * SQLITE_IDS_PER_QUERY + 1])
def test_what_was_added_is_found_for_its_person_alone(number: int) -> None:
    pairs = IdPairs()
    become = {UUID(int=old): UUID(int=old + 10_000) for old in range(number)}
    pairs.add("alice", become)
    pairs.add("bob", {})
    assert pairs.of("alice", [*become, UUID(int=9_999)]) == become
    assert pairs.of("bob", list(become)) == {}
    assert (pairs.any_of("alice"), pairs.any_of("bob")) == (True, False)
    pairs.add("alice", {UUID(int=0): UUID(int=7)})
    assert pairs.of("alice", [UUID(int=0)]) == {UUID(int=0): UUID(int=7)}
    pairs.close()
