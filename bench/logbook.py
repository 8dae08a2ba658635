"""What the log of requests costs one: the same requests through the whole of Django, with that log and without, in this
process. What a write tells the log in its own transaction is in both."""

import json
from collections.abc import Callable, Iterator
from statistics import fmean

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test import RequestFactory
from django.test.utils import override_settings

from bench.rows import add_rows_of_one, analyse
from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import texts
from bench.timing import Act, interleaved
from memory_app.api.request_log import request_log
from memory_app.embedding.encoder import use_encoder
from memory_app.engine.conversations.add_turns import find_or_open_conversation
from memory_app.engine.venue_context import resolve_venue

ROUNDS, WARMING = 400, 50
ROWS = 1_000
FLUSH_EVERY = 25
"""Requests whose entries are written at once: those of a second on a server with some to do."""
LOG = "memory_app.api.request_log.RequestLogMiddleware"

Send = Callable[[str, object], None]


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    person, rounds = "reader of the log", WARMING + bench_setup.size(ROUNDS)
    add_rows_of_one(ROWS, person, bench_setup.encoder, bench_setup.now)
    analyse()
    conversation, _ = find_or_open_conversation(
        venue_context=resolve_venue(person=person), external_id="", now=bench_setup.now
    )
    said = texts(4 * rounds, "log")
    request_log.has_writer_thread = False
    ways = {"with": _sender(bench_setup, logged=True), "without": _sender(bench_setup, logged=False)}
    asked: dict[str, Callable[[int, int], tuple[str, object]]] = {
        "a search": lambda n, way: ("/search", {"person": person, "query": said[2 * n + way]}),
        "a turn": lambda n, way: (
            f"/conversations/{conversation.id}/turns", {"role": "user", "content": said[2 * n + way]}
        ),
        "a memory added": lambda n, way: ("/memories", {"person": "who adds", "content": said[-1 - 2 * n - way]}),
    }  # fmt: skip
    with use_encoder(bench_setup.model):
        for what, ask in asked.items():
            taken = interleaved({name: _act(ways[name], ask, at) for at, name in enumerate(ways)}, rounds)
            logged, bare = (fmean(taken[name][WARMING:]) * 1e3 for name in ("with", "without"))
            yield Line(f"{what} with the log of requests, mean", logged, "ms", bare, "without", at_most=1.15)


def _act(send: Send, ask: Callable[[int, int], tuple[str, object]], way: int) -> Act:
    return lambda n: send(*ask(n, way))


def _sender(bench_setup: BenchSetup, *, logged: bool) -> Send:
    middleware = [name for name in settings.MIDDLEWARE if logged or name != LOG]
    with override_settings(MIDDLEWARE=middleware):
        handler = BaseHandler()
        handler.load_middleware()
    factory, headers = RequestFactory(SERVER_NAME="127.0.0.1"), {"Authorization": f"Bearer {bench_setup.key}"}
    sent = 0

    def send(path: str, body: object) -> None:
        nonlocal sent
        request = factory.post(f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers)
        answer = handler.get_response(request)
        assert answer.status_code in (200, 201), f"{path}: {answer.status_code}"
        sent += 1
        if logged and sent % FLUSH_EVERY == 0:
            request_log.flush()

    return send
