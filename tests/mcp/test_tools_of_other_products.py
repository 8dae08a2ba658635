"""Tools under the names of other products: what each does here, and what is honestly not done."""

from typing import Any

import pytest

from memory_app.mcp.tools import OTHER_TOOLS
from memory_app.models import Memory, Person
from memory_app.models.person import PAUSED_NOTICE
from memory_app.models.row_security import every_space
from tests.mcp.conftest import Mcp, mcp_with
from tests.mcp.test_questions import ASKING

pytestmark = pytest.mark.django_db

NAMES = {
    "hindsight": {
        "retain", "sync_retain", "recall", "reflect",
        "list_memories", "get_memory", "update_memory", "invalidate_memory",
    },
    "supermemory": {"search_memory", "add_memory", "listMemories", "whoAmI"},
    "graph": {
        "create_entities", "create_relations", "add_observations",
        "delete_entities", "delete_observations", "delete_relations",
        "read_graph", "search_nodes", "open_nodes",
    },
}  # fmt: skip
READING = {
    "hindsight": {"recall", "reflect", "list_memories", "get_memory"},
    "supermemory": {"search_memory", "listMemories", "whoAmI"},
    "graph": {"read_graph", "search_nodes", "open_nodes"},
}


def _with_tools(tools: str, person: str = "alice", **grant: Any) -> Mcp:
    mcp = mcp_with(person, **grant)
    mcp.path = f"{mcp.path}?tools={tools}"
    return mcp


def _names(mcp: Mcp) -> set[str]:
    return {tool["name"] for tool in mcp.ask("tools/list")["result"]["tools"]}


def test_an_address_asks_for_a_set_of_tools() -> None:
    assert OTHER_TOOLS.keys() == NAMES.keys()
    for tools, names in NAMES.items():
        assert _names(_with_tools(tools)) == names
        assert _names(_with_tools(f"{tools},readonly")) == READING[tools]
        assert _names(_with_tools(tools, scopes=["read"])) == READING[tools]
    for unknown in ("mem0", "graph,hindsight", "readonly,everything"):
        assert "no such set of tools" in _with_tools(unknown).ask("tools/list")["error"]["message"]


def test_hindsights_tools_keep_find_change_and_take_back() -> None:
    mcp = _with_tools("hindsight")
    retained = mcp.call("retain", content="Alice likes green tea", tags=["drinks"], timestamp="2026-11-01T10:00:00Z")
    assert (retained["success"], retained["message"]) == (True, "Saved.")
    assert mcp.call("sync_retain", content="Alice likes green tea")["memory_id"] == retained["memory_id"]
    [fact] = mcp.call("recall", query="green tea", budget="high")["results"]
    assert (fact["text"], fact["occurred_start"]) == ("Alice likes green tea", "2026-11-01T10:00:00Z")
    assert mcp.call("recall", query="green tea", tags=["food"])["results"] == []
    assert "Extra inputs" in mcp.refused("recall", query="green tea", types=["world"])
    reflected = mcp.call("reflect", query="Which green tea do I like?")
    assert "draw the conclusions yourself" in reflected["text"]
    assert "“Alice likes green tea”" in reflected["text"]
    assert reflected["based_on"] == [retained["memory_id"]]
    changed = mcp.call("update_memory", memory_id=retained["memory_id"], text="Alice likes black tea")
    assert changed == mcp.call("get_memory", memory_id=retained["memory_id"])
    mcp.call("retain", content="Alice has a dog called Rex")
    page = mcp.call("list_memories", limit=1)
    assert ([one["text"] for one in page["items"]], page["has_more"]) == (["Alice has a dog called Rex"], True)
    rest = mcp.call("list_memories", limit=1, offset=1)
    assert ([one["text"] for one in rest["items"]], rest["has_more"]) == (["Alice likes black tea"], False)
    assert mcp.call("invalidate_memory", memory_id=retained["memory_id"])["success"]
    assert len(mcp.call("list_memories")["items"]) == 1


