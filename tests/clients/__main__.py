"""`python -m tests.clients [NAME …]`: installs each client in an environment of its own and has it call a server that
is started for it, over HTTP. Needs the package indexes of Python and npm, and Node; what cannot be installed is an
error.
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from urllib.error import URLError

HERE, ROOT = Path(__file__).parent, Path(__file__).parent.parent.parent
START_SECONDS = 600
"""A first start exports the embedding model."""


@dataclass(frozen=True)
class Client:
    """requirements: what pip or npm installs. script: what is run there."""

    name: str
    requirements: tuple[str, ...]
    script: str

    @property
    def is_node(self) -> bool:
        return self.script.endswith(".mjs")


CLIENTS = (
    Client("mem0-2", ("mem0ai==2.2.1",), "mem0_python.py"),
    Client("mem0-1", ("mem0ai==1.0.11",), "mem0_python.py"),
    Client("mem0-0", ("mem0ai==0.1.118",), "mem0_python.py"),
    Client("hindsight", ("hindsight-client==1.1.0",), "hindsight_python.py"),
    Client("node", ("mem0ai@3.3.1", "@mem0/vercel-ai-provider@3.0.2"), "mem0_node.mjs"),
)


def main(names: list[str]) -> int:
    chosen = [client for client in CLIENTS if not names or client.name in names]
    if not chosen:
        sys.exit(f"These are known: {', '.join(client.name for client in CLIENTS)}.")
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (address, key):
        failed = [client.name for client in chosen if not _runs(client, Path(folder), address, key)]
    sys.stdout.write(f"failed: {', '.join(failed)}\n" if failed else "All of them work.\n")
    return len(failed)


def _runs(client: Client, folder: Path, address: str, key: str) -> bool:
    place = folder / client.name
    command = _install_node(client, place) if client.is_node else _install_python(client, place)
    quiet = {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "mem0"), "PYTHONWARNINGS": "ignore"}
    ran = subprocess.run([*command, address, key], cwd=place, env={**os.environ, **quiet}, timeout=600, check=False)
    return ran.returncode == 0


def _install_python(client: Client, place: Path) -> list[str]:
    venv.create(place, with_pip=True)
    python = str(place / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *client.requirements], check=True)
    return [python, str(HERE / client.script)]


def _install_node(client: Client, place: Path) -> list[str]:
    """The script lies beside the packages, where Node looks for them."""
    place.mkdir()
    (place / "package.json").write_text('{"private": true}')
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps", "--silent"]
    subprocess.run(["npm", "install", *options, *client.requirements], cwd=place, check=True)
    (place / client.script).write_text((HERE / client.script).read_text())
    return ["node", client.script]


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, str]]:
    """A server on a data folder of its own, until the clients are done; its address, and a key for it."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    folder.chmod(0o711)  # started as root, the database runs as somebody else
    env = {**os.environ, "KEEPSAKE_DATA": str(folder / "data"), "PORT": port, "KEEPSAKE_ADMIN_PASSWORD": "of no use"}
    manage = [sys.executable, str(ROOT / "manage.py")]
    log = folder / "server.log"
    with log.open("wb") as words:
        server = subprocess.Popen([*manage, "serve"], env=env, cwd=ROOT, stdout=words, stderr=words)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_ready(f"{address}/readyz", server, log)
        made = subprocess.run(
            [*manage, "key", "create", "clients", "--scope", "read", "--scope", "write"],
            env=env, cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        yield address, made.stdout.strip()
    finally:
        server.terminate()
        server.wait(60)


def _wait_until_ready(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            sys.exit(f"The server ended: {log.read_text()}")
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(1)
    sys.exit(f"The server was not ready within {START_SECONDS} s.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
