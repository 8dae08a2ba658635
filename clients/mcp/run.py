"""`make mcp-clients`: the official clients of other generations, before a Keepsake of its own, and through its proxy.

Prints a line for each, and ends with 1 where one fails. The Python client of today is among the tests.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.server import Server
from config.env import ROOT

FOLDER = Path(__file__).parent
PYTHON_1 = ROOT / ".venv-mcp" / "bin" / "python"
CLIENTS = {
    "Python 1.30.0": [str(PYTHON_1), "-W", "ignore", "client_1.py"],
    "TypeScript 1.32.2": ["node", "client.mjs", "sdk"],
    "TypeScript 2.4.0": ["node", "client.mjs", "client"],
}


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="keepsake-mcp-clients-") as folder:
        os.chmod(folder, 0o711)  # started as root, the database runs as a user who must pass through
        server = Server(Path(folder) / "var")
        try:
            failed = [_failed(server, name, how) for name in CLIENTS for how in ("http", "stdio")]
        finally:
            server.stop()
    return int(any(failed))


def _failed(server: Server, name: str, how: str) -> bool:
    environment = os.environ | {
        "KEEPSAKE_URL": f"http://127.0.0.1:{server.port}",
        "KEEPSAKE_KEY": server.key,
        "PYTHON": sys.executable,
        "MANAGE": str(ROOT / "manage.py"),
    }
    tried = subprocess.run([*CLIENTS[name], how], cwd=FOLDER, env=environment, capture_output=True, text=True)
    sys.stdout.write(f"{name}, {how}: {'failed' if tried.returncode else 'works'}\n")
    sys.stdout.write(tried.stderr if tried.returncode else "")
    return tried.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