def test_a_recall_by_hindsights_name_stays_within_its_tokens() -> None:
    mcp = _with_tools("hindsight")
    for room in ("kitchen", "bathroom", "hall"):
        mcp.call("retain", content=f"The blue tile is in the {room}")
    assert len(mcp.call("recall", query="blue tile")["results"]) == 3
    assert len(mcp.call("recall", query="blue tile", max_tokens=1)["results"]) == 1


def test_supermemorys_tools_save_find_list_and_forget() -> None:
    mcp = _with_tools("supermemory")
    saved = mcp.call("add_memory", content="Alice likes green tea", containerTag="drinks")
    assert (saved["status"], saved["message"]) == ("saved", "Saved.")
    mcp.call("add_memory", content="Alice has a dog called Rex", action="save")
    found = mcp.call("search_memory", query="green tea")
    assert [(one["id"], one["text"]) for one in found["results"]] == [(saved["id"], "Alice likes green tea")]
    assert any("green tea" in line for line in found["profile"]["static"])
    assert found["profile"]["dynamic"] == ["Alice has a dog called Rex", "Alice likes green tea"]
    assert mcp.call("search_memory", query="green tea", includeProfile=False)["profile"] is None
    assert mcp.call("search_memory", query="green tea", containerTag="food")["results"] == []
    first = mcp.call("listMemories", limit=1)
    assert ([one["content"] for one in first["memories"]], first["hasMore"]) == (["Alice has a dog called Rex"], True)
    assert [one["content"] for one in mcp.call("listMemories", containerTag="drinks")["memories"]] == [
        "Alice likes green tea"
    ]
    assert mcp.call("whoAmI") == {"userId": "alice", "client": "assistant", "scopes": ["read", "write"]}
    asked = mcp.call("add_memory", content="green tea", action="forget")
    assert asked["status"] == "confirm"
    assert len(mcp.call("listMemories")["memories"]) == 2
    assert mcp.call("add_memory", action="forget", token=asked["token"], choice="yes")["status"] == "done"
    assert len(mcp.call("listMemories")["memories"]) == 1
    for wrong in ({}, {"content": "x", "token": "y"}, {"token": "y"}):
        assert mcp.refused("add_memory", **wrong).startswith("Bad input: ")


def test_what_to_forget_is_asked_of_the_person_under_another_tools_name() -> None:
    mcp = _with_tools("supermemory")
    mcp.call("add_memory", content="Alice likes green tea")
    call = {"name": "add_memory", "arguments": {"content": "Forget about the green tea", "action": "forget"}}
    asked = mcp.ask_modern("tools/call", call, capabilities=ASKING)["result"]
    answer = {"answer": {"action": "accept", "content": {"answer": "yes"}}}
    again = {**call, "requestState": asked["requestState"], "inputResponses": answer}
    done = mcp.ask_modern("tools/call", again, capabilities=ASKING)["result"]
    assert done["structuredContent"]["status"] == "done"
    assert mcp.call("listMemories")["memories"] == []


REX = {"name": "Rex", "entityType": "dog", "observations": ["Rex is a black dog", "sleeps in the kitchen"]}
OWNS = {"from": "Alice", "to": "Rex", "relationType": "looks_after"}


@pytest.fixture
def graph(db: None) -> Mcp:
    mcp = _with_tools("graph")
    alice = {"name": "Alice", "entityType": "person", "observations": []}
    created = mcp.call("create_entities", entities=[REX, alice])
    assert created["entities"] == [REX, alice]
    assert mcp.call("create_relations", relations=[OWNS])["relations"] == [OWNS]
    return mcp


def test_a_graph_is_read_as_it_was_written(graph: Mcp) -> None:
    told = graph.call("read_graph")
    assert {one["name"]: one for one in told["entities"]}["Rex"] == REX
    assert told["relations"] == [OWNS]
    assert told["complete"]
    assert graph.call("create_entities", entities=[REX])["entities"] == []
    assert graph.call("create_relations", relations=[OWNS])["relations"] == []
    added = graph.call(
        "add_observations", observations=[{"entityName": "Rex", "contents": ["Rex is a black dog", "Rex is four"]}]
    )
    assert added["results"] == [{"entityName": "Rex", "addedObservations": ["Rex is four"]}]
    unknown = [{"entityName": "Tom", "contents": ["Tom is a cat"]}]
    assert "no entity 'Tom': use create_entities" in graph.refused("add_observations", observations=unknown)


