"""The front of the web server: reads a request whole before a thread takes it, and answers health by itself.

granian calls it for each request, on one event loop. There are few threads, and each waits for the database, so none
is given to whoever sends slowly; and a database that does not answer, which holds all of them, keeps nobody from being
told so. What it cannot help, something that holds Python's lock or a request that never ends, is left to the
supervisor: the front stops its heartbeat.

What the server answers by itself, without the application: to a body that does not come, or when too much waits.

What `/readyz` answers, within a second, whatever the database does: the parts are asked on a thread that has nothing
else to do, and not waited for longer than that.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from wsgiref.types import WSGIApplication

from django.http import HttpResponse

from memory_app.api.problems import API_PREFIXES, problem, with_type_for
from memory_app.api.requests import KEY_HEADER, body_limit, is_anonymous
from memory_app.health import readiness_answer
from memory_app.serving.heartbeat import HEARTBEAT_SECONDS, send_heartbeat
from memory_app.serving.log_lines import path_template
from memory_app.serving.request_body import (
    ANONYMOUS_SECONDS,
    BODY_SECONDS,
    BodyBytes,
    CutShort,
    Overloaded,
    TooLarge,
    TooSlow,
    read_body,
)
from memory_app.serving.rsgi import HTTPProtocol, Scope
from memory_app.serving.wsgi_call import call_application, environ_of

THREADS = 4
"""The encoder and the database work outside Python's lock, so that threads use all cores; more of them only make each
other wait for it: on two cores 50 clients were answered 10 to 20 % faster by four than by eight, and by three no faster
than by four."""

MAX_WAITING = 512
"""Requests that wait for a thread. Each takes 3 to 20 ms, so the last of them waits for a few seconds."""

WAITING_SECONDS = 30.0
"""A client has given up by then, or asks again."""

REQUEST_SECONDS = 300.0
"""The hard limit of a request under way: five times what the largest import takes on one slow core. The soft one is
that of each statement, in `config/rsgi.py`."""

RETRY_SECONDS = 2
TEXT_HEADERS = [("content-type", "text/plain"), ("cache-control", "no-store")]

logger = logging.getLogger(__name__)


class Gateway:
    """An application of RSGI, granian's own interface, around one of WSGI."""

    def __init__(self, application: WSGIApplication, faults: Callable[[], dict[str, str]]) -> None:
        self._application = application
        self._readiness = Readiness(faults)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._waiting = 0
        self._needs_replacement = False

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._readiness.begin(loop)
        self._beat(loop)

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        if scope.method in ("GET", "HEAD"):
            if scope.path == "/healthz":
                return protocol.response_str(HTTPStatus.OK, TEXT_HEADERS, "ok")
            if scope.path == "/readyz":
                return await self._readiness.answer(protocol)
        body_bytes = BodyBytes()
        try:
            await self._handle(scope, protocol, body_bytes)
        except TooSlow:
            refuse(protocol, scope.path, 408, "The body of this request did not come in time.")
        except CutShort:
            refuse(protocol, scope.path, 400, "The body of this request was cut short.")
        except Overloaded:
            refuse(protocol, scope.path, 503, "Too much is asked at once; try again.", retry_after=RETRY_SECONDS)
        finally:
            body_bytes.release()

    async def _handle(self, scope: Scope, protocol: HTTPProtocol, body_bytes: BodyBytes) -> None:
        """Reads the body, and has the application answer."""
        key = scope.headers.get("authorization", "") or scope.headers.get(KEY_HEADER.lower(), "")
        anonymous = is_anonymous(key, scope.headers.get("cookie", ""))
        limit = body_limit(scope.path, anonymous=anonymous)
        seconds = ANONYMOUS_SECONDS if anonymous else BODY_SECONDS
        try:
            body = await read_body(scope, protocol, limit=limit, seconds=seconds, body_bytes=body_bytes)
        except TooLarge as error:  # the application says so: it is in the log, and has an id, as any answer
            await self._answer(scope, protocol, b"", error.size)
        else:
            await self._answer(scope, protocol, body, len(body))

    async def _answer(self, scope: Scope, protocol: HTTPProtocol, body: bytes, length: int) -> None:
        if self._waiting >= MAX_WAITING:
            raise Overloaded
        extra = [CLOSE_HEADER] if length > len(body) else []
        self._waiting += 1
        try:
            environ = environ_of(scope, body, length)
            future = self._threads.submit(call_application, self._application, environ, protocol, extra)
            await self._wait_for_answer(future, scope, protocol)
        finally:
            self._waiting -= 1

    async def _wait_for_answer(self, future: "Future[int]", scope: Scope, protocol: HTTPProtocol) -> None:
        """Waits for the answer: first for a thread that takes the request, then for what it does."""
        done = asyncio.wrap_future(future)
        await asyncio.wait([done], timeout=WAITING_SECONDS)
        if not done.done() and future.cancel():
            raise Overloaded
        if not done.done():
            await asyncio.wait([done], timeout=REQUEST_SECONDS)
        if done.done():
            if error := done.exception():
                logger.error("%s %s failed", scope.method, path_template(scope.path), exc_info=error)
            return
        logger.error("%s %s did not end in %d s", scope.method, path_template(scope.path), REQUEST_SECONDS)
        self._needs_replacement = True
        refuse(protocol, scope.path, 503, "This takes too long, and was given up.", retry_after=RETRY_SECONDS)

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._needs_replacement:
            send_heartbeat()
            loop.call_later(HEARTBEAT_SECONDS, self._beat, loop)


