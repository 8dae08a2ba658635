"""A memory block for LlamaIndex: what leaves the short-term memory becomes turns, and what is relevant comes back.

block = KeepsakeMemoryBlock(client=AsyncKeepsake(url, key), person="alice")
memory = Memory.from_defaults(session_id="thread-1", memory_blocks=[block])
"""

from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.bridge.pydantic import Field
from llama_index.core.memory.memory import BaseMemoryBlock

from keepsake_client.async_client import AsyncKeepsake

ROLES = ("user", "assistant", "system")
MAX_TURNS = 500


class KeepsakeMemoryBlock(BaseMemoryBlock[str]):
    """A block of text. conversation: the caller's own name of the conversation, where the memory has no session."""

    name: str = "keepsake"
    description: str | None = "What is remembered of the person."
    client: AsyncKeepsake
    person: str
    venue: dict[str, Any] | None = None
    conversation: str = "llama-index"
    token_budget: int = Field(default=300, ge=0)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """What is relevant to what the person said last; empty where nothing is."""
        said = [message.content for message in messages or () if message.role == "user" and message.content]
        if not said:
            return ""
        found = await self.client.context(self.person, said[-1], venue=self.venue, token_budget=self.token_budget)
        return found["text"]

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Stores what was said, of each session as a conversation of its own."""
        sessions: dict[str, list[dict[str, str]]] = {}
        for message in messages:
            if message.content and str(message.role.value) in ROLES:
                session = str(message.additional_kwargs.get("session_id") or self.conversation)
                sessions.setdefault(session, []).append({"role": message.role.value, "content": message.content})
        for session, turns in sessions.items():
            opened = await self.client.open_conversation(self.person, external_id=session, venue=self.venue)
            for start in range(0, len(turns), MAX_TURNS):
                await self.client.add_turns(opened["id"], turns[start : start + MAX_TURNS])
