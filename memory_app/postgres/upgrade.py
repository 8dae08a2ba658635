"""From one major version of PostgreSQL to the next, when the wheel brings a newer one. The old data is kept."""

import shutil
from pathlib import Path

from memory_app.postgres.address import choose_address
from memory_app.postgres.cluster import SUPERUSER, Cluster, init_data
from memory_app.postgres.disk import MIB
from memory_app.postgres.installation import (
    WHEEL,
    Installation,
    PostgresError,
    copied_installation,
    copy_installation,
    packaged_installations,
)
from memory_app.postgres.server import Server

# A copy of the data, and room for the new server to work.
SPARE_BYTES = 512 * MIB


def upgrade(cluster: Cluster, installation: Installation, old_major: int) -> None:
    """Copies the data of an older server into a new folder in the new server's format, by `pg_upgrade`.

    The new folder gets its name last: stopped anywhere before, the next start begins anew from the old data,
    which is never written to. It may be deleted by hand once all is well.
    """
    old = Server(cluster, _old_installation(cluster, old_major))
    _check_room(old.data)
    if not old.is_running():
        old.start()  # pg_upgrade wants a server that was stopped in order: one that was killed replays its log now
    old.stop()
    # Not `data-N.new`, which `init_data` itself takes for its draft.
    draft = cluster.home / f"upgrade-{installation.major}"
    shutil.rmtree(draft, ignore_errors=True)
    init_data(cluster, installation, draft)
    _run(cluster, old, installation, draft)
    draft.rename(cluster.data(installation.major))


def _old_installation(cluster: Cluster, major: int) -> Installation:
    """The programs that made the data: kept beside it since then, or still in the wheel."""
    found = copied_installation(cluster.home, major) or packaged_installations().get(major)
    if found is None:
        raise PostgresError(
            f"The data in {cluster.data(major)} was made by PostgreSQL {major}, whose programs are neither beside it "
            f"nor in the installed {WHEEL}. Install a version of {WHEEL} that carries PostgreSQL {major}, "
            f"start Keepsake once with it, then upgrade again."
        )
    return found if found.folder.is_relative_to(cluster.home) else copy_installation(found, cluster.home)


def _check_room(old: Path) -> None:
    size = sum(path.stat().st_size for path in old.rglob("*") if path.is_file())
    free = shutil.disk_usage(old).free
    if free < size + SPARE_BYTES:
        raise PostgresError(
            f"The upgrade of the database copies {size // MIB} MiB, and {free // MIB} MiB are free under {old.parent}: "
            f"free {(size + SPARE_BYTES - free) // MIB + 1} MiB more."
        )


def _run(cluster: Cluster, old: Server, installation: Installation, draft: Path) -> None:
    address = choose_address(cluster.home, cluster.account)
    sockets = ["--socketdir", address.host] if address.folder else []
    done = cluster.account.run(
        [
            installation.program("pg_upgrade"), "--username", SUPERUSER, "--copy", *sockets,
            "--old-bindir", old.installation.program(""), "--new-bindir", installation.program(""),
            "--old-datadir", old.data, "--new-datadir", draft,
        ],
        cwd=cluster.home,
        environment={"PGPASSFILE": str(cluster.passfile)},
    )  # fmt: skip
    if done.returncode:
        raise PostgresError(
            f"The database could not be brought from PostgreSQL {old.installation.major} to {installation.major}; "
            f"the old one is untouched in {old.data}. pg_upgrade said:\n{done.stdout.strip()}"
        )
