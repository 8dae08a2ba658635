"""The front of the web server: reads a request whole before a thread takes it, and answers health by itself.

granian calls it for each request, on one event loop. There are few threads, and each waits for the database, so none
is given to whoever sends slowly; and a database that does not answer, which holds all of them, keeps nobody from being
told so. What it cannot help, something that holds Python's lock or a request that never ends, is left to the
supervisor: the front stops its heartbeat.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from wsgiref.types import WSGIApplication

from memory_app.api.body import body_limit, is_stranger
from memory_app.serving.heartbeat import BEAT_SECONDS, beat
from memory_app.serving.readiness import Readiness
from memory_app.serving.refusals import CLOSE, refuse
from memory_app.serving.request_body import (
    BODY_SECONDS,
    STRANGER_SECONDS,
    Busy,
    CutShort,
    HeldBytes,
    TooLarge,
    TooSlow,
    read_body,
)
from memory_app.serving.rsgi import HTTPProtocol, Scope
from memory_app.serving.told_path import told_path
from memory_app.serving.wsgi_call import call, environ_of

THREADS = 4
"""The encoder and the database work outside Python's lock, so that threads use all cores; more of them only make each
other wait for it: on two cores 50 clients were answered 10 to 20 % faster by four than by eight, and by three no faster
than by four."""

WAITING_MOST = 512
"""Requests that wait for a thread. Each takes 3 to 20 ms, so the last of them waits for a few seconds."""

WAITING_SECONDS = 30.0
"""A client has given up by then, or asks again."""

REQUEST_SECONDS = 300.0
"""The hard limit of a request under way: five times what the largest import takes on one slow core. The soft one is
that of each statement, in `config/rsgi.py`."""

RETRY_SECONDS = 2
TEXT = [("content-type", "text/plain"), ("cache-control", "no-store")]

logger = logging.getLogger(__name__)


class Front:
    """An application of RSGI, granian's own interface, around one of WSGI."""

    def __init__(self, application: WSGIApplication, faults: Callable[[], dict[str, str]]) -> None:
        self._application = application
        self._readiness = Readiness(faults)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._waiting = 0
        self._to_be_replaced = False

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._readiness.begin(loop)
        self._beat(loop)

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        if scope.method in ("GET", "HEAD"):
            if scope.path == "/healthz":
                return protocol.response_str(HTTPStatus.OK, TEXT, "ok")
            if scope.path == "/readyz":
                return await self._readiness.answer(protocol)
        held = HeldBytes()
        try:
            await self._take(scope, protocol, held)
        except TooSlow:
            refuse(protocol, scope.path, 408, "The body of this request did not come in time.")
        except CutShort:
            refuse(protocol, scope.path, 400, "The body of this request was cut short.")
        except Busy:
            refuse(protocol, scope.path, 503, "Too much is asked at once; try again.", retry_after=RETRY_SECONDS)
        finally:
            held.release()

    async def _take(self, scope: Scope, protocol: HTTPProtocol, held: HeldBytes) -> None:
        """Reads the body, and has the application answer."""
        stranger = is_stranger(scope.headers.get("authorization", ""), scope.headers.get("cookie", ""))
        limit = body_limit(scope.path, stranger=stranger)
        seconds = STRANGER_SECONDS if stranger else BODY_SECONDS
        try:
            body = await read_body(scope, protocol, limit=limit, seconds=seconds, held=held)
        except TooLarge as error:  # the application says so: it is in the log, and has an id, as any answer
            await self._answer(scope, protocol, b"", error.size)
        else:
            await self._answer(scope, protocol, body, len(body))

    async def _answer(self, scope: Scope, protocol: HTTPProtocol, body: bytes, length: int) -> None:
        if self._waiting >= WAITING_MOST:
            raise Busy
        extra = [CLOSE] if length > len(body) else []
        self._waiting += 1
        try:
            environ = environ_of(scope, body, length)
            answered = self._threads.submit(call, self._application, environ, protocol, extra)
            await self._until(answered, scope, protocol)
        finally:
            self._waiting -= 1

    async def _until(self, answered: "Future[int]", scope: Scope, protocol: HTTPProtocol) -> None:
        """Waits for the answer: first for a thread that takes the request, then for what it does."""
        done = asyncio.wrap_future(answered)
        await asyncio.wait([done], timeout=WAITING_SECONDS)
        if not done.done() and answered.cancel():
            raise Busy
        if not done.done():
            await asyncio.wait([done], timeout=REQUEST_SECONDS)
        if done.done():
            if error := done.exception():
                logger.error("%s %s failed", scope.method, told_path(scope.path), exc_info=error)
            return
        logger.error("%s %s did not end in %d s", scope.method, told_path(scope.path), REQUEST_SECONDS)
        self._to_be_replaced = True
        refuse(protocol, scope.path, 503, "This takes too long, and was given up.", retry_after=RETRY_SECONDS)

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._to_be_replaced:
            beat()
            loop.call_later(BEAT_SECONDS, self._beat, loop)
