"""What the front of the web server costs a request: the same requests to it, and to granian's own WSGI beside it."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psutil

from bench.server import Client, free_port
from bench.setup import BenchSetup
from bench.table import Line
from bench.timing import interleaved
from config.env import ROOT
from memory_app.serving.gateway import THREADS

ROUNDS, REQUESTS, CLIENTS = 24, 12, 8
"""Many short rounds: each server has its share of what else the machine does."""

SEARCH = {"person": "warm", "query": "What is warm?"}


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    """Requests a second of 8 clients at once, each on a connection of its own, both servers in turns; and what of the
    processor a request takes, which is the steadier figure."""
    requests: dict[str, Callable[[Client], object]] = {
        "smallest": lambda client: client.get("/memories?person=warm&limit=1"),
        "search": lambda client: client.post("/search", SEARCH),
    }
    bench_setup.client().post("/memories", {"person": "warm", "content": "The kettle is warm."})
    with _wsgi_server() as port:
        ports = {"front": bench_setup.server.port, "wsgi": port}
        clients = {name: [Client(port, bench_setup.key) for _ in range(CLIENTS)] for name, port in ports.items()}
        for what, request in requests.items():
            acts = {name: partial(_request_from_all, several, request) for name, several in clients.items()}
            interleaved(acts, 2)
            before = {name: _processor_seconds(port) for name, port in ports.items()}
            taken = interleaved(acts, ROUNDS)
            number = ROUNDS * CLIENTS * REQUESTS
            used = {name: 1000 * (_processor_seconds(ports[name]) - before[name]) / number for name in ports}
            rate = {name: number / sum(seconds) for name, seconds in taken.items()}
            yield Line(f"front: {what}", rate["front"], "requests/s", rate["wsgi"], "without it")
            yield Line(f"front: {what}, processor", used["front"], "ms", used["wsgi"], "without it", at_most=1.2)


def _processor_seconds(port: int) -> float:
    """What the web server on this port has used so far."""
    found = [
        one for one in psutil.process_iter(["cmdline"]) if {"granian", str(port)} <= {*(one.info["cmdline"] or ())}
    ]
    return float(sum(sum(one.cpu_times()[:2]) for one in found))


def _request_from_all(clients: list[Client], request: Callable[[Client], object], _: int) -> None:
    def several(client: Client) -> None:
        for _ in range(REQUESTS):
            request(client)

    threads = [threading.Thread(target=several, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def _wsgi_server() -> Iterator[int]:
    """A second web server over the same database, as it would be without the front."""
    port = free_port()
    options = ("--interface", "wsgi", "--workers", "1", "--blocking-threads", str(THREADS), "--log-level", "error")
    command = [sys.executable, "-m", "granian", *options, "--port", str(port), "config.wsgi:application"]
    # In a session of its own, as `serve` has it: Linux shares out the processor by session first.
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    try:
        while not _listens(port):
            time.sleep(0.2)
        yield port
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
