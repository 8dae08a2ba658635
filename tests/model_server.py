"""A language model's server for tests: a real one over HTTP, that speaks OpenAI's chat completions and Anthropic's
messages, and does whatever a real one may do wrong. What it answers is written by the test, not thought up.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OPENAI, ANTHROPIC = "/v1/chat/completions", "/v1/messages"

Reply = Callable[["Exchange"], None]


@dataclass
class ModelServer:
    """Answers each request with the next reply; the last one stands for all that follow.

    `older`: knows no structured outputs, as many servers and models do not.
    """

    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    older: bool = False
    closing: threading.Event = field(default_factory=threading.Event)

    def will(self, *replies: Reply) -> None:
        self.replies = list(replies)

    def next(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    @property
    def texts(self) -> list[str]:
        """What it was asked, without the rules, request by request."""
        return [request["messages"][-1]["content"] for request in self.requests]


class Exchange(BaseHTTPRequestHandler):
    """One request and its reply."""

    model: ModelServer

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.model.requests.append(asked)
        self.model.keys.append(self.headers.get("X-Api-Key") or self.headers["Authorization"].removeprefix("Bearer "))
        if self.model.older and _structured(asked):
            _fails(400, "structured outputs are not supported")(self)
        else:
            self.model.next()(self)

    def sent(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Type": "application/json", "Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Tests that fail say what they saw themselves."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what several tests are about."""


@contextmanager
def model_server() -> Iterator[ModelServer]:
    exchange = type("ServedExchange", (Exchange,), {})
    with _Server(("127.0.0.1", 0), exchange) as server:
        exchange.model = model = ModelServer(f"http://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield model
        finally:
            model.closing.set()
            server.shutdown()
            thread.join()


def answers(value: object, *, stopped: str = "", read: int = 120, written: int = 30) -> Reply:
    """The model's answer: JSON of the value, or a text as it is. `stopped`: "length" or "refusal"."""
    text = value if isinstance(value, str) else json.dumps(value)

    def reply(exchange: Exchange) -> None:
        asked = exchange.model.requests[-1]
        if exchange.path == ANTHROPIC:
            exchange.sent(_message(text, asked, stopped, read, written))
        elif exchange.path == OPENAI:
            exchange.sent(_chat_completion(text, stopped, read, written))
        else:
            exchange.sent(b'{"error": "no such path"}', 404)

    return reply


def fails(status: int, **headers: str) -> Reply:
    """An error of the server's own. It repeats the prompt, as some do. Header names with underscores."""
    return _fails(status, "", **headers)


def says(body: bytes, **headers: str) -> Reply:
    """Anything at all, in place of a provider's answer."""
    return lambda exchange: exchange.sent(body, 200, **headers)


def never(exchange: Exchange) -> None:
    """Takes the question and keeps silent."""
    exchange.model.closing.wait()


def trickles(exchange: Exchange) -> None:
    """Begins to answer, and goes on with a byte now and then for ever."""
    exchange.send_response(200)
    exchange.send_header("Content-Length", "1000000")
    exchange.end_headers()
    while not exchange.model.closing.wait(0.02):
        exchange.wfile.write(b" ")


def resets(exchange: Exchange) -> None:
    """Breaks the connection off."""
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.connection.close()


def hangs_up(exchange: Exchange) -> None:
    """Promises more than it sends."""
    exchange.send_response(200)
    exchange.send_header("Content-Length", "1000")
    exchange.end_headers()
    exchange.wfile.write(b'{"choices": [')
    exchange.close_connection = True


def _fails(status: int, message: str, **headers: str) -> Reply:
    def reply(exchange: Exchange) -> None:
        told = message or json.dumps(exchange.model.requests[-1])
        exchange.sent(json.dumps({"error": {"message": told}}).encode(), status, **headers)

    return reply


def _structured(asked: dict[str, Any]) -> bool:
    return "output_config" in asked or asked.get("response_format", {}).get("type") == "json_schema"


def _chat_completion(text: str, stopped: str, read: int, written: int) -> bytes:
    message = {"role": "assistant", "content": text, "refusal": None}
    if stopped == "refusal":
        message |= {"content": None, "refusal": "I cannot help with that."}
    choice = {"index": 0, "message": message, "finish_reason": "length" if stopped == "length" else "stop"}
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}).encode()


def _message(text: str, asked: dict[str, Any], stopped: str, read: int, written: int) -> bytes:
    reasons = {"length": "max_tokens", "refusal": "refusal"}
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if "tool_choice" in asked:
        content = [{"type": "tool_use", "id": "1", "name": asked["tool_choice"]["name"], "input": json.loads(text)}]
    usage = {"input_tokens": read, "output_tokens": written}
    told = {"id": "1", "type": "message", "role": "assistant", "content": content, "usage": usage}
    return json.dumps(told | {"stop_reason": reasons.get(stopped, "end_turn")}).encode()
