"""Who runs the server's programs. PostgreSQL refuses to run as root, so root lends it an account with few rights."""

import os
import pwd
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_app.postgres.installation import PostgresError

# An account of that name is used where an administrator made one; every system has the other.
UNPRIVILEGED = ("keepsake", "nobody")
# What may lie in a data folder that is Keepsake's alone.
KEEPSAKE_FILES = {"models", "postgres", "secret_key", "static", "static.stamp"}


@dataclass(frozen=True)
class Account:
    """A user of the system. `switches_user` when it is not the user of this process, who then is root."""

    name: str
    uid: int
    gid: int
    switches_user: bool

    def take_ownership(self, path: Path, mode: int) -> None:
        """Gives a file or folder of Keepsake's own to this account, with that mode."""
        path.chmod(mode)
        if self.switches_user:
            os.chown(path, self.uid, self.gid)

    def run(
        self, command: Sequence[str | Path], *, cwd: Path, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program as this account and waits for it; its output is kept for error messages.

        In a session of its own, so that Ctrl-C in a terminal does not stop it half-way: who started it decides.
        """
        return subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            start_new_session=True,
            user=self.uid if self.switches_user else None,
            group=self.gid if self.switches_user else None,
            extra_groups=[] if self.switches_user else None,
        )

    def can_enter(self, path: Path) -> bool:
        """Whether this account may pass through the folder, or run the file. The system itself is asked."""
        return self.run(["/usr/bin/env", "test", "-x", path], cwd=Path("/")).returncode == 0


def account_for(home: Path) -> Account:
    """The account that runs the server whose files are in `home`: ours, or, for root, who owns it or its parent.

    Where root owns those too, the first of UNPRIVILEGED that the system has.
    """
    if os.geteuid() != 0:
        return Account(user_name(os.geteuid()), os.geteuid(), os.getegid(), switches_user=False)
    owners = [path.stat().st_uid for path in (home, home.parent) if path.exists()]
    known = [pwd.getpwuid(uid) for uid in owners if uid != 0 and user_name(uid)]
    spare = [entry for name in UNPRIVILEGED for entry in pwd.getpwall() if entry.pw_name == name]
    for entry in [*known, *spare]:
        return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, switches_user=True)
    raise PostgresError("PostgreSQL does not run as root, and there is no user nobody here: start Keepsake as a user.")


def user_name(uid: int) -> str:
    """The name of a user id, or nothing when the system has no entry for it (as in some containers)."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def make_reachable(account: Account, data: Path) -> Path | None:
    """Lets a lent account pass through the folders above its own. Answers the first one that stays shut, if any.

    Only the data folder itself is ever opened (to pass, not to read), and only while it holds nothing but Keepsake's.
    Who may enter any folder above is not ours to change.
    """
    if not account.switches_user or account.can_enter(data):
        return None
    other_names = {path.name.lstrip(".").partition("-")[0] for path in data.iterdir()} - KEEPSAKE_FILES
    if account.can_enter(data.parent) and not other_names:
        data.chmod(data.stat().st_mode | 0o011)
    return next((folder for folder in [*reversed(data.parents), data] if not account.can_enter(folder)), None)
