"""The official client, over a real port, in both eras."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pytest_django.live_server_helper import LiveServer

from memory_app.models import ApiKey
from tests.database import wait_for_threads


@pytest.mark.django_db(transaction=True)
def test_the_official_client_saves_and_finds(live_server: LiveServer) -> None:
    """It checks every answer against the schemas that it was told."""
    _, token = ApiKey.issue("client", scopes=["read", "write"], people=["alice"])
    # In a thread of its own: after tests in a browser, this one has an event loop that runs.
    with ThreadPoolExecutor(1) as thread:
        for mode in ("auto", "legacy"):
            thread.submit(asyncio.run, _talk(f"{live_server.url}/mcp", token, mode)).result()
    wait_for_threads()


async def _talk(address: str, token: str, mode: Any) -> None:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        tools = await client.list_tools()
        assert len(tools.tools) == 12
        added = await client.call_tool("add_memory", {"content": "Alice likes green tea"})
        assert not added.is_error
        found = await client.call_tool("search_memories", {"query": "green tea"})
        assert found.structured_content
        assert found.structured_content["total_found"] == 1
        profile = await client.read_resource("memory://profile/alice")
        assert "green tea" in str(profile.contents)
        prompt = await client.get_prompt("context", {"query": "green tea"})
        assert "green tea" in str(prompt.messages)
        assert (await client.call_tool("get_memory", {"memory_id": "x"})).is_error
