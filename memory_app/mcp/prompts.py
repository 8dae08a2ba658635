"""The prompt `context`: what is remembered that has to do with something, put before it."""

from typing import Any

from mcp_types.jsonrpc import INVALID_PARAMS
from pydantic import ValidationError

from memory_app.api.auth import require_scope
from memory_app.mcp.connection import Connection
from memory_app.mcp.protocol import RpcError, validation_message
from memory_app.mcp.tool import PERSON
from memory_app.mcp.tools.context import NOTHING_RELEVANT, ContextArguments, brief_for
from memory_app.models import Scope

NAME, TITLE = "context", "What is remembered about this"
DESCRIPTION = "Puts what is remembered of the person before what they ask."


def list_prompts(connection: Connection) -> list[dict[str, Any]]:
    arguments = [{"name": "query", "description": "what they ask, in their words", "required": True}]
    if connection.person is None:
        arguments.append({"name": PERSON, "description": "whose memory", "required": True})
    return [{"name": NAME, "title": TITLE, "description": DESCRIPTION, "arguments": arguments}]


def get_prompt(connection: Connection, name: str, arguments: dict[str, str]) -> dict[str, Any]:
    """Raises RpcError for a prompt that there is not, and for arguments that are not its own."""
    if name != NAME:
        raise RpcError(INVALID_PARAMS, f"There is no such prompt; there is {NAME!r}.")
    require_scope(connection.request, Scope.READ)
    try:
        checked = ContextArguments.model_validate(connection.with_person(dict(arguments)))
    except ValidationError as error:
        raise RpcError(INVALID_PARAMS, f"Bad input: {validation_message(error)}") from None
    text = brief_for(connection.request, checked).text or NOTHING_RELEVANT
    content = {"type": "text", "text": f"{text}\n\n{checked.query}"}
    return {"description": DESCRIPTION, "messages": [{"role": "user", "content": content}]}
