"""The environment of the tests, set before Django reads its settings: their own data folder, and no one's model.

Loaded as an early plugin (`-p tests.environment`), for pytest-django reads the settings before any conftest.
"""

import atexit
import os
import signal
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="keepsake-test-")
atexit.register(_folder.cleanup)
os.chmod(_folder.name, 0o711)  # started as root, the database runs as a user who must pass through

for name in ("DATABASE_URL", "KEEPSAKE_EMBEDDING_MODEL", "KEEPSAKE_LLM", "KEEPSAKE_RERANKER",
             "KEEPSAKE_PUBLIC_URL", "KEEPSAKE_DEBUG"):  # fmt: skip
    os.environ.pop(name, None)
os.environ |= {"KEEPSAKE_DATA": f"{_folder.name}/var", "HF_HUB_OFFLINE": "1"}
os.makedirs(f"{_folder.name}/var/static")
os.chmod(f"{_folder.name}/var", 0o711)

# Started in the background, a process ignores SIGINT and so do its children; the tests send them one.
signal.signal(signal.SIGINT, signal.default_int_handler)
