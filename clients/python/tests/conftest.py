"""A server of its own for the tests: the real one, with an empty database in a folder that goes with it."""

import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 300
"""The first start exports the embedding model."""

KEY = re.compile(r"\bks_[\w-]+")


@dataclass(frozen=True)
class Server:
    url: str
    key: str


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One that runs already, where KEEPSAKE_URL and KEEPSAKE_KEY name it."""
    if "KEEPSAKE_URL" in os.environ:
        yield Server(os.environ["KEEPSAKE_URL"], os.environ["KEEPSAKE_KEY"])
        return
    with tempfile.TemporaryDirectory(prefix="keepsake-client-") as folder:
        os.chmod(folder, 0o711)
        log = Path(folder) / "log"
        port = _free_port()
        environment = {**os.environ, "KEEPSAKE_DATA": f"{folder}/var", "PORT": str(port)}
        with log.open("w") as output:
            process = subprocess.Popen(
                [str(ROOT / ".venv/bin/python"), "manage.py", "serve"],
                cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        try:
            yield _wait_for(process, log, f"http://127.0.0.1:{port}")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(process: "subprocess.Popen[bytes]", log: Path, url: str) -> Server:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        key = KEY.search(log.read_text())
        if key and _is_ready(url):
            return Server(url, key.group())
        time.sleep(0.5)
    pytest.fail(f"the server did not start:\n{log.read_text()}")


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def person() -> str:
    """Somebody new for each test."""
    return f"person-{uuid.uuid4().hex}"
