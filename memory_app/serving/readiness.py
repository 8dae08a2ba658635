"""What `/readyz` answers, within a second, whatever the database does: the parts are asked on a thread that has nothing
else to do, and not waited for longer than that."""

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from memory_app.health import answer_of
from memory_app.serving.rsgi import HTTPProtocol

WAIT_SECONDS = 0.7
"""Of the second in which whoever asks is answered. A database that is well needs some milliseconds."""

FRESH_SECONDS = 0.5
"""How long an answer is given again. However many ask, the database is asked twice a second at most."""

JSON = [("content-type", "application/json"), ("cache-control", "no-store")]


class Readiness:
    """Asks for `faults` (by part; empty where all is well), once at a time."""

    def __init__(self, faults: Callable[[], dict[str, str]]) -> None:
        self._faults = faults
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._asked: asyncio.Future[dict[str, str]] | None = None
        self._asked_at = 0.0

    async def answer(self, protocol: HTTPProtocol) -> None:
        """200 when every part works, else 503 with which does not."""
        status, document = answer_of(await self.found())
        protocol.response_str(status, JSON, json.dumps(document))

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Asks. The first time takes longest, so it is done before anyone waits for it."""
        self._asked_at = time.monotonic()
        self._asked = loop.run_in_executor(self._thread, self._ask)

    async def found(self) -> dict[str, str]:
        if self._asked is None or (self._asked.done() and time.monotonic() - self._asked_at > FRESH_SECONDS):
            self.begin(asyncio.get_running_loop())
        assert self._asked is not None
        await asyncio.wait([self._asked], timeout=WAIT_SECONDS)
        if not self._asked.done():
            return {"database": f"no answer for {time.monotonic() - self._asked_at:.1f} s"}
        return self._asked.result()

    def _ask(self) -> dict[str, str]:
        try:
            return self._faults()
        except Exception as error:  # whoever asks for health is answered, whatever failed
            return {"database": f"its state could not be asked ({type(error).__name__})"}
