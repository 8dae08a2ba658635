"""What the worker asks of the database while there is nothing to do."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from bench.setup import BenchSetup
from bench.table import Line
from config.env import Env
from memory_app.postgres.connection import superuser_connection

SETTLE_SECONDS, IDLE_SECONDS = 75.0, 125.0
"""What runs each minute ran once, and has its connections; then two minutes and a little, in which it runs twice."""

SENT = re.compile(r" LOG: +(?:statement|execute [^:]*): (?!BEGIN|COMMIT|ROLLBACK)")
OPENED = re.compile(r" LOG: +connection authorized")


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    """Read from the server's own log, which tells of every statement while we look."""
    env = Env.read()
    [log] = Path(env.data).glob("postgres/server.log")
    time.sleep(SETTLE_SECONDS)
    with superuser_connection(env, settings.DATABASES["default"]["NAME"]) as server:
        assert server is not None
        for setting in ("log_statement = 'all'", "log_connections = 'on'"):
            server.execute(f"ALTER SYSTEM SET {setting}")
        server.execute("SELECT pg_reload_conf()")
        time.sleep(1)
        start = log.stat().st_size
        time.sleep(IDLE_SECONDS)
        said = log.read_bytes()[start:].decode(errors="replace")
        for setting in ("log_statement", "log_connections"):
            server.execute(f"ALTER SYSTEM RESET {setting}")
        server.execute("SELECT pg_reload_conf()")
    yield Line("idle: statements", len(SENT.findall(said)) / IDLE_SECONDS, "a second", at_most=2)
    yield Line("idle: connections opened", len(OPENED.findall(said)), f"in {IDLE_SECONDS:.0f} s", at_most=0)
