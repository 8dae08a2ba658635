"""The files of one embedded server, and making them: `KEEPSAKE_DATA/postgres` and what lies in it.

Everything under `home` belongs to the account that runs the server, and to nobody else's eyes.
"""

import logging
import os
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from memory_app.postgres.account import Account, account_for, make_reachable
from memory_app.postgres.installation import Installation, PostgresError

logger = logging.getLogger(__name__)

SUPERUSER = "postgres"
ROLE = "keepsake"
DATABASE = "keepsake"
PASSWORD_BYTES = 32


@dataclass(frozen=True)
class Cluster:
    """Where the server's files are, and whose they are. The data of each major version has a folder of its own."""

    home: Path
    account: Account

    def data(self, major: int) -> Path:
        return self.home / f"data-{major}"

    @property
    def log(self) -> Path:
        return self.home / "server.log"

    @property
    def passfile(self) -> Path:
        return password_file(self.home)

    def newest_data(self) -> int | None:
        """The highest major version that has data here."""
        majors = [int(path.name.removeprefix("data-")) for path in self.home.glob("data-*") if path.name[5:].isdigit()]
        return max(majors, default=None)


def server_folder(data: Path) -> Path:
    """The server's folder within the data folder, or where a link in its place leads."""
    return (data / "postgres").resolve()


def password_file(home: Path) -> Path:
    """The file, in libpq's format, with the passwords of both roles: read at each connect, kept in no setting."""
    return home / "pgpass"


def open_cluster(data: Path, spare: Path | None = None) -> Cluster:
    """Makes the server's folder if need be, where the account that runs the server can reach it.

    `spare` is a folder for the server's files when that account cannot enter `data`; without one that is an error.
    """
    home = server_folder(data)
    account = account_for(home)
    try:
        if closed_folder := make_reachable(account, home.parent):
            home = _folder_elsewhere(home, account, closed_folder, spare)
        if not home.exists():
            home.mkdir(mode=0o700)
            account.take_ownership(home, 0o700)
        list(home.iterdir())
    except PermissionError as error:
        raise PostgresError(
            f"{error.filename} belongs to another user: start Keepsake as that user, or set KEEPSAKE_DATA elsewhere."
        ) from None
    return Cluster(home, account)


def _folder_elsewhere(home: Path, account: Account, closed_folder: Path, spare: Path | None) -> Path:
    """A new folder for the server under `spare`; a link in the place of `home` leads there from now on."""
    reason = f"Started as root, the database runs as the user {account.name}, who may not enter {closed_folder}."
    if spare is not None and not home.exists():
        spare.mkdir(mode=0o755, parents=True, exist_ok=True)
        if make_reachable(account, spare) is None:
            other = Path(tempfile.mkdtemp(prefix="postgres-", dir=spare))
            account.take_ownership(other, 0o700)
            home.symlink_to(other)
            logger.warning("%s Its files are kept in %s, where %s leads.", reason, other, home)
            return other
    raise PostgresError(
        f"{reason} Set KEEPSAKE_DATA to a folder that {account.name} can reach (such as /var/lib/keepsake), "
        f"or start Keepsake as an ordinary user."
    )


def make_passwords(cluster: Cluster) -> None:
    """Writes the passwords of both roles once, whole or not at all."""
    if cluster.passfile.exists():
        return
    draft = cluster.home / ".pgpass"
    with open(draft, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.writelines(f"*:*:*:{role}:{secrets.token_urlsafe(PASSWORD_BYTES)}\n" for role in (SUPERUSER, ROLE))
    cluster.account.take_ownership(draft, 0o600)
    draft.rename(cluster.passfile)


def password_of(cluster: Cluster, role: str) -> str:
    """The password of a role, out of the file."""
    lines = [line.rsplit(":", 2) for line in cluster.passfile.read_text().splitlines()]
    return next(password for _, name, password in lines if name == role)


def init_data(cluster: Cluster, installation: Installation, data: Path) -> None:
    """Creates an empty database cluster at `data`: under another name first, so that a half-made one never counts.

    Sorting by code point (C.UTF-8 of PostgreSQL itself) is the same on every system and never changes under an index.
    Servers before 17 have no such locale of their own, and use that of the system.
    """
    draft, password_draft = data.with_name(f"{data.name}.new"), cluster.home / ".superuser"
    shutil.rmtree(draft, ignore_errors=True)
    password_draft.write_text(password_of(cluster, SUPERUSER))
    cluster.account.take_ownership(password_draft, 0o600)
    locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if installation.major >= 17 else []
    try:
        result = cluster.account.run(
            [
                installation.program("initdb"), "--pgdata", draft, "--username", SUPERUSER, "--pwfile", password_draft,
                "--auth=scram-sha-256", "--data-checksums", "--encoding=UTF8", "--locale=C.UTF-8", *locale,
            ],
            cwd=cluster.home,
        )  # fmt: skip
    finally:
        password_draft.unlink()
    if result.returncode:
        shutil.rmtree(draft, ignore_errors=True)
        raise PostgresError(f"The database could not be made in {data}: {result.stdout.strip()}")
    draft.rename(data)
