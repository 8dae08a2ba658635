"""The official client starts the proxy as assistants do, before Keepsake on a real port, in both eras."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from pytest_django.live_server_helper import LiveServer

from memory_app.models import ApiKey
from tests.database import wait_for_threads
from tests.mcp_proxy.conftest import COMMAND


def _proxy(url: str, key: str, **more: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=COMMAND, env={"KEEPSAKE_URL": url, "KEEPSAKE_KEY": key, **more}
    )


@pytest.mark.django_db(transaction=True)
def test_the_official_client_saves_and_finds_through_the_proxy(live_server: LiveServer) -> None:
    _, token = ApiKey.issue("client", scopes=["read", "write"])
    # In a thread of its own: after tests in a browser, this one has an event loop that runs.
    with ThreadPoolExecutor(1) as thread:
        for mode in ("auto", "legacy"):
            talk = _talk(_proxy(live_server.url, token, KEEPSAKE_PERSON="zoë"), mode)
            thread.submit(asyncio.run, talk).result()
        readonly = _proxy(live_server.url, token, KEEPSAKE_TOOLS="readonly")
        assert "add_memory" not in thread.submit(asyncio.run, _tools(readonly)).result()
        told = thread.submit(asyncio.run, _refusal(_proxy(live_server.url, "ks_wrong"))).result()
    wait_for_threads()
    assert "Keepsake does not know this key" in told


async def _talk(proxy: StdioServerParameters, mode: Any) -> None:
    async with Client(proxy, mode=mode) as client:
        assert len((await client.list_tools()).tools) == 12
        contents = [f"Zoë likes the {color} käse 🧀" for color in ("red", "blue", "green", "black", "white")]
        added = await asyncio.gather(*[client.call_tool("add_memory", {"content": content}) for content in contents])
        assert not [one for one in added if one.is_error]
        found = await client.call_tool("search_memories", {"query": "käse"})
        assert found.structured_content
        assert {one["content"] for one in found.structured_content["results"]} == set(contents)
        profile = await client.read_resource("memory://profile/zo%C3%AB")
        assert "🧀" in str(profile.contents)
        prompt = await client.get_prompt("context", {"query": "the blue käse"})
        assert "blue käse" in str(prompt.messages)


async def _tools(proxy: StdioServerParameters) -> set[str]:
    async with Client(proxy) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


async def _refusal(proxy: StdioServerParameters) -> str:
    told = ""
    try:
        async with Client(proxy, mode="legacy"):
            pass
    except* MCPError as errors:
        told = str(errors.exceptions)
    return told
