"""The loop: each line of standard input is posted to the server, several at once, and each answer is printed."""

import base64
import json
import os
import sys
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO

from memory_app.mcp_proxy.server import Connection, ProxyError, Server

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


WORKERS = 4
"""As many as the server has threads: more would only wait there."""

Task = tuple[bytes, Message]


class Proxy:
    """Reads until the input ends, and answers all of it."""

    def __init__(self, server: Server, output: BinaryIO) -> None:
        self._server = server
        self._output, self._output_lock = output, Lock()
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._workers: list[Thread] = []
        self._busy, self._busy_lock = 0, Lock()
        self._legacy_version: str | None = None

    def run(self, lines: BinaryIO) -> None:
        for line in lines:
            if line.strip():
                self._take(line)
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            worker.join()

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return self._print(error_answer(None, PARSE_ERROR, "This is not JSON."))
        if not isinstance(message, dict) or not isinstance(message.get("method", ""), str):
            return self._print(error_answer(None, INVALID_REQUEST, "Send one JSON-RPC message a line; no batch."))
        if "method" not in message:
            return None  # an answer, and the server asks nothing
        with self._busy_lock:
            self._busy += 1
            needs_worker = self._busy > len(self._workers) and len(self._workers) < WORKERS
        if needs_worker:
            self._workers.append(Thread(target=self._work, daemon=True))
            self._workers[-1].start()
        return self._tasks.put((line.strip(), message))

    def _work(self) -> None:
        connection = Connection(self._server)
        while (task := self._tasks.get()) is not None:
            self._answer(connection, *task)
            with self._busy_lock:
                self._busy -= 1

    def _answer(self, connection: Connection, line: bytes, message: Message) -> None:
        try:
            answer = connection.post(line, routing_headers(message, self._legacy_version))
        except ProxyError as error:
            sys.stderr.write(f"keepsake: {error}\n")
            answer = error_answer(message.get("id"), INTERNAL_ERROR, str(error))
        if "id" not in message:
            return
        if message["method"] == "initialize":
            self._legacy_version = answered_version(answer)
        self._print(answer)

    def _print(self, answer: bytes) -> None:
        try:
            with self._output_lock:
                self._output.write(answer + b"\n")
                self._output.flush()
        except BrokenPipeError:
            os._exit(0)  # whoever asked is gone; from a thread nothing else ends the process
