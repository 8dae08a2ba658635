"""Messages of the protocol: JSON-RPC in one POST, read and checked in both of its eras, and its errors.

Legacy (2025-11-25 and older): the client calls `initialize`, and from then on sends the version in a header.
Modern (2026-07-28): each request says its version and its method, in headers too, which must equal what the body says.
"""

import base64
import binascii
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY, Request
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    JSONRPCNotification,
    JSONRPCRequest,
)
from mcp_types.methods import parse_client_request
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    KNOWN_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)
from pydantic import ValidationError

from memory_app.api.requests import refuse_constant

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose header Mcp-Name repeats a parameter, and which."""

BASE64_VALUE = re.compile(r"=\?base64\?(.*)\?=")
"""How a header holds what is not printable ASCII."""

NO_MESSAGE = "Send one JSON-RPC request or notification; no batch, and no answer."


class RpcError(Exception):
    """An error of JSON-RPC. id: of the request it answers, where that could be read."""

    def __init__(self, code: int, message: str, *, data: Any = None, id: int | str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data, self.id = code, message, data, id


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or, without an id, a notification."""

    id: int | str | None
    method: str
    params: dict[str, Any] | None
    version: str

    @property
    def is_modern(self) -> bool:
        return self.version in MODERN_PROTOCOL_VERSIONS

    def parsed(self) -> Request[Any, Any]:
        """The request, checked as its version of the protocol has it. Raises RpcError."""
        try:
            return parse_client_request(self.method, self.version, self.params)
        except KeyError:
            raise unknown_method(self.method) from None
        except ValidationError as error:
            raise RpcError(INVALID_PARAMS, f"These parameters are not valid: {validation_message(error)}") from None


def unknown_method(method: str) -> RpcError:
    return RpcError(METHOD_NOT_FOUND, f"There is no method {method!r} here.")


def read_message(body: bytes, headers: Mapping[str, str]) -> Message:
    """The message of a POST. Raises RpcError for what is no message, and where headers and body do not agree."""
    document = _parse(body)
    if "id" not in document:
        return _read_notification(document, headers)
    try:
        request = JSONRPCRequest.model_validate(document)
    except ValidationError:
        raise RpcError(INVALID_REQUEST, NO_MESSAGE) from None
    try:
        version = _request_version(request, headers)
    except RpcError as error:
        error.id = request.id
        raise
    return Message(request.id, request.method, request.params, version)


def _parse(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "This is not JSON.") from None
    if not isinstance(document, dict):
        raise RpcError(INVALID_REQUEST, NO_MESSAGE)
    return document


def _read_notification(document: dict[str, Any], headers: Mapping[str, str]) -> Message:
    try:
        notification = JSONRPCNotification.model_validate(document)
    except ValidationError:
        raise RpcError(INVALID_REQUEST, NO_MESSAGE) from None
    version = headers.get("MCP-Protocol-Version", LATEST_HANDSHAKE_VERSION)
    _check_supported(version, KNOWN_PROTOCOL_VERSIONS)
    return Message(None, notification.method, notification.params, version)


def _request_version(request: JSONRPCRequest, headers: Mapping[str, str]) -> str:
    """The version that a request speaks. Raises RpcError."""
    version = headers.get("MCP-Protocol-Version")
    meta = (request.params or {}).get("_meta")
    says_version = isinstance(meta, dict) and PROTOCOL_VERSION_META_KEY in meta
    if not says_version and (version is None or version in HANDSHAKE_PROTOCOL_VERSIONS):
        return version or LATEST_HANDSHAKE_VERSION
    if not isinstance(meta, dict):
        raise RpcError(INVALID_PARAMS, f"params._meta must hold {PROTOCOL_VERSION_META_KEY!r} and what the client can.")
    for key in (PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY):
        if key not in meta:
            raise RpcError(INVALID_PARAMS, f"params._meta lacks {key!r}.")
    if version is None or version != meta[PROTOCOL_VERSION_META_KEY]:
        raise RpcError(HEADER_MISMATCH, "The header MCP-Protocol-Version is not the version in params._meta.")
    _check_routing_headers(request, headers)
    _check_supported(version, MODERN_PROTOCOL_VERSIONS)
    if version not in MODERN_PROTOCOL_VERSIONS:
        raise RpcError(INVALID_PARAMS, f"{version} says its version with `initialize`, not in params._meta.")
    return version


def _check_routing_headers(request: JSONRPCRequest, headers: Mapping[str, str]) -> None:
    """Who stands between reads the headers alone: they must be true."""
    if headers.get("Mcp-Method") != request.method:
        raise RpcError(HEADER_MISMATCH, "The header Mcp-Method is not the method of the body.")
    name = (request.params or {}).get(NAMED_BY.get(request.method, ""))
    if name is not None and decode_header(headers.get("Mcp-Name")) != name:
        raise RpcError(HEADER_MISMATCH, f"The header Mcp-Name is not the {NAMED_BY[request.method]!r} of the body.")


def _check_supported(version: str, listed: Collection[str]) -> None:
    """listed: which versions the answer names; to who speaks the modern protocol, those of `server/discover`."""
    if version not in KNOWN_PROTOCOL_VERSIONS:
        data = {"supported": list(listed), "requested": version}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data=data)


def decode_header(value: str | None) -> str | None:
    """What a header says, `=?base64?…?=` decoded; None where there is none, or that is broken."""
    encoded = BASE64_VALUE.fullmatch(value) if value else None
    if not encoded:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def validation_message(error: ValidationError) -> str:
    """Each field with what is wrong with it: for a model, which then sends it right."""
    lines = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        field = ".".join(str(part) for part in item["loc"])
        lines.append(f"{field}: {item['msg'].removeprefix('Value error, ')}" if field else item["msg"])
    return "; ".join(lines)[:1000]
