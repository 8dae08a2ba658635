"""A small application behind the front of the web server, which granian serves without a database.

Its addresses do what a request of the product might: answer, fail, or hold Python's lock.
"""

import os
import re
import time
from collections.abc import Callable, Iterable
from typing import Any

import config.wsgi  # noqa: F401  which sets Django up, as the front's modules need it
from memory_app.serving import request_body
from memory_app.serving.gateway import Gateway

request_body.PAUSE_SECONDS = 2.0

EXPONENTIAL = re.compile(r"(a|aa|a)+$")


def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    path, body = environ["PATH_INFO"], environ["wsgi.input"].read()
    if path == "/hold":
        EXPONENTIAL.match("a" * 60 + "!")
    if path == "/fail":
        raise ValueError("heliotrope")
    start_response("200 OK", [("content-type", "text/plain")])
    if path == "/long":
        return (b"x" * 100_000 for _ in range(30))
    told = (
        os.getpid(),
        len(body),
        environ["CONTENT_LENGTH"] or "-",
        environ["REMOTE_ADDR"],
        environ.get("HTTP_X_A", "-"),
    )
    return [" ".join(map(str, told)).encode()]


def faults() -> dict[str, str]:
    """As while PostgreSQL does not answer, and in the end closes the connection."""
    time.sleep(2)
    raise TimeoutError


application = Gateway(answer, faults)
