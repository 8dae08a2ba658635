"""The memory block of LlamaIndex, by itself and in a memory."""

from conftest import Server
from keepsake_client import AsyncKeepsake
from keepsake_client.llamaindex import KeepsakeMemoryBlock
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory


async def test_what_was_said_is_stored_and_what_is_relevant_comes_back(server: Server, person: str) -> None:
    async with AsyncKeepsake(server.url, server.key) as client:
        block = KeepsakeMemoryBlock(client=client, person=person)
        await client.add_memory(person, "I prefer green tea to coffee")
        assert await block.aget() == ""
        question = [ChatMessage(role="user", content="Do I prefer green tea or coffee?")]
        assert "green tea" in await block.aget(question)
        await block.aput([*question, ChatMessage(role="assistant", content="Green tea.")], session_id="thread-1")
        talk = (await client.open_conversation(person, external_id="thread-1"))["id"]
        turns = (await client.list_turns(talk))["items"]
        assert [(turn["role"], turn["content"]) for turn in turns] == [
            ("user", "Do I prefer green tea or coffee?"),
            ("assistant", "Green tea."),
        ]


async def test_a_memory_uses_it(server: Server, person: str) -> None:
    async with AsyncKeepsake(server.url, server.key) as client:
        await client.add_memory(person, "I prefer green tea to coffee")
        block = KeepsakeMemoryBlock(client=client, person=person)
        memory = Memory.from_defaults(session_id="thread-2", memory_blocks=[block])
        await memory.aput(ChatMessage(role="user", content="Do I prefer green tea or coffee?"))
        told = await memory.aget()
        assert any("green tea to coffee" in str(message.content) for message in told)
