"""The official Python client of the first generation saves, finds, reads and is refused: client_1.py http|stdio.

KEEPSAKE_URL, KEEPSAKE_KEY, PYTHON and MANAGE say where Keepsake is.
"""

import asyncio
import os
import sys
from urllib.parse import quote

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

URL, KEY = os.environ["KEEPSAKE_URL"], os.environ["KEEPSAKE_KEY"]


async def main(how: str) -> None:
    if how == "http":
        async with streamablehttp_client(f"{URL}/mcp", headers={"Authorization": f"Bearer {KEY}"}) as streams:
            await talk(*streams[:2], person="python http zoë")
        return
    program = StdioServerParameters(
        command=os.environ["PYTHON"],
        args=[os.environ["MANAGE"], "mcp"],
        env={"KEEPSAKE_URL": URL, "KEEPSAKE_KEY": KEY},
    )
    async with stdio_client(program) as streams:
        await talk(*streams, person="python stdio zoë")


async def talk(reads, writes, person: str) -> None:
    async with ClientSession(reads, writes) as session:
        started = await session.initialize()
        assert started.serverInfo.name == "keepsake"
        assert len((await session.list_tools()).tools) == 12
        added = await session.call_tool("add_memory", {"person": person, "content": "Zoë likes green tea"})
        assert not added.isError, added
        found = await session.call_tool("search_memories", {"person": person, "query": "green tea"})
        assert found.structuredContent["total_found"] == 1
        profile = await session.read_resource(f"memory://profile/{quote(person, safe='')}")
        assert "green tea" in profile.contents[0].text
        prompt = await session.get_prompt("context", {"person": person, "query": "green tea"})
        assert "green tea" in prompt.messages[0].content.text
        asked = await session.call_tool("delete_memory", {"person": person, "utterance": "forget about the green tea"})
        assert asked.structuredContent["status"] == "confirm"
        assert (await session.call_tool("get_memory", {"person": person, "memory_id": "x"})).isError


asyncio.run(main(sys.argv[1]))
