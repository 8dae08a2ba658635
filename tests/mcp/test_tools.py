"""The tools: what each does, for whom, and what it says where it does not."""

import json
from typing import Any

import pytest

from memory_app.api.request_log import request_log
from memory_app.models import Memory, Operation
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.mcp.conftest import Mcp, mcp_with

pytestmark = pytest.mark.django_db

READING = {"get_context", "search_memories", "get_memories", "get_memory", "list_proposals", "search", "fetch"}
WRITING = {"add_memory", "update_memory", "delete_memory", "propose_memories", "review_proposal"}


def _tools(mcp: Mcp) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in mcp.ask("tools/list")["result"]["tools"]}


def _add(mcp: Mcp, content: str, **more: object) -> str:
    added: str = mcp.call("add_memory", content=content, **more)["memory"]["id"]
    return added


def test_a_key_is_told_of_the_tools_it_may_call(mcp: Mcp) -> None:
    told = _tools(mcp)
    assert set(told) == READING | WRITING
    assert {name for name, tool in told.items() if tool["annotations"]["readOnlyHint"]} == READING
    assert {name for name, tool in told.items() if tool["annotations"]["destructiveHint"]} == {"delete_memory"}
    assert {tool["annotations"]["openWorldHint"] for tool in told.values()} == {False}
    assert {name for name, tool in told.items() if "outputSchema" not in tool} == {"search", "fetch"}
    assert all(len(tool["description"]) > 20 for tool in told.values())
    assert set(_tools(mcp_with(scopes=["read"]))) == READING
    assert set(_tools(mcp_with(scopes=["write"]))) == WRITING
    mcp.path = "/mcp?tools=readonly"
    assert set(_tools(mcp)) == READING
    assert "no such tool" in mcp.ask("tools/call", {"name": "add_memory", "arguments": {}})["error"]["message"]
    mcp.path = "/mcp?tools=everything"
    assert "no such set of tools" in mcp.ask("tools/list")["error"]["message"]


def test_a_memory_is_saved_found_briefed_changed_and_read() -> None:
    mcp = mcp_with("alice")
    added = mcp.call("add_memory", content="Alice likes green tea", tags=["drinks"])
    assert (added["outcome"], added["message"]) == ("added", "Saved.")
    assert mcp.call("add_memory", content="Alice likes green tea")["outcome"] == "duplicate"
    memory = added["memory"]["id"]
    found = mcp.call("search_memories", query="green tea", types=["preference"], tags=["drinks"])
    assert [(one["id"], one["relevant"]) for one in found["results"]] == [(memory, True)]
    assert mcp.call("search_memories", query="green tea", tags=["food"])["results"] == []
    briefed = mcp.result("get_context", query="Which green tea do I like?")
    assert briefed["content"][0]["text"] == briefed["structuredContent"]["text"]
    assert "“Alice likes green tea”" in briefed["structuredContent"]["text"]
    assert briefed["structuredContent"]["memory_ids"] == [memory]
    changed = mcp.call("update_memory", memory_id=memory, content="Alice likes black tea")
    assert changed == mcp.call("get_memory", memory_id=memory)
    assert [one["content"] for one in mcp.call("get_memories", tag="drinks")["memories"]] == ["Alice likes black tea"]


def test_lists_go_on_where_they_ended() -> None:
    mcp = mcp_with("alice")
    for number in ("one", "two", "three"):
        _add(mcp, f"Alice saw film {number}")
    first = mcp.call("get_memories", limit=2)
    rest = mcp.call("get_memories", limit=2, cursor=first["next_cursor"])
    assert [len(page["memories"]) for page in (first, rest)] == [2, 1]
    assert rest["next_cursor"] is None
    assert "not a cursor" in mcp.refused("get_memories", cursor="nonsense")


def test_who_is_not_known_has_nothing_and_stays_unknown(mcp: Mcp) -> None:
    assert mcp.call("search_memories", person="nadia", query="tea")["results"] == []
    assert mcp.call("get_memories", person="nadia")["memories"] == []
    assert mcp.result("get_context", person="nadia", query="tea")["content"][0]["text"].startswith("Nothing")
    with every_space():
        assert not Memory.objects.filter(person__name="nadia").exists()


