"""What /search answers is as documented, though it is written without the models that document it."""

from typing import Any

import pytest
from pydantic import BaseModel

from memory_app.api.recall import ResultOut, SearchOut, WhyOut
from memory_app.serializers.document import DocumentOut
from memory_app.serializers.memory import MemoryOut, SourceOut
from memory_app.serializers.turn import TurnOut
from tests.conftest import Api

pytestmark = pytest.mark.django_db

KINDS: dict[str, type[BaseModel]] = {"memory": MemoryOut, "turn": TurnOut, "document": DocumentOut}


def fields(shown: dict[str, Any], model: type[BaseModel]) -> bool:
    return set(shown) == set(model.model_fields)


def test_a_result_of_each_kind_has_every_field_and_no_other(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    turn = {"role": "user", "content": "Is the tile blue?"}
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    api.post(f"/conversations/{conversation}/turns", {"turns": [turn]})
    api.post("/people/alice/documents", {"path": "tiles.md", "content": "Every tile is blue."})
    for explain in (False, True):
        answer = api.post("/search", {"person": "alice", "query": "tile", "kinds": list(KINDS), "explain": explain})
        assert answer["Content-Type"] == "application/json; charset=utf-8"
        found = SearchOut.model_validate_json(answer.content)
        assert {result.kind for result in found.results} == set(KINDS)
        assert fields(answer.json(), SearchOut)
        for result in answer.json()["results"]:
            assert fields(result, ResultOut)
            assert {kind for kind in (*KINDS, "note") if result[kind]} == {result["kind"]}
            assert fields(result[result["kind"]], KINDS[result["kind"]])
            assert (result["because"] is None) is not explain
            assert all(fields(why, WhyOut) for why in result["why"] or ())


def test_a_memory_is_shown_as_at_its_own_address(api: Api) -> None:
    kept = api.remember("alice", "The tile is blue", tags=["kitchen"], attributes={"room": 1}, key="tile")
    [result] = api.post("/search", {"person": "alice", "query": "tile"}).json()["results"]
    assert fields(result["memory"]["source"], SourceOut)
    alone = api.get(f"/memories/{kept['id']}").json()
    strengths = result["memory"].pop("strength"), alone.pop("strength")
    assert strengths[0] == pytest.approx(strengths[1], abs=1e-3)
    assert result["memory"] == alone
