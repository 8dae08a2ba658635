"""OpenAI's chat completions, and every server that speaks them: Ollama, vLLM and the rest, at any base URL.

Imported only by `model`, and by name. Structured outputs first; JSON mode where a server does not know them.
"""

import json
from typing import Annotated, Any

import openai
from pydantic import BaseModel, Field, ValidationError

from memory_app.llm.protocol import BadAnswer, Completion, Prompt, Provider, Schema
from memory_app.llm.providers import ModelAddress
from memory_app.llm.providers.client import PLACEHOLDER_KEY, BoundedClient, FallbackProvider, Limits, model_error

_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class _Usage(BaseModel):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Body(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: _Usage | None = None


class OpenAI(FallbackProvider):
    """A model behind chat completions."""

    def _call(self, prompt: Prompt, schema: Schema, limits: Limits, use_fallback: bool) -> Completion:
        http = BoundedClient(self._address.base_url, limits)
        with openai.OpenAI(
            api_key=self._address.key or PLACEHOLDER_KEY,
            base_url=self._address.base_url,
            max_retries=0,
            timeout=http.timeout,
            http_client=http,
        ) as client:
            try:
                answer = client.chat.completions.with_raw_response.create(**self._request(prompt, schema, use_fallback))
            except openai.OpenAIError as error:
                raise model_error(error) from None
            return _read(answer.http_response.content)

    def _request(self, prompt: Prompt, schema: Schema, use_fallback: bool) -> dict[str, Any]:
        system, form = prompt.system, _structured(prompt.id, schema)
        if use_fallback:
            system = f"{system}\n\nAnswer with one JSON object of this schema:\n{json.dumps(schema)}"
            form = {"type": "json_object"}
        # OpenAI's reasoning models know only the newer name, many other servers only the older one.
        limit = "max_completion_tokens" if self._address.official else "max_tokens"
        return {
            "model": self._address.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt.text}],
            "response_format": form,
            limit: prompt.max_tokens,
        }


def provider(address: ModelAddress, limits: Limits | None = None) -> Provider:
    """Who answers at this address."""
    return OpenAI(address, limits or Limits())


def _structured(name: str, schema: Schema) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


def _read(body: bytes) -> Completion:
    try:
        read = _Body.model_validate_json(body)
    except ValidationError:
        raise BadAnswer("The provider's answer is no chat completion.") from None
    choice, usage = read.choices[0], read.usage or _Usage()
    return Completion(choice.message.content or "", usage.prompt_tokens, usage.completion_tokens, _stopped(choice))


def _stopped(choice: _Choice) -> str:
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "refusal"
    return "length" if choice.finish_reason == "length" else ""
