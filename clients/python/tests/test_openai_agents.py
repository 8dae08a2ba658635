"""The session of the OpenAI Agents SDK, by itself and in a run of an agent."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, ModelResponse, Runner, Usage
from agents.memory import Session
from agents.models.interface import Model
from conftest import Server
from keepsake_client import AsyncKeepsake
from keepsake_client.openai_agents import KeepsakeSession
from openai.types.responses import ResponseOutputMessage, ResponseOutputText


@pytest.fixture
async def client(server: Server) -> AsyncIterator[AsyncKeepsake]:
    async with AsyncKeepsake(server.url, server.key) as client:
        yield client


@pytest.fixture
def session(client: AsyncKeepsake, person: str) -> KeepsakeSession:
    return KeepsakeSession("thread-1", client=client, person=person)


CALL = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Porto"}'}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "sunny"}


async def test_items_come_back_in_order_as_they_were(session: KeepsakeSession) -> None:
    assert isinstance(session, Session)
    items: list[Any] = [
        {"role": "user", "content": "What is the weather in Porto?"},
        CALL,
        RESULT,
        {"role": "assistant", "content": "Sunny."},
    ]
    assert await session.get_items() == []
    assert await session.pop_item() is None
    await session.add_items(items)
    assert await session.get_items() == items
    assert await session.get_items(limit=2) == items[2:]
    assert await session.pop_item() == items[3]
    assert await session.pop_item() == RESULT
    assert await session.get_items() == items[:2]
    await session.clear_session()
    assert await session.get_items() == []


async def test_what_is_not_words_is_not_searched(session: KeepsakeSession, client: AsyncKeepsake, person: str) -> None:
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is sunny."}]}
    await session.add_items([message, CALL, {"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}])  # type: ignore[list-item, typeddict-item]
    found = await client.search(person, "sunny weather Porto image", kinds=["turn"])
    assert [result["turn"]["content"] for result in found["results"] if result["turn"]] == ["It is sunny."]
    assert (await session.get_items())[1:] == [
        CALL,
        {"role": "user", "content": [{"type": "input_image", "image_url": "x"}]},
    ]


async def test_many_items_are_read_page_by_page(session: KeepsakeSession) -> None:
    await session.add_items([{"role": "user", "content": f"Line {n}"} for n in range(620)])
    assert len(await session.get_items()) == 620
    assert [item["content"] for item in await session.get_items(limit=2)] == ["Line 618", "Line 619"]  # type: ignore[typeddict-item]


class Parrot(Model):
    """Says how many items it was given."""

    async def get_response(self, system_instructions: Any, input: Any, *more: Any, **others: Any) -> ModelResponse:
        text = ResponseOutputText(text=f"I was given {len(input)} items.", type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *more: Any, **others: Any) -> Any:
        raise NotImplementedError


async def test_an_agent_goes_on_where_it_was(session: KeepsakeSession) -> None:
    agent = Agent(name="Parrot", model=Parrot())
    assert (await Runner.run(agent, "Hello", session=session)).final_output == "I was given 1 items."
    assert (await Runner.run(agent, "And now?", session=session)).final_output == "I was given 3 items."
    assert [item["role"] for item in await session.get_items()] == ["user", "assistant"] * 2  # type: ignore[typeddict-item]
