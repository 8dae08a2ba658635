"""What the log of requests costs one: the same requests through the whole of Django, with that log and without, in this
process. What a write tells the log in its own transaction is in both."""

import json
from collections.abc import Callable, Iterator
from statistics import fmean

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test import RequestFactory
from django.test.utils import override_settings

from bench.ground import Ground
from bench.rows import analyse, owner
from bench.table import Line
from bench.texts import texts
from bench.timing import Act, interleaved
from memory_app.api.request_log import request_log
from memory_app.embedding.encoder import using
from memory_app.engine.enter import enter
from memory_app.engine.listening.listen import converse

ROUNDS, WARMING = 400, 50
ROWS = 1_000
AT_ONCE = 25
"""Requests whose entries are written at once: those of a second on a server with some to do."""
LOG = "memory_app.api.request_log.RequestLogMiddleware"

Send = Callable[[str, object], None]


def measure(ground: Ground) -> Iterator[Line]:
    person, rounds = "reader of the log", WARMING + ground.size(ROUNDS)
    owner(ROWS, person, ground.encoder, ground.now)
    analyse()
    conversation, _ = converse(entered=enter(person=person), external_id="", now=ground.now)
    said = texts(4 * rounds, "log")
    request_log.writes_itself = False
    ways = {"with": _sender(ground, logged=True), "without": _sender(ground, logged=False)}
    asked: dict[str, Callable[[int, int], tuple[str, object]]] = {
        "a search": lambda n, way: ("/search", {"person": person, "query": said[2 * n + way]}),
        "a turn": lambda n, way: (
            f"/conversations/{conversation.id}/turns", {"role": "user", "content": said[2 * n + way]}
        ),
        "a memory added": lambda n, way: ("/memories", {"person": "who adds", "content": said[-1 - 2 * n - way]}),
    }  # fmt: skip
    with using(ground.model):
        for what, ask in asked.items():
            taken = interleaved({name: _act(ways[name], ask, at) for at, name in enumerate(ways)}, rounds)
            logged, bare = (fmean(taken[name][WARMING:]) * 1e3 for name in ("with", "without"))
            yield Line(f"{what} with the log of requests, mean", logged, "ms", bare, "without", at_most=1.15)


def _act(send: Send, ask: Callable[[int, int], tuple[str, object]], way: int) -> Act:
    return lambda n: send(*ask(n, way))


def _sender(ground: Ground, *, logged: bool) -> Send:
    middleware = [name for name in settings.MIDDLEWARE if logged or name != LOG]
    with override_settings(MIDDLEWARE=middleware):
        handler = BaseHandler()
        handler.load_middleware()
    factory, headers = RequestFactory(SERVER_NAME="127.0.0.1"), {"Authorization": f"Bearer {ground.key}"}
    sent = 0

    def send(path: str, body: object) -> None:
        nonlocal sent
        request = factory.post(f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers)
        answer = handler.get_response(request)
        assert answer.status_code in (200, 201), f"{path}: {answer.status_code}"
        sent += 1
        if logged and sent % AT_ONCE == 0:
            request_log.flush()

    return send
