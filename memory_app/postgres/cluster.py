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

from memory_app.postgres.account import Account, account_for, let_in
from memory_app.postgres.engine import Engine
from memory_app.postgres.errors import PostgresError

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
        return passfile_of(self.home)

    def newest_data(self) -> int | None:
        """The highest major version that has data here."""
        majors = [int(path.name.removeprefix("data-")) for path in self.home.glob("data-*") if path.name[5:].isdigit()]
        return max(majors, default=None)


def home_of(data: Path) -> Path:
    """The server's folder within the data folder, or where a link in its place leads."""
    return (data / "postgres").resolve()


def passfile_of(home: Path) -> Path:
    """The file, in libpq's format, with the passwords of both roles: read at each connect, kept in no setting."""
    return home / "pgpass"


def open_cluster(data: Path, spare: Path | None = None) -> Cluster:
    """Makes the server's folder if need be, where the account that runs the server can reach it.

    `spare` is a folder for the server's files when that account cannot enter `data`; without one that is an error.
    """
    home = home_of(data)
    account = account_for(home)
    try:
        if shut := let_in(account, home.parent):
            home = _elsewhere(home, account, shut, spare)
        if not home.exists():
            home.mkdir(mode=0o700)
            account.own(home, 0o700)
        list(home.iterdir())
    except PermissionError as error:
        raise PostgresError(
            f"{error.filename} belongs to another user: start Keepsake as that user, or set KEEPSAKE_DATA elsewhere."
        ) from None
    return Cluster(home, account)


def _elsewhere(home: Path, account: Account, shut: Path, spare: Path | None) -> Path:
    """A new folder for the server under `spare`; a link in the place of `home` leads there from now on."""
    who = f"Started as root, the database runs as the user {account.name}, who may not enter {shut}."
    if spare is not None and not home.exists():
        spare.mkdir(mode=0o755, parents=True, exist_ok=True)
        if let_in(account, spare) is None:
            other = Path(tempfile.mkdtemp(prefix="postgres-", dir=spare))
            account.own(other, 0o700)
            home.symlink_to(other)
            logger.warning("%s Its files are kept in %s, where %s leads.", who, other, home)
            return other
    raise PostgresError(
        f"{who} Set KEEPSAKE_DATA to a folder that {account.name} can reach (such as /var/lib/keepsake), "
        f"or start Keepsake as an ordinary user."
    )


def make_passwords(cluster: Cluster) -> None:
    """Writes the passwords of both roles once, whole or not at all."""
    if cluster.passfile.exists():
        return
    draft = cluster.home / ".pgpass"
    with open(draft, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.writelines(f"*:*:*:{role}:{secrets.token_urlsafe(PASSWORD_BYTES)}\n" for role in (SUPERUSER, ROLE))
    cluster.account.own(draft, 0o600)
    draft.rename(cluster.passfile)


def password_of(cluster: Cluster, role: str) -> str:
    """The password of a role, out of the file."""
    lines = [line.rsplit(":", 2) for line in cluster.passfile.read_text().splitlines()]
    return next(password for _, name, password in lines if name == role)


def make_data(cluster: Cluster, engine: Engine, data: Path) -> None:
    """Creates an empty database cluster at `data`: under another name first, so that a half-made one never counts.

    Sorting by code point (C.UTF-8 of PostgreSQL itself) is the same on every system and never changes under an index.
    Servers before 17 have no such locale of their own, and use that of the system.
    """
    draft, handed = data.with_name(f"{data.name}.new"), cluster.home / ".superuser"
    shutil.rmtree(draft, ignore_errors=True)
    handed.write_text(password_of(cluster, SUPERUSER))
    cluster.account.own(handed, 0o600)
    locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if engine.major >= 17 else []
    try:
        made = cluster.account.run(
            [
                engine.program("initdb"), "--pgdata", draft, "--username", SUPERUSER, "--pwfile", handed,
                "--auth=scram-sha-256", "--data-checksums", "--encoding=UTF8", "--locale=C.UTF-8", *locale,
            ],
            cwd=cluster.home,
        )  # fmt: skip
    finally:
        handed.unlink()
    if made.returncode:
        shutil.rmtree(draft, ignore_errors=True)
        raise PostgresError(f"The database could not be made in {data}: {made.stdout.strip()}")
    draft.rename(data)