def test_a_connection_is_for_the_person_of_its_address_or_of_its_key(mcp: Mcp) -> None:
    assert "person" in _tools(mcp)["add_memory"]["inputSchema"]["required"]
    for pinned in (mcp_with("alice"), mcp_with(people=["alice"])):
        schema = _tools(pinned)["get_context"]["inputSchema"]
        assert "person" not in [*schema["properties"], *schema["required"]]
        assert pinned.call("get_memories", person="alice")["memories"] == []
        assert "for one person" in pinned.refused("get_memories", person="bob")
    assert "may not speak for 'bob'" in mcp_with("bob", people=["alice"]).refused("get_memories")


def test_what_is_noticed_waits_for_the_person() -> None:
    mcp = mcp_with("alice")
    items = [{"content": "Alice has a dog called Rex"}, {"content": "My blood pressure medication is lisinopril"}]
    dog, refused = mcp.call("propose_memories", items=items)["items"]
    assert "sensitive" in refused["refused"]
    assert mcp.call("get_memories")["memories"] == []
    assert [one["id"] for one in mcp.call("list_proposals")["proposals"]] == [dog["proposal"]["id"]]
    decided = mcp.call("review_proposal", proposal_id=dog["proposal"]["id"], decision="accept", content="Rex is a dog")
    assert (decided["status"], decided["memory"]["content"]) == ("accepted", "Rex is a dog")
    assert "accepted already" in mcp.refused("review_proposal", proposal_id=dog["proposal"]["id"], decision="reject")
    [cat] = mcp.call("propose_memories", items=[{"content": "Alice has a cat called Tom"}])["items"]
    rejected = mcp.call("review_proposal", proposal_id=cat["proposal"]["id"], decision="reject")
    assert rejected == {"status": "rejected", "memory": None}


def test_words_to_delete_are_a_question_until_the_person_answers() -> None:
    mcp = mcp_with("alice")
    blue, red = _add(mcp, "The blue tile is in the kitchen"), _add(mcp, "The blue tile is in the bathroom")
    asked = mcp.call("delete_memory", utterance="forget about the blue tile")
    assert (asked["status"], {one["id"] for one in asked["candidates"]}) == ("choose", {blue, red})
    assert len(mcp.call("get_memories")["memories"]) == 2
    assert "send it with the question's `token`" in mcp.refused("delete_memory", token=asked["token"])
    done = mcp.call("delete_memory", token=asked["token"], choice="all")
    assert (done["status"], mcp.call("get_memories")["memories"]) == ("done", [])
    assert mcp.refused("delete_memory", token=asked["token"], choice="all")
    one = _add(mcp, "Alice likes green tea")
    assert mcp.call("delete_memory", memory_id=one)["status"] == "done"
    with every_space():
        assert Memory.objects.deleted().filter(id=one).exists()
    for arguments in ({}, {"memory_id": one, "utterance": "forget it"}, {"memory_id": one, "choice": "yes"}):
        assert mcp.refused("delete_memory", **arguments).startswith("Bad input: ")


def test_chatgpt_searches_and_fetches() -> None:
    mcp = mcp_with("alice")
    memory = _add(mcp, "Alice has a dog called Rex")
    searched = mcp.result("search", query="dog Rex")
    assert "structuredContent" not in searched
    [found] = json.loads(searched["content"][0]["text"])["results"]
    url = f"http://testserver/memories/{memory}/"
    assert found == {"id": memory, "title": "Alice has a dog called Rex", "text": found["title"], "url": url}
    fetched = json.loads(mcp.result("fetch", id=found["id"])["content"][0]["text"])
    assert {name: fetched[name] for name in found} == found
    assert fetched["metadata"]["type"] == "fact"


def test_a_mistake_is_told_so_that_a_model_can_mend_it(mcp: Mcp) -> None:
    assert mcp.refused("search_memories", person="alice", query="tea", limit=500) == (
        "Bad input: limit: Input should be less than or equal to 50"
    )
    assert "person: Field required" in mcp.refused("search_memories", query="tea")
    assert "Extra inputs" in mcp.refused("search_memories", person="alice", query="tea", user_id="alice")
    assert "NUL" in mcp.refused("add_memory", person="alice", content="a\x00b")
    missing = mcp.refused("get_memory", person="alice", memory_id="01990000-0000-7000-8000-00000000dead")
    assert missing.startswith("There is nothing here that you may see.")


