"""Over MCP too, what is another's answers exactly as what is not there, and no key reaches further than its grant."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.core.cache import cache

from memory_app.mcp.tools import OTHER_TOOLS, TOOLS
from memory_app.models import ApiKey
from tests.cast import NOTHING, Things, settle_in, things_of
from tests.mcp.conftest import Mcp, mcp_with
from tests.worlds import NOON, undone

pytestmark = pytest.mark.django_db

NAMES_AN_ID: dict[str, dict[str, Any]] = {
    "get_memory": {"memory_id": "memory_id"},
    "fetch": {"id": "memory_id"},
    "update_memory": {"memory_id": "memory_id", "content": "mine"},
    "delete_memory": {"memory_id": "memory_id"},
    "review_proposal": {"proposal_id": "proposal_id", "decision": "accept"},
}
"""Tools that take an id of something, and of what of Alice's it is."""

OTHERS_NAME_AN_ID: dict[str, dict[str, dict[str, Any]]] = {
    "hindsight": {
        "get_memory": {"memory_id": "memory_id"},
        "update_memory": {"memory_id": "memory_id", "text": "mine"},
        "invalidate_memory": {"memory_id": "memory_id"},
    },
    "supermemory": {},
    "graph": {},
}
"""The same of the sets of tools under names of other products."""

QUESTION = {"query": "Which blue tile did I choose?"}
IDS = {"memory_id", "proposal_id"}


@pytest.fixture
def alices() -> Iterator[Things]:
    with time_machine.travel(NOON, tick=False):
        settle_in()
        yield things_of("alice", *ApiKey.issue("admin", scopes=["read", "write", "admin"]))


def test_every_tool_that_takes_an_id_is_tried() -> None:
    def takes_one(schema: dict[str, Any]) -> bool:
        return "uuid" in str(schema["properties"])

    described = {tool.name: tool.described(pinned=False)["inputSchema"] for tool in TOOLS}
    assert {name for name, schema in described.items() if takes_one(schema)} == set(NAMES_AN_ID)
    for chosen, tools in OTHER_TOOLS.items():
        schemas = {tool.name: tool.described(pinned=False)["inputSchema"] for tool in tools}
        assert {name for name, schema in schemas.items() if takes_one(schema)} == set(OTHERS_NAME_AN_ID[chosen])


def test_what_is_alices_is_nothing_to_others(alices: Things) -> None:
    """To keys that speak for others, that are theirs, or that belong elsewhere; and to all of them she is nobody."""
    askers: dict[str, tuple[Mcp, dict[str, Any]]] = {
        "a key for all, for Mallory": (mcp_with(), {"person": "mallory"}),
        "Mallory's key": (mcp_with(people=["mallory"]), {}),
        "an address of Mallory's": (mcp_with("mallory"), {}),
        "the garage's key": (mcp_with(spaces=["garage"]), {"person": "alice", "venue": {"space": "garage"}}),
        "Mallory's key, for Alice": (mcp_with(people=["mallory"]), {"person": "alice"}),
    }
    for name, (mcp, given) in askers.items():
        own_path = mcp.path
        for chosen, tools in {"": NAMES_AN_ID, **OTHERS_NAME_AN_ID}.items():
            mcp.path = f"{own_path}?tools={chosen}"
            for tool, arguments in tools.items():
                told = {of: _told(mcp, tool, given, arguments, of) for of in _values(alices, arguments)}
                assert set(told.values()) == {told[NOTHING]}, (name, chosen, tool)


def _values(things: Things, arguments: dict[str, Any]) -> list[str]:
    [kind] = IDS & {*arguments.values()}
    return [NOTHING, *things[kind].values()]


def _told(mcp: Mcp, tool: str, given: dict[str, Any], arguments: dict[str, Any], value: str) -> str:
    """All that is answered, but for the id itself. Proposals are decided on in private, and take no venue."""
    cache.clear()
    with undone():
        named = {name: value if of in IDS else of for name, of in arguments.items()}
        sent = {name: of for name, of in given.items() if tool != "review_proposal" or name != "venue"}
        return str(mcp.ask("tools/call", {"name": tool, "arguments": {**sent, **named}})).replace(value, "ID")


def test_no_tool_finds_what_is_another_persons(alices: Things) -> None:
    for mcp in (mcp_with("mallory"), mcp_with(people=["mallory"])):
        for tool in ("search_memories", "get_context", "search", "get_memories", "list_proposals"):
            cache.clear()
            asked = {} if tool in ("get_memories", "list_proposals") else {"query": "Which blue tile did I choose?"}
            told = str(mcp.result(tool, **asked))
            assert "tile" not in told, tool
            assert "lisinopril" not in told, tool
        assert "blue tile" not in str(mcp.result("delete_memory", utterance="forget about the blue tile"))


def test_no_tool_of_another_products_name_finds_what_is_another_persons(alices: Things) -> None:
    asked: dict[str, dict[str, dict[str, Any]]] = {
        "hindsight": {"recall": QUESTION, "reflect": QUESTION, "list_memories": {}},
        "supermemory": {"search_memory": QUESTION, "listMemories": {}},
        "graph": {"search_nodes": QUESTION, "read_graph": {}, "open_nodes": {"names": ["Alice", "Rex"]}},
    }
    for mcp in (mcp_with("mallory"), mcp_with(people=["mallory"])):
        own_path = mcp.path
        for chosen, tools in asked.items():
            mcp.path = f"{own_path}?tools={chosen}"
            for tool, arguments in tools.items():
                cache.clear()
                told = str(mcp.result(tool, **arguments))
                assert "tile" not in told.replace(QUESTION["query"], ""), tool
                assert "lisinopril" not in told, tool


def test_a_question_of_alices_is_not_answered_by_another(alices: Things) -> None:
    asked = mcp_with("alice").call("delete_memory", utterance="forget about the blue tile")
    assert asked["token"]
    assert mcp_with("mallory").refused("delete_memory", token=asked["token"], choice="yes")
    assert mcp_with(people=["mallory"]).refused("delete_memory", token=asked["token"], choice="yes")


def test_a_key_for_a_place_opens_no_private_talk(alices: Things) -> None:
    kitchen = mcp_with(spaces=["kitchen"])
    here = {"space": "kitchen"}
    assert "in private" in kitchen.refused("search_memories", person="alice", query="tile")
    assert "in private" in kitchen.refused("add_memory", person="alice", content="I like tea")
    found = kitchen.call("search_memories", person="alice", venue=here, query="When does the door open?")
    assert {one["visibility"] for one in found["results"]} == {"space"}
    added = kitchen.call("add_memory", person="alice", venue=here, content="The oven is hot")
    assert (added["memory"]["visibility"], added["memory"]["space"]) == ("space", "kitchen")
    assert "no longer belongs" in mcp_with("alice").refused(
        "add_memory", venue={"space": "attic"}, content="It is cold"
    )
