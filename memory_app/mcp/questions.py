"""Questions to the person while a tool is called: put to them by their client, where that can, and the answer read.

The client is told what to ask, and calls the same tool again with what they said. What it sends along meanwhile is
signed: nobody makes a question that was not asked, or moves one to another key or tool.
"""

from dataclasses import asdict, dataclass
from typing import Any

from django.core import signing
from mcp_types import CLIENT_CAPABILITIES_META_KEY, ElicitResult
from mcp_types.jsonrpc import INVALID_PARAMS

from memory_app.mcp.protocol import Message, RpcError

SALT = "keepsake.mcp.question"
OPEN_SECONDS = 600
"""As long as the token within is good."""

ANSWER = "answer"
CLOSED = "This question is no longer open: it was answered, or is too long ago. Call the tool again without it."


@dataclass(frozen=True, slots=True)
class Question:
    """options: what may be answered, with what the person reads of each. declined: the answer of who gives none.
    arguments: of the call of the same tool that takes the answer as its `choice`."""

    message: str
    options: dict[str, str]
    declined: str
    arguments: dict[str, Any]


def can_ask(message: Message) -> bool:
    """Whether the client shows forms. Only the modern protocol has a way to ask without a session."""
    meta = (message.params or {}).get("_meta") or {}
    capabilities = meta.get(CLIENT_CAPABILITIES_META_KEY) if message.is_modern else None
    asking = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(asking, dict) and ("form" in asking or "url" not in asking)


def input_required(question: Question, *, tool: str, key: str) -> dict[str, Any]:
    """The result that asks. key: the id of the one that may answer."""
    options = [{"const": value, "title": title} for value, title in question.options.items()]
    schema = {
        "type": "object",
        "properties": {ANSWER: {"type": "string", "title": "Answer", "oneOf": options}},
        "required": [ANSWER],
    }
    parameters = {"mode": "form", "message": question.message, "requestedSchema": schema}
    state = {"tool": tool, "key": key, "question": asdict(question)}
    return {
        "resultType": "input_required",
        "inputRequests": {ANSWER: {"method": "elicitation/create", "params": parameters}},
        "requestState": signing.dumps(state, salt=SALT, compress=True),
    }


def asked_question(state: str, *, tool: str, key: str) -> Question:
    """What was asked. Raises RpcError for what this server did not ask of this key in this tool, or too long ago."""
    try:
        asked = signing.loads(state, salt=SALT, max_age=OPEN_SECONDS)
    except signing.BadSignature:
        raise RpcError(INVALID_PARAMS, CLOSED) from None
    if (asked["tool"], asked["key"]) != (tool, key):
        raise RpcError(INVALID_PARAMS, CLOSED)
    return Question(**asked["question"])


def answered_arguments(question: Question, responses: dict[str, Any] | None) -> dict[str, Any] | None:
    """The arguments of the call with the answer; None where there is none yet. Raises RpcError for what is no answer:
    a person who accepts has chosen something."""
    response = (responses or {}).get(ANSWER)
    if not isinstance(response, ElicitResult):
        return None
    said = (response.content or {}).get(ANSWER) if response.action == "accept" else question.declined
    if not isinstance(said, str) or said not in question.options:
        raise RpcError(INVALID_PARAMS, f"`{ANSWER}` must be one of: {', '.join(question.options)}.")
    return {**question.arguments, "choice": said}
