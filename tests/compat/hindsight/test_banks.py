"""What Hindsight's clients ask: retain, recall, reflect, and what these need around them. A bank is a person."""

import re
from pathlib import Path

import pytest
from django.core.cache import cache
from hindsight_client_api import api as client_sources

from memory_app.models import Person
from memory_app.models.person import PAUSED_NOTICE
from tests.compat.conftest import Compat
from tests.conftest import Api
from tests.documented import PATHS

pytestmark = pytest.mark.django_db

ALICE = "/v1/default/banks/alice"


@pytest.fixture
def hindsight(key: str) -> Compat:
    return Compat(key, server="hindsight", scheme="Bearer")


def retain(hindsight: Compat, *texts: str, **fields: object) -> None:
    items = [{"content": text, **fields} for text in texts]
    told = hindsight.call("POST", f"{ALICE}/memories", {"items": items, "async": False, "document_tags": None})
    assert told == {"success": True, "bank_id": "alice", "items_count": len(texts), "async": False}


def test_what_is_retained_is_recalled(hindsight: Compat) -> None:
    retain(
        hindsight,
        "I like green tea",
        context="food and drink",
        metadata={"k": "v"},
        tags=["a"],
        document_id="d1",
        timestamp="2026-01-02T03:04:05Z",
    )
    retain(hindsight, "My bike is red")
    [found] = hindsight.call("POST", f"{ALICE}/memories/recall", {"query": "green tea", "tags": None})["results"]
    told = {name: found[name] for name in ("text", "type", "context", "tags", "metadata", "document_id")}
    assert told == {
        "text": "I like green tea",
        "type": "world",
        "context": "food and drink",
        "tags": ["a"],
        "metadata": {"k": "v"},
        "document_id": "d1",
    }
    assert found["mentioned_at"] == "2026-01-02T03:04:05Z"
    assert found["scores"]["final"] > 0.3


def test_recall_is_narrowed_by_tags_types_and_tokens(hindsight: Compat) -> None:
    retain(hindsight, "I like green tea", tags=["a", "b"])
    retain(hindsight, "I like black tea", tags=["c"])
    retain(hindsight, "I like white tea")

    def found(**asked: object) -> set[str]:
        told = hindsight.call("POST", f"{ALICE}/memories/recall", {"query": "tea", **asked})["results"]
        return {one["text"].split()[2] for one in told}

    assert found() == {"green", "black", "white"}
    assert found(tags=["a"]) == {"green", "white"}
    assert found(tags=["a", "c"], tags_match="any_strict") == {"green", "black"}
    assert found(tags=["a", "b"], tags_match="all_strict") == {"green"}
    assert found(types=["observation"]) == set()
    assert len(found(max_tokens=1)) == 1
    for wrong in ({"tags": ["a"], "tags_match": "exact"}, {"tag_groups": [{"tags": ["a"]}]}, {"query": " "}):
        assert hindsight.refused(422, "POST", f"{ALICE}/memories/recall", {"query": "tea", **wrong})


def test_a_reflection_is_what_is_remembered(hindsight: Compat) -> None:
    retain(hindsight, "I like green tea")
    told = hindsight.call("POST", f"{ALICE}/reflect", {"query": "Which tea do I like?", "response_schema": {}})
    assert "green tea" in told["text"]
    assert [one["text"] for one in told["based_on"]["memories"]] == ["I like green tea"]
    nothing = hindsight.call("POST", "/v1/default/banks/nobody/reflect", {"query": "Which tea?"})
    assert (nothing["text"][:7], nothing["based_on"]["memories"]) == ("Nothing", [])


def test_facts_are_listed_changed_and_invalidated(hindsight: Compat, api: Api) -> None:
    retain(hindsight, "I like green tea", tags=["a"], document_id="d1")
    retain(hindsight, "My bike is red")
    listed = hindsight.call("GET", f"{ALICE}/memories/list?limit=1&offset=1")
    assert (listed["total"], [one["text"] for one in listed["items"]]) == (2, ["I like green tea"])
    for asked in ("q=GREEN", "document_id=d1", "tags=a&tags_match=any_strict", "type=world&q=tea"):
        assert hindsight.call("GET", f"{ALICE}/memories/list?{asked}")["total"] == 1, asked
    fact = f"{ALICE}/memories/{listed['items'][0]['id']}"
    assert hindsight.call("GET", fact)["text"] == "I like green tea"
    assert hindsight.call("PATCH", fact, {"text": "I like black tea"})["text"] == "I like black tea"
    assert hindsight.call("PATCH", fact, {"state": "invalidated"})["state"] == "invalidated"
    assert hindsight.refused(404, "GET", fact)
    deleted = api.get("/memories?person=alice&status=deleted").json()["items"]
    assert [one["content"] for one in deleted] == ["I like black tea"]


