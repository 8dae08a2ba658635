"""Whether there is room to write. A full disk can keep PostgreSQL from starting again, so writes stop well before."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memory_app.postgres.cluster import server_folder

MIB = 1024 * 1024
# Below this the pages and /readyz warn: a day's work of a busy installation.
LOW_BELOW = 1024 * MIB
# Below this writes are refused. It leaves room for a checkpoint and for the log to be replayed after a crash
# (half of max_wal_size; the other half is already on disk by then).
REFUSE_BELOW = 256 * MIB


@dataclass(frozen=True)
class DiskState:
    """Room on the disk of the data folder, in bytes."""

    free: int
    total: int

    @property
    def level(self) -> Literal["ok", "low", "full"]:
        if self.free < REFUSE_BELOW:
            return "full"
        return "low" if self.free < LOW_BELOW else "ok"

    @property
    def accepts_writes(self) -> bool:
        return self.level != "full"

    @property
    def message(self) -> str:
        """What to tell people; empty while all is well."""
        left = f"{self.free // MIB} MiB of {self.total // MIB} MiB are free on the disk of the database"
        match self.level:
            case "full":
                missing = REFUSE_BELOW - self.free
                return f"Nothing new can be kept: {left}. Free at least {missing // MIB + 1} MiB to go on."
            case "low":
                return f"The disk is getting full: {left}. Below {REFUSE_BELOW // MIB} MiB nothing new is kept."
            case "ok":
                return ""


def disk_state(data: Path) -> DiskState:
    """The disk under the server's files (or under the nearest folder above them that exists)."""
    home = server_folder(data)
    folder = next(path for path in [home, *home.parents] if path.exists())
    usage = shutil.disk_usage(folder)
    return DiskState(free=usage.free, total=usage.total)
