"""A session for the OpenAI Agents SDK, kept as a conversation of a person.

    session = KeepsakeSession("thread-1", client=AsyncKeepsake(url, key), person="alice")
    result = await Runner.run(agent, "Hello", session=session)

Messages are turns: they are searched, and what is worth keeping is noticed in them. All else that a run makes, such as
calls of tools and their results, is stored beside them as it is, and never noticed.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents.items import TResponseInputItem
from agents.memory.session import SessionABC
from agents.memory.session_settings import SessionSettings

from keepsake_client.async_client import AsyncKeepsake
from keepsake_client.calls import Venue
from keepsake_client.errors import NotFound
from keepsake_client.types import Turn

OTHER_ITEM = "openai-agents item"
"""The intent of a turn that holds an item as JSON."""

PAGE = 200
MAX_TURNS = 500


class KeepsakeSession(SessionABC):
    """One conversation. session_id: the caller's own name of it, up to 200 characters.

    While the person's memory is paused nothing is stored, and `get_items` tells only what was said before.
    """

    def __init__(
        self,
        session_id: str,
        *,
        client: AsyncKeepsake,
        person: str,
        venue: Venue | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._client, self._person, self._venue = client, person, venue
        self._conversation: str | None = None

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest so many, the oldest of them first; None: all of them."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        turns: list[Turn] = []
        cursor: str | None = None
        while limit is None or len(turns) < limit:
            wanted = PAGE if limit is None else min(PAGE, limit - len(turns))
            page = await self._client.list_turns(await self._id(), newest_first=True, limit=wanted, cursor=cursor)
            turns += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        return [_item(turn) for turn in reversed(turns)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds to the end."""
        turns = [_turn(cast("Mapping[str, Any]", item)) for item in items]
        for start in range(0, len(turns), MAX_TURNS):
            await self._client.add_turns(await self._id(), turns[start : start + MAX_TURNS])

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the last one and returns it; None where there is none."""
        try:
            return _item(await self._client.remove_last_turn(await self._id()))
        except NotFound:
            return None

    async def clear_session(self) -> None:
        """Removes all of it. What was remembered because of it stays."""
        while await self.pop_item() is not None:
            pass

    async def _id(self) -> str:
        if self._conversation is None:
            opened = await self._client.open_conversation(self._person, external_id=self.session_id, venue=self._venue)
            self._conversation = opened["id"]
        return self._conversation


def _turn(item: Mapping[str, Any]) -> dict[str, Any]:
    """A message of words alone as what was said; all else as JSON, which nothing is noticed in."""
    if item.get("type", "message") == "message" and item.get("role") in ("user", "assistant", "system"):
        text = _text(item.get("content"))
        if text:
            return {"role": item["role"], "content": text}
    content = json.dumps(dict(item), ensure_ascii=False)
    return {"role": "system", "content": content, "mode": "command", "intent": OTHER_ITEM}


def _text(content: Any) -> str:
    """The words of a message; "" where it holds anything else, such as a picture or a refusal."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = [
        part for part in content if isinstance(part, Mapping) and part.get("type") in ("input_text", "output_text")
    ]
    return "\n".join(str(part.get("text", "")) for part in parts) if len(parts) == len(content) else ""


def _item(turn: Turn) -> TResponseInputItem:
    if turn["intent"] == OTHER_ITEM:
        return cast(TResponseInputItem, json.loads(turn["content"]))
    return cast(TResponseInputItem, {"role": turn["role"], "content": turn["content"]})