def test_banks_come_into_being_and_are_cleared_softly(hindsight: Compat, api: Api) -> None:
    assert hindsight.refused(404, "GET", f"{ALICE}/profile")
    assert hindsight.call("PUT", ALICE, {"mission": "help"})["bank_id"] == "alice"
    assert hindsight.call("GET", f"{ALICE}/config") == {"bank_id": "alice", "config": {}, "overrides": {}}
    assert hindsight.refused(403, "PATCH", f"{ALICE}/config", {"updates": {}})
    retain(hindsight, "I like green tea", "My bike is red")
    assert [(one["bank_id"], one["fact_count"]) for one in hindsight.call("GET", "/v1/default/banks")["banks"]] == [
        ("alice", 2)
    ]
    assert hindsight.call("GET", f"{ALICE}/stats")["total_nodes"] == 2
    assert hindsight.call("DELETE", f"{ALICE}/memories")["deleted_count"] == 2
    assert hindsight.call("DELETE", ALICE)["deleted_count"] == 0
    assert hindsight.refused(404, "DELETE", "/v1/default/banks/nobody")
    assert len(api.get("/memories?person=alice&status=deleted").json()["items"]) == 2
    assert hindsight.call("GET", "/version")["api_version"] == "1"
    assert hindsight.call("GET", "/health") == {"status": "healthy"}


def test_one_bad_item_keeps_the_others_out(hindsight: Compat) -> None:
    pictures = {"content": [{"type": "image", "source": {}}]}
    for bad in ({"content": "  "}, pictures, {}):
        items = [{"content": "I like green tea"}, bad]
        assert hindsight.refused(422, "POST", f"{ALICE}/memories", {"items": items})
    assert hindsight.call("GET", f"{ALICE}/memories/list")["total"] == 0


def _addresses_of_the_client() -> set[str]:
    """All that its own sources ask of a bank."""
    sources = [path.read_text() for path in Path(client_sources.__path__[0]).glob("*.py")]
    return {found for text in sources for found in re.findall(r"resource_path='(/v1/default/banks/{.+)'", text)}


@pytest.mark.parametrize("bank", ["alice", "team/alice", "team%2Falice"])
def test_what_is_not_here_is_no_bank(hindsight: Compat, bank: str) -> None:
    here = {path.removeprefix("/compat/hindsight").replace("{person}", "{bank_id}") for path in PATHS}
    missing = _addresses_of_the_client() - here
    assert len(missing) > 50
    for address in missing:
        path = re.sub(r"{\w+}", "m1", address.replace("{bank_id}", bank))
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            cache.clear()  # of how often a key asks
            assert hindsight.refused(404, method, path, {})
    assert not Person.objects.exists()


def test_a_bank_may_hold_a_slash(hindsight: Compat) -> None:
    for name in ("team/alice", "team/documented"):
        hindsight.call("POST", f"/v1/default/banks/{name}/memories", {"items": [{"content": "I like green tea"}]})
    assert {one["bank_id"] for one in hindsight.call("GET", "/v1/default/banks")["banks"]} == {
        "team/alice",
        "team/documented",
    }


def test_a_bank_is_not_made_by_a_change_of_it(hindsight: Compat) -> None:
    assert hindsight.refused(404, "PATCH", ALICE, {"name": "Alice"})
    assert not Person.objects.exists()
    hindsight.call("PUT", ALICE, {})
    assert hindsight.call("PATCH", ALICE, {"name": "Alice"})["bank_id"] == "alice"


def test_what_is_retained_while_memory_is_paused_is_kept_and_said_so(hindsight: Compat, api: Api) -> None:
    retain(hindsight, "I like green tea")
    api.post("/commands", {"person": "alice", "text": "/memory pause"})
    told = hindsight.call("POST", f"{ALICE}/memories", {"items": [{"content": "My bike is red"}]})
    assert (told["items_count"], told["message"]) == (1, PAUSED_NOTICE)
    assert hindsight.call("GET", f"{ALICE}/memories/list")["total"] == 2
