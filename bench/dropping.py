"""Dropping a month of the log: a million operations, while others go on writing to it and reading it."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db import connection
from django.utils import timezone

from bench.setup import BenchSetup
from bench.table import Line
from bench.timing import timed
from memory_app.engine.audit.log import Author, LogFilters, log_event, search_log
from memory_app.models.ids import earliest_id
from memory_app.models.operation import drop_partitions, ensure_partitions
from memory_app.models.row_security import every_space

ROWS = 1_000_000
LOG_RETENTION = timedelta(days=90)
"""As `KEEPSAKE_LOG_DAYS` is unless it is set."""

LONG_AGO = LOG_RETENTION + timedelta(days=32)
UNDISTURBED_SECONDS = 3.0
"""Seconds for which the others are watched before."""
AUTHOR = Author("command", "bench")

FILL = """
    INSERT INTO operation (space_id, id, at, name, author, person_id, memory_id, request_id, detail)
    SELECT space, (left(%(first)s, 24) || lpad(to_hex(n), 12, '0'))::uuid, %(at)s, 'request', 'key:bench',
        gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text,
        '{"ms": 3.5, "path": "/search", "method": "POST", "status": 200, "sent": {"hash": "01234567", "size": 80}}'
    FROM generate_series(1, %(rows)s) n, (SELECT gen_random_uuid() AS space) one
"""

Waits = list[tuple[float, float]]
"""Of each act when it began, and how many seconds it took."""


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    rows, month = bench_setup.size(ROWS), bench_setup.now - LONG_AGO
    ensure_partitions(month)
    _fill(rows, month)
    over = threading.Event()
    acts: list[tuple[Callable[[], object], Waits]] = [(_write, []), (_read, [])]
    watched = [threading.Thread(target=_watch, args=(act, waits, over)) for act, waits in acts]
    for thread in watched:
        thread.start()
    time.sleep(UNDISTURBED_SECONDS)
    began = time.perf_counter()
    took = timed(partial(drop_partitions, bench_setup.now - LOG_RETENTION))
    over.set()
    for thread in watched:
        thread.join()
    yield Line(f"dropping a month of {rows:,} operations", took * 1e3, "ms", at_most=1_000)
    for name, (_, waits) in zip(("write to", "read of"), acts, strict=True):
        before = max(seconds for at, seconds in waits if at + seconds < began)
        meanwhile = max(seconds for at, seconds in waits if at + seconds >= began)
        yield Line(f"the slowest {name} the log meanwhile", meanwhile * 1e3, "ms", before * 1e3, "before")


def _fill(rows: int, month: datetime) -> None:
    with every_space(), connection.cursor() as cursor:
        cursor.execute(FILL, {"first": str(earliest_id(month)), "at": month, "rows": rows})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) operation")


def _watch(act: Callable[[], object], waits: Waits, over: threading.Event) -> None:
    try:
        while not over.is_set():
            waits.append((time.perf_counter(), timed(act)))
    finally:
        connection.close()


def _write() -> None:
    log_event("bench", {"reason": "a month goes"}, author=AUTHOR, now=timezone.now())


def _read() -> None:
    with every_space():
        list(search_log(LogFilters(), timezone.now()).order_by("-at", "-id")[:50])