CLOSE_HEADER = ("connection", "close")
"""What is left of the body was not read, and would be taken for the next request."""


def refuse(protocol: HTTPProtocol, path: str, status: int, detail: str, *, retry_after: int | None = None) -> None:
    """A problem document below the API, else plain text. The connection is closed."""
    if path.startswith(API_PREFIXES):
        response = with_type_for(path, problem(status, detail))
    else:
        response = HttpResponse(detail, status=status, content_type="text/plain; charset=utf-8")
    if retry_after is not None:
        response["Retry-After"] = str(retry_after)
    response["Cache-Control"] = "no-store"
    headers = [(name.lower(), value) for name, value in response.items()]
    protocol.response_bytes(status, [*headers, CLOSE_HEADER], response.content)


WAIT_SECONDS = 0.7
"""Of the second in which whoever asks is answered. A database that is well needs some milliseconds."""

FRESH_SECONDS = 0.5
"""How long an answer is given again. However many ask, the database is asked twice a second at most."""

JSON_HEADERS = [("content-type", "application/json"), ("cache-control", "no-store")]


class Readiness:
    """Asks for `faults` (by part; empty where all is well), once at a time."""

    def __init__(self, faults: Callable[[], dict[str, str]]) -> None:
        self._faults = faults
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._pending: asyncio.Future[dict[str, str]] | None = None
        self._asked_since = 0.0

    async def answer(self, protocol: HTTPProtocol) -> None:
        """200 when every part works, else 503 with which does not."""
        status, document = readiness_answer(await self.current_faults())
        protocol.response_str(status, JSON_HEADERS, json.dumps(document))

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Asks. The first time takes longest, so it is done before anyone waits for it."""
        self._asked_since = time.monotonic()
        self._pending = loop.run_in_executor(self._thread, self._ask)

    async def current_faults(self) -> dict[str, str]:
        if self._pending is None or (self._pending.done() and time.monotonic() - self._asked_since > FRESH_SECONDS):
            self.begin(asyncio.get_running_loop())
        assert self._pending is not None
        await asyncio.wait([self._pending], timeout=WAIT_SECONDS)
        if not self._pending.done():
            return {"database": f"no answer for {time.monotonic() - self._asked_since:.1f} s"}
        return self._pending.result()

    def _ask(self) -> dict[str, str]:
        try:
            return self._faults()
        except Exception as error:  # whoever asks for health is answered, whatever failed
            return {"database": f"its state could not be asked ({type(error).__name__})"}
