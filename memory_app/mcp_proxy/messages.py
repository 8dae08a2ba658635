"""Messages as the proxy needs to know them: the headers that a request over HTTP repeats, and errors of its own."""

import base64
import json
from typing import Any

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
"""Where a message of the modern protocol says its version, in `params._meta`."""

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose header Mcp-Name repeats a parameter, and which."""

PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603

Message = dict[str, Any]


def routing_headers(message: Message, legacy_version: str | None) -> dict[str, str]:
    """What HTTP says of a message beside its body. legacy_version: what `initialize` agreed on, if it was called."""
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    meta = params.get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str):
        return {"MCP-Protocol-Version": header_value(legacy_version)} if legacy_version else {}
    headers = {"MCP-Protocol-Version": header_value(version), "Mcp-Method": header_value(message["method"])}
    name = params.get(NAMED_BY.get(message["method"], ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = header_value(name)
    return headers


def header_value(text: str) -> str:
    """Text as a header holds it: `=?base64?…?=` where it is not plain, or would be taken for that."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode(errors='replace')).decode()}?="


def error_answer(identifier: Any, code: int, message: str) -> bytes:
    error = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": identifier, "error": error}).encode()


def answered_version(answer: bytes) -> str | None:
    """The version that an answer to `initialize` agrees on; None where it is an error."""
    result = json.loads(answer).get("result")
    version = result.get("protocolVersion") if isinstance(result, dict) else None
    return version if isinstance(version, str) else None