def test_a_key_that_may_only_write_is_told_no_words() -> None:
    writer = mcp_with("alice", scopes=["write"])
    _add(mcp_with("alice"), "The blue mug cost 5 euros")
    added = writer.call("add_memory", content="The blue mug cost 6 euros")
    assert added["memory"]["content"] == "The blue mug cost 6 euros"
    assert "5 euros" not in json.dumps(added)
    assert "5 euros" not in json.dumps(writer.call("delete_memory", utterance="forget about the blue mug"))


def test_calls_are_logged_by_tool_and_person(mcp: Mcp) -> None:
    mcp.call("search_memories", person="alice", query="tea")
    mcp.call("add_memory", person="alice", content="Alice likes tea")
    mcp.call("search_memories", person="alice", query="green tea")
    mcp.ask("tools/list")
    request_log.flush()
    with every_space():
        entries = list(Operation.objects.filter(name="request").order_by("id"))
    assert [entry.detail["path"] for entry in entries] == [
        "/mcp search_memories",
        "/mcp add_memory",
        "/mcp search_memories",
        "/mcp",
    ]
    assert [entry.detail.get("asked") for entry in entries] == [None, None, "green tea", None]
    assert [entry.person_id is None for entry in entries] == [True, False, False, True]


def test_the_profile_and_the_notes_of_a_day_are_resources(api: Api) -> None:
    mcp = mcp_with("alice")
    _add(mcp, "Alice likes green tea")
    api.post("/people/alice/notes/2026-11-20", {"text": "It rained"})
    [listed] = mcp.ask("resources/list")["result"]["resources"]
    assert listed["uri"] == "memory://profile/alice"
    [profile] = mcp.ask("resources/read", {"uri": listed["uri"]})["result"]["contents"]
    assert "green tea" in profile["text"]
    [notes] = mcp.ask("resources/read", {"uri": "memory://notes/alice/2026-11-20"})["result"]["contents"]
    assert notes["text"] == "# 2026-11-20\n\n- It rained\n"
    api.remember("an/na", "Anna likes rain")
    [anna] = mcp_with().ask("resources/read", {"uri": "memory://profile/an%2Fna"})["result"]["contents"]
    assert "rain" in anna["text"]
    refused = {
        uri: asked.ask("resources/read", {"uri": uri})["error"]["code"]
        for uri, asked in {
            "memory://profile/an%2Fna": mcp,
            "memory://profile/nadia": mcp_with(),
            "memory://profile/bob": mcp_with(people=["alice"]),
            "memory://notes/alice/2026-13-01": mcp,
            "memory://profile/%00": mcp_with(),
            "file:///etc/passwd": mcp,
        }.items()
    }
    assert set(refused.values()) == {-32002}, refused
    unread = mcp_with("alice", scopes=["write"]).ask("resources/read", {"uri": listed["uri"]})
    assert "scope 'read'" in unread["error"]["message"]
    assert mcp_with().ask("resources/list")["result"]["resources"] == []


def test_the_prompt_puts_what_is_remembered_before_a_question() -> None:
    mcp = mcp_with("alice")
    _add(mcp, "Alice likes green tea")
    [prompt] = mcp.ask("prompts/list")["result"]["prompts"]
    assert [argument["name"] for argument in prompt["arguments"]] == ["query"]
    asked = {"name": "context", "arguments": {"query": "Which green tea do I like?"}}
    [message] = mcp.ask("prompts/get", asked)["result"]["messages"]
    assert "“Alice likes green tea”" in message["content"]["text"]
    assert message["content"]["text"].endswith("\n\nWhich green tea do I like?")
    assert "no such prompt" in mcp.ask("prompts/get", {"name": "other"})["error"]["message"]
    assert "query: Field required" in mcp.ask("prompts/get", {"name": "context"})["error"]["message"]
