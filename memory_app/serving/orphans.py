"""A guard beside the supervisor: ends the supervisor's children when it was killed and cannot do so itself.

It is a small process that imports nothing of ours. Through a pipe it hears which process groups there are; the end
of the pipe tells it that the supervisor is gone, however that came about. It then waits a little, for the groups were
sent SIGTERM by the kernel at that moment, and kills what is left.
"""

import subprocess
import sys
from collections.abc import Iterable

# A request under way may finish; a job is written so that it may be killed anywhere.
GRACE_SECONDS = 5.0

GUARD = """
import os, signal, sys, time
groups = set()
for line in sys.stdin:
    groups = {int(word) for word in line.split()}
deadline = time.monotonic() + float(sys.argv[1])
def there(group):
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True
while time.monotonic() < deadline and any(map(there, groups)):
    time.sleep(0.05)
for group in filter(there, groups):
    os.killpg(group, signal.SIGKILL)
"""


class Guard:
    """The guard's process, and what it was last told."""

    def __init__(self) -> None:
        self._told: set[int] = set()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", GUARD, str(GRACE_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def watch(self, groups: Iterable[int]) -> None:
        """Says which groups there are now. A guard that was itself killed is done without."""
        now = set(groups)
        if now == self._told or self._process.stdin is None:
            return
        self._told = now
        try:
            self._process.stdin.write(" ".join(map(str, sorted(now))) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._process.stdin = None

    def dismiss(self) -> None:
        """Lets it go, with nobody to end any more."""
        self.watch([])
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
