"""The environment of the tests, set before Django reads its settings: their own data folder, and no one's model.

Loaded as an early plugin (`-p tests.environment`), for pytest-django reads the settings before any conftest.
"""

import atexit
import hashlib
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest_randomly

ROOT = Path(__file__).resolve().parents[1]


def _models() -> Path:
    """Where the embedding model is exported to, once for all processes and runs until what exports it changes."""
    code = [*sorted((ROOT / "memory_app" / "embedding").glob("*.py")), ROOT / "config" / "constraints.txt"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in code)).hexdigest()[:16]
    folder = ROOT / ".pytest_cache" / "models" / digest
    if not folder.exists():
        shutil.rmtree(folder.parent, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    return folder


_folder = tempfile.TemporaryDirectory(prefix="keepsake-test-")
atexit.register(_folder.cleanup)
os.chmod(_folder.name, 0o711)  # started as root, the database runs as a user who must pass through

for name in ("DATABASE_URL", "KEEPSAKE_EMBEDDING_MODEL", "KEEPSAKE_QUERY_INT8", "KEEPSAKE_LLM", "KEEPSAKE_RERANKER",
             "KEEPSAKE_PUBLIC_URL", "KEEPSAKE_DEBUG"):  # fmt: skip
    os.environ.pop(name, None)
# Told to write no bytecode, each of the many programs that tests start would compile all that it imports anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ |= {"KEEPSAKE_DATA": f"{_folder.name}/var", "HF_HUB_OFFLINE": "1"}
os.makedirs(f"{_folder.name}/var/static")
os.chmod(f"{_folder.name}/var", 0o711)
os.symlink(_models(), f"{_folder.name}/var/models")

# Before each step of each test, spaCy's package would seed torch's generators, which takes as long as most tests do.
# Python's and NumPy's are still seeded; who draws from torch's seeds them itself.
pytest_randomly.entrypoint_reseeds = []

# Started in the background, a process ignores SIGINT and so do its children; the tests send them one.
signal.signal(signal.SIGINT, signal.default_int_handler)
