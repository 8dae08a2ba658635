"""A small real server, for what a proxy sends, and for answers that Keepsake gives only when it fails."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Barrier, Thread
from typing import Any


class RecordingServer(ThreadingHTTPServer):
    """Answers each message with its own id, or with what `answers` holds for its method: status, headers, body."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.received: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.together: Barrier | None = None  # who calls wait until so many do
        self.connections: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self.connections.append(connection)
        return connection, address

    def server_close(self) -> None:
        """As when the process ends: all that is open is closed."""
        super().server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: RecordingServer

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.received.append((self.path, dict(self.headers.items()), message))
        if self.server.together:
            self.server.together.wait(20)
        status, headers, body = self.server.answers.get(message["method"], (200, {}, _echo(message)))
        if status == 0:  # the connection breaks
            self.connection.close()
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def _echo(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": message.get("params")}).encode()


@contextmanager
def recording_server(port: int = 0) -> Iterator[RecordingServer]:
    with RecordingServer(port) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
