"""The body of a request, read while no thread waits for it: within a size, and within a time.

Whoever sends slowly, or nothing, occupies a socket and what was sent so far, for as long as is given here.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from memory_app.serving.rsgi import HTTPProtocol, Scope

KIB = 1024

PAUSE_SECONDS = 10.0
"""Between two parts of a body. A mobile network that loses its cell for a moment comes back within it."""

BODY_SECONDS = 120.0
"""For all of it: the largest body (8 MiB) at 70 KiB a second."""

ANONYMOUS_SECONDS = 10.0
"""For all of the 64 KiB that someone may send who shows neither a key nor a session."""

MAX_DISCARDED_BYTES = 16 * KIB * KIB
"""Bytes of a body that is too large, read and thrown away before it is refused."""


MAX_TOTAL_BYTES = 256 * KIB * KIB
"""Bytes of the bodies of all requests together: 32 of the largest."""


class TooLarge(Exception):
    """The body is larger than its limit. size: what was announced, or what had come of a chunked one."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class TooSlow(Exception):
    """The body did not come in time."""


class CutShort(Exception):
    """The connection ended, or the chunks went wrong, before the body was complete."""


class Overloaded(Exception):
    """More is sent or waits than there is room for."""


class BodyBytes:
    """What the body of one request takes of the room for those of all."""

    all = 0

    def __init__(self) -> None:
        self.own = 0

    def add(self, number: int) -> None:
        if BodyBytes.all + number > MAX_TOTAL_BYTES:
            raise Overloaded
        BodyBytes.all += number
        self.own += number

    def release(self) -> None:
        BodyBytes.all -= self.own
        self.own = 0


async def read_body(
    scope: Scope, protocol: HTTPProtocol, *, limit: int, seconds: float, body_bytes: BodyBytes
) -> bytes:
    """All of it. Raises TooLarge, TooSlow, CutShort or Busy; after each the connection is to be closed."""
    given = scope.headers.get("content-length")
    announced = int(given) if given is not None else None  # the server has refused what is no number
    if announced == 0 or (announced is None and "transfer-encoding" not in scope.headers):
        return b""
    parts = _parts(protocol)
    try:
        if announced is not None and announced > limit:
            if "expect" not in scope.headers:  # else the client waits to be told to send
                await _discard(parts, announced)
            raise TooLarge(announced)
        return await _read(parts, announced, limit, seconds, body_bytes)
    except TimeoutError:
        raise TooSlow from None


async def _parts(protocol: HTTPProtocol) -> AsyncIterator[bytes]:
    """Those of the body. The server ends it with an empty one, and tells of an error by one more."""
    incoming = aiter(protocol)
    with suppress(StopAsyncIteration):
        while True:
            yield await incoming.__anext__()


async def _read(
    parts: AsyncIterator[bytes], announced: int | None, limit: int, seconds: float, body_bytes: BodyBytes
) -> bytes:
    body = bytearray()
    empty = 0
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    async with asyncio.timeout_at(min(end, clock() + PAUSE_SECONDS)) as wait:
        async for part in parts:
            body_bytes.add(len(part))
            body += part
            empty += not part
            if len(body) == announced:
                return bytes(body)
            if len(body) > limit:
                break
            wait.reschedule(min(end, clock() + PAUSE_SECONDS))
    if len(body) > limit:
        await _discard(parts, MAX_DISCARDED_BYTES)
        raise TooLarge(len(body))
    if announced is not None or empty > 1:
        raise CutShort
    return bytes(body)


async def _discard(parts: AsyncIterator[bytes], announced: int) -> None:
    """Reads what is refused, unless it is too much: a client that still sends when the connection closes may never see
    the answer."""
    if announced > MAX_DISCARDED_BYTES:
        return
    async with asyncio.timeout(PAUSE_SECONDS):
        async for part in parts:
            announced -= len(part)
            if announced <= 0:
                return
