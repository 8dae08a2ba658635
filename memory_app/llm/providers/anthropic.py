"""Anthropic's messages. Imported only by `model`, and by name.

Structured outputs first; where a model does not know them, one tool that it must use. The other way round would not
do: a forced tool is refused by models that think before they answer.
"""

import json
from typing import Annotated, Any

import anthropic
from pydantic import BaseModel, Field, JsonValue, ValidationError

from memory_app.llm.protocol import BadAnswer, Completion, Prompt, Provider, Schema
from memory_app.llm.providers import ModelAddress
from memory_app.llm.providers.client import PLACEHOLDER_KEY, BoundedClient, FallbackProvider, Limits, model_error

TOOL = "answer"

_CUT_OFF = ("max_tokens", "model_context_window_exceeded")
_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class _Usage(BaseModel):
    input_tokens: _Count = 0
    output_tokens: _Count = 0


class _Block(BaseModel):
    type: str
    text: str = ""
    input: JsonValue = None


class _Body(BaseModel):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage = _Usage()


class Anthropic(FallbackProvider):
    """A model behind messages."""

    def _call(self, prompt: Prompt, schema: Schema, limits: Limits, use_fallback: bool) -> Completion:
        http = BoundedClient(self._address.base_url, limits)
        with anthropic.Anthropic(
            api_key=self._address.key or PLACEHOLDER_KEY,
            base_url=self._address.base_url,
            max_retries=0,
            timeout=http.timeout,
            http_client=http,
        ) as client:
            try:
                answer = client.messages.with_raw_response.create(**self._request(prompt, schema, use_fallback))
            except anthropic.AnthropicError as error:
                raise model_error(error) from None
            return _read(answer.http_response.content)

    def _request(self, prompt: Prompt, schema: Schema, use_fallback: bool) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._address.model,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.text}],
            "max_tokens": prompt.max_tokens,
        }
        if use_fallback:
            tool = {"name": TOOL, "description": "Takes the answer.", "input_schema": schema}
            return request | {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}
        return request | {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def provider(address: ModelAddress, limits: Limits | None = None) -> Provider:
    """Who answers at this address."""
    return Anthropic(address, limits or Limits())


def _read(body: bytes) -> Completion:
    try:
        read = _Body.model_validate_json(body)
    except ValidationError:
        raise BadAnswer("The provider's answer is no message.") from None
    used = next((block.input for block in read.content if block.type == "tool_use"), None)
    text = "".join(block.text for block in read.content if block.type == "text")
    return Completion(
        text if used is None else json.dumps(used),
        read.usage.input_tokens,
        read.usage.output_tokens,
        _stopped(read.stop_reason),
    )


def _stopped(reason: str | None) -> str:
    if reason in _CUT_OFF:
        return "length"
    return "refusal" if reason == "refusal" else ""