def test_what_is_added_to_a_graph_while_memory_is_paused_is_kept_and_said_so(graph: Mcp) -> None:
    Person.objects.filter(name="alice").update(memory_enabled=False)
    tom = {"name": "Tom", "entityType": "cat", "observations": ["Tom is grey"]}
    added = [
        graph.call("create_entities", entities=[tom]),
        graph.call("create_relations", relations=[{"from": "Tom", "to": "Rex", "relationType": "fears"}]),
        graph.call("add_observations", observations=[{"entityName": "Tom", "contents": ["Tom is six"]}]),
    ]
    assert [one["message"] for one in added] == [PAUSED_NOTICE] * 3
    [told] = graph.call("open_nodes", names=["Tom"])["entities"]
    assert set(told["observations"]) == {"Tom is grey", "Tom is six"}


def test_a_graph_is_made_of_memories_that_name_entities(graph: Mcp) -> None:
    plain = mcp_with("alice")
    contents = {one["content"] for one in plain.call("get_memories")["memories"]}
    assert contents == {"Rex is a black dog", "Rex: sleeps in the kitchen", "Alice: person", "Alice looks after Rex"}
    plain.call("add_memory", content="I met Nadia at the harbour")
    nodes = {one["name"]: one for one in graph.call("read_graph")["entities"]}
    assert nodes["Nadia"]["observations"] == ["I met Nadia at the harbour"]


def test_a_part_of_a_graph_is_found_and_opened(graph: Mcp) -> None:
    assert [one["name"] for one in graph.call("open_nodes", names=["Rex", "Tom"])["entities"]] == ["Rex"]
    found = graph.call("search_nodes", query="kitchen")
    assert [one["name"] for one in found["entities"]] == ["Rex"]
    assert found["relations"] == [OWNS]
    assert graph.call("search_nodes", query="submarine") == {"entities": [], "relations": [], "complete": True}
    assert _with_tools("graph", "nadia").call("search_nodes", query="kitchen")["entities"] == []


def test_what_is_deleted_from_a_graph_can_be_brought_back(graph: Mcp) -> None:
    mcp_with("alice").call("add_memory", content="I met Rex Winter at the harbour")
    sleeps = [{"entityName": "Rex", "observations": ["sleeps in the kitchen", "never said"]}]
    assert "1 memory is deleted" in graph.call("delete_observations", deletions=sleeps)["message"]
    assert "1 memory is deleted" in graph.call("delete_relations", relations=[OWNS])["message"]
    assert "0 memories are deleted" in graph.call("delete_relations", relations=[OWNS])["message"]
    assert "1 memory is deleted" in graph.call("delete_entities", entityNames=["Rex", "Tom"])["message"]
    left = {one["content"] for one in mcp_with("alice").call("get_memories")["memories"]}
    assert left == {"Alice: person", "I met Rex Winter at the harbour"}
    with every_space():
        assert Memory.objects.deleted().count() == 3


def test_what_one_may_not_read_is_in_no_graph(graph: Mcp) -> None:
    graph.call("create_entities", entities=[{"name": "Zora", "entityType": "cat", "observations": ["My PIN is 4711"]}])
    writer = _with_tools("graph", scopes=["write"])
    assert writer.call("create_entities", entities=[REX])["entities"] == [REX]  # says nothing of what was there
    assert "no entity" in writer.refused("add_observations", observations=[{"entityName": "Rex", "contents": ["x"]}])
    assert "0 memories" in writer.call("delete_entities", entityNames=["Rex"])["message"]
    assert _with_tools("graph", "mallory").call("read_graph")["entities"] == []
    assert len(mcp_with("alice").call("get_memories")["memories"]) == 5
