"""What holds for every command, and for all that `serve` starts."""

import subprocess
import sys

from memory_app.embedding.model_files import ROOT

SCRIPT = """
import sys
from memory_app.management.command_line import main
assert "numpy" not in sys.modules
main(["manage.py", "version"])
import os, numpy, threadpoolctl
print(os.environ["OPENBLAS_NUM_THREADS"], *(pool["num_threads"] for pool in threadpoolctl.threadpool_info()))
"""


def _threads(**environment: str) -> list[str]:
    """What the environment says then, and what OpenBLAS does."""
    variables = {"PATH": "/usr/bin:/bin", **environment}
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[-2:]


def test_numpy_multiplies_on_one_thread_unless_told_otherwise() -> None:
    assert _threads() == ["1", "1"]
    assert _threads(OPENBLAS_NUM_THREADS="2")[0] == "2"
